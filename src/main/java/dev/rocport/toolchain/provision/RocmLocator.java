package dev.rocport.toolchain.provision;

import dev.rocport.io.Folders;
import dev.rocport.io.process.SearchPath;
import dev.rocport.toolchain.Library;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Finds a real ROCm: headers, device libraries and a clang below one root. */
public final class RocmLocator {
  /** Distinguishes rocport's own runtime from a real ROCm; the scripts of the runtime read it. */
  public static final String SETTINGS = "share/rocport/toolchain.conf";

  private static final List<String> CLANG =
      List.of("llvm/bin/clang++", "lib/llvm/bin/clang++", "lib/llvm-*/bin/clang++");
  private static final List<String> BITCODE =
      List.of(
          "amdgcn/bitcode",
          "lib/llvm/lib/clang/*/lib/amdgcn/bitcode",
          "lib/llvm-*/lib/clang/*/amdgcn/bitcode",
          "lib/clang/*/amdgcn/bitcode");
  private static final List<String> LIBRARIES =
      List.of("lib/libamdhip64.so", "lib64/libamdhip64.so", "lib/*-linux-gnu/libamdhip64.so");

  private final Path machine;
  private final Map<String, String> environment;

  /**
   * A search.
   *
   * @param machine the file system's root, another folder for tests
   * @param environment where {@code ROCM_PATH}, {@code HIP_PATH} and {@code PATH} are read
   */
  public RocmLocator(Path machine, Map<String, String> environment) {
    this.machine = machine;
    this.environment = Map.copyOf(environment);
  }

  /**
   * Parts of a ROCm.
   *
   * @param root its root
   * @param missing what it lacks; when empty the other parts are there
   */
  public record Parts(Path root, Path clang, Path bitcode, Path lib, List<String> missing) {
    public boolean complete() {
      return missing.isEmpty();
    }
  }

  /** Every root that claims to be a ROCm, the preferred one first. */
  public List<Parts> candidates() throws IOException {
    Set<Path> roots = new LinkedHashSet<>();
    named("ROCM_PATH").ifPresent(roots::add);
    named("HIP_PATH")
        .ifPresent(
            hip -> {
              roots.add(hip);
              if (hip.endsWith("hip") && hip.getParent() != null) {
                roots.add(hip.getParent());
              }
            });
    roots.add(machine.resolve("opt/rocm"));
    List<Path> versions = new ArrayList<>();
    for (Path p : Folders.list(machine.resolve("opt"))) {
      if (String.valueOf(p.getFileName()).startsWith("rocm-")) {
        versions.add(p);
      }
    }
    roots.addAll(versions.reversed());
    hipcc().ifPresent(roots::add);
    List<Parts> found = new ArrayList<>();
    Set<Path> seen = new LinkedHashSet<>();
    for (Path root : roots) {
      boolean own =
          Files.exists(root.resolve(Provisioner.DESCRIPTOR))
              || Files.exists(root.resolve(SETTINGS));
      if (Files.isDirectory(root) && !own && seen.add(root.toRealPath())) {
        found.add(parts(root));
      }
    }
    return found;
  }

  static Parts parts(Path root) throws IOException {
    Optional<Path> clang = first(root, CLANG);
    Optional<Path> bitcode = first(root, BITCODE);
    Optional<Path> lib = first(root, LIBRARIES).map(Path::getParent);
    List<String> missing = new ArrayList<>();
    if (!Files.isRegularFile(root.resolve("include/hip/hip_version.h"))) {
      missing.add("include/hip/hip_version.h");
    }
    if (clang.isEmpty()) {
      missing.add("llvm/bin/clang++");
    }
    if (bitcode.filter(b -> Files.isRegularFile(b.resolve("ockl.bc"))).isEmpty()) {
      missing.add("amdgcn/bitcode");
    }
    if (lib.isEmpty()) {
      missing.add("lib/libamdhip64.so");
    }
    return new Parts(
        root, clang.orElse(root), bitcode.orElse(root), lib.orElse(root), List.copyOf(missing));
  }

  /** Which libraries can be linked from a folder. */
  static SortedSet<Library> libraries(Path lib) {
    SortedSet<Library> found = new TreeSet<>();
    for (Library l : Library.values()) {
      if (Files.exists(lib.resolve("lib" + l.linkName() + ".so"))) {
        found.add(l);
      }
    }
    return found;
  }

  private Optional<Path> named(String variable) {
    String value = environment.getOrDefault(variable, "");
    return value.startsWith("/") ? Optional.of(Path.of(value).normalize()) : Optional.empty();
  }

  private Optional<Path> hipcc() throws IOException {
    for (Path folder : SearchPath.folders(environment)) {
      Path hipcc = folder.resolve("hipcc");
      if (Files.isExecutable(hipcc)) {
        Path bin = hipcc.toRealPath().getParent();
        return Optional.ofNullable(bin == null ? null : bin.getParent());
      }
    }
    return Optional.empty();
  }

  /** The first existing path that one of the patterns matches; {@code *} is within a name. */
  private static Optional<Path> first(Path root, List<String> patterns) throws IOException {
    for (String pattern : patterns) {
      Collection<Path> level = List.of(root);
      for (String name : pattern.split("/")) {
        List<Path> next = new ArrayList<>();
        for (Path p : level) {
          if (name.contains("*")) {
            String regex = name.replace("*", ".*");
            for (Path child : Folders.list(p)) {
              if (String.valueOf(child.getFileName()).matches(regex)) {
                next.add(child);
              }
            }
          } else if (Files.exists(p.resolve(name))) {
            next.add(p.resolve(name));
          }
        }
        level = next;
      }
      if (!level.isEmpty()) {
        return Optional.of(level.iterator().next());
      }
    }
    return Optional.empty();
  }
}
