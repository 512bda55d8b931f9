package dev.rocport.toolchain.runtime;

import dev.rocport.io.Folders;
import dev.rocport.toolchain.InstallLock;
import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * The libraries of a runtime beside {@code libamdhip64}. Compiling them all takes longer than all
 * else, and most programs use none: so each one starts as a library of the same names that has the
 * real one compiled when a program loads it, whichever way: linked, by {@code dlopen}, preloaded.
 */
final class RuntimeLibraries {
  private static final String FOLDER = "libraries";

  /** Libraries whose functions go on to those of another one. */
  private static final Map<Library, Library> CALLED = Map.of(Library.ROCBLAS, Library.HIPBLAS);

  private final Toolchain toolchain;
  private final Path sources;
  private final Path installation;

  RuntimeLibraries(Toolchain toolchain, Path sources, Path installation) {
    this.toolchain = toolchain;
    this.sources = sources;
    this.installation = installation;
  }

  /** Those that rocport has for this toolchain. */
  Set<Library> all() {
    Set<Library> all = EnumSet.noneOf(Library.class);
    for (Library library : Library.values()) {
      if (library != Library.RUNTIME
          && Files.isDirectory(body(library))
          && toolchain.libraries().contains(library)
          && toolchain.libraries().contains(CALLED.getOrDefault(library, library))) {
        all.add(library);
      }
    }
    return all;
  }

  private Path body(Library library) {
    return sources.resolve("src").resolve(library.linkName());
  }

  /** Those among some, and among what they call, that are not compiled yet. */
  Set<Library> missing(Path root, Collection<Library> wanted) throws IOException {
    Set<Library> needed = EnumSet.noneOf(Library.class);
    for (Library library : wanted) {
      needed.addAll(List.of(library, CALLED.getOrDefault(library, library)));
    }
    Set<Library> missing = all();
    missing.retainAll(needed);
    for (Library library : List.copyOf(missing)) {
      if (Files.exists(compiled(root, library))) {
        missing.remove(library);
      }
    }
    return missing;
  }

  private Path compiled(Path root, Library library) throws IOException {
    return root.resolve(FOLDER).resolve(RuntimeCompiler.soname(toolchain, library));
  }

  /**
   * Puts in the place of each library what has it compiled.
   *
   * @param made the runtime's folder for now
   * @param root the runtime's folder when it is done
   */
  void later(RuntimeCompiler compiler, Path made, Path root)
      throws IOException, ToolchainException {
    String template = Files.readString(sources.resolve("src/later.c"));
    for (Library library : all()) {
      StringBuilder source = new StringBuilder(template);
      int index = 0;
      for (String name : compiler.exported(library)) {
        source.append("ENTRY(%d, %s)\n".formatted(index++, name));
      }
      source.append("END(%d)\n".formatted(index));
      List<String> flags = new ArrayList<>();
      flags.add(define("LIBRARY", library.linkName()));
      flags.add(define("REAL", compiled(root, library).toString()));
      flags.add(define("RUNTIME", root.toString()));
      flags.add(define("TOOLCHAINS", home(root).toString()));
      flags.add(define("INSTALLATION", installation.toString()));
      if (toolchain.kind() == Toolchain.Kind.ROCM) {
        flags.add(define("ROCM", toolchain.root().toString()));
      }
      Path object = compiler.each(library, source.toString(), flags);
      Path lib = made.resolve("lib");
      // Whoever looks a name of HIP up in the library finds it, as in the real one.
      named(compiler, library, List.of(object), lib, onRuntime(lib, "-Wl,--no-as-needed"));
    }
  }

  private static List<String> onRuntime(Path lib, String how) {
    return List.of("-L" + lib, how, "-lamdhip64", "-Wl,-rpath,$ORIGIN/../lib");
  }

  /**
   * Links a library that has all that the toolchain's one has; what is not there, aborts.
   *
   * @param lib folder of the library and the link that the linker looks for
   */
  void link(
      RuntimeCompiler compiler, Library library, List<Path> objects, Path lib, List<String> flags)
      throws IOException, ToolchainException {
    StringBuilder source = new StringBuilder(Files.readString(sources.resolve("src/missing.c")));
    compiler.exported(library).forEach(n -> source.append("MISSING(").append(n).append(")\n"));
    List<String> defines =
        StandIns.isOne(library) ? List.of(define("STAND_IN", StandIns.name(library))) : List.of();
    List<Path> all = new ArrayList<>(objects);
    all.add(compiler.each(library, source.toString(), defines));
    named(compiler, library, all, lib, flags);
  }

  private void named(
      RuntimeCompiler compiler, Library library, List<Path> objects, Path lib, List<String> flags)
      throws IOException, ToolchainException {
    String soname = RuntimeCompiler.soname(toolchain, library);
    compiler.library(library, objects, lib.resolve(soname), flags);
    String plain = "lib" + library.linkName() + ".so";
    if (!plain.equals(soname)) {
      Files.createSymbolicLink(lib.resolve(plain), Path.of(soname));
    }
  }

  /** The folder of all toolchains that a runtime is in. */
  private static Path home(Path root) {
    return root.resolveSibling("").resolveSibling("");
  }

  private static String define(String name, String value) {
    return "-D" + name + "=\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  /**
   * Compiles libraries of a runtime; nothing else of it changes. The caller holds the {@link
   * InstallLock}.
   */
  void compile(Path root, Collection<Library> wanted) throws IOException, ToolchainException {
    Path parent = root.resolveSibling("");
    Path work = Files.createTempDirectory(parent, ".making-");
    try {
      compile(
          root, wanted, parent.resolve(RuntimeBuild.OBJECTS), work, RuntimeCompiler.Purpose.USE);
    } finally {
      Folders.delete(work);
    }
  }

  /**
   * Compiles libraries of a runtime.
   *
   * @param store folder of the objects of all runtimes
   * @param work an empty folder on the runtime's disk
   */
  void compile(
      Path root, Collection<Library> wanted, Path store, Path work, RuntimeCompiler.Purpose purpose)
      throws IOException, ToolchainException {
    RuntimeCompiler compiler =
        new RuntimeCompiler(
            toolchain, sources, store, work.resolve("objects"), "-O2", List.of(), purpose);
    Map<Path, Path> generated = new LinkedHashMap<>();
    for (Library library : wanted) {
      Path headers = compiler.generated(library);
      RuntimeCompiler.sources(body(library)).forEach(s -> generated.put(s, headers));
    }
    SortedMap<Path, Path> objects = compiler.compile(generated);
    Path finished = Files.createDirectories(root.resolve(FOLDER));
    for (Library library : wanted) {
      List<Path> own =
          objects.entrySet().stream()
              .filter(e -> body(library).equals(e.getKey().getParent()))
              .map(Map.Entry::getValue)
              .toList();
      Path made = Files.createDirectories(work.resolve(FOLDER));
      List<String> flags = new ArrayList<>(onRuntime(root.resolve("lib"), "-Wl,--as-needed"));
      Optional.ofNullable(CALLED.get(library)).ifPresent(c -> flags.add("-l" + c.linkName()));
      link(compiler, library, own, made, flags);
      String soname = RuntimeCompiler.soname(toolchain, library);
      Path link = made.resolve(soname + "-link");
      Files.createSymbolicLink(link, Path.of("..", FOLDER, soname));
      Files.move(made.resolve(soname), finished.resolve(soname), StandardCopyOption.ATOMIC_MOVE);
      // From now on programs load it without a detour; those that run keep what they have.
      Files.move(
          link,
          root.resolve("lib").resolve(soname),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
