package dev.rocport.toolchain;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compiles {@code hip-runtime} and lays it out as a ROCm. */
final class RuntimeBuild {

  /** What tells a runtime of rocport's from a real ROCm; its scripts read it. */
  static final String SETTINGS = "share/rocport/toolchain.conf";

  /** A library that lets waiting processes sleep. */
  static final String YIELD = "libexec/rocport/libyield.so";

  /** A library that says what memory MPI and the system are about to use. */
  static final String GUARD = "libexec/rocport/libguard.so";

  private static final Pattern KEY = Pattern.compile("[0-9a-f]{16}");
  private static final List<String> FLAGS =
      List.of("-std=c++17", "-O2", "-g1", "-fPIC", "-Wall", "-Wextra", "-Werror");

  private final Toolchain toolchain;
  private final Path sources;
  private final Path installation;

  /**
   * @param sources the folder {@code hip-runtime}
   * @param installation where the library finds the program that is the device
   */
  RuntimeBuild(Toolchain toolchain, Path sources, Path installation) {
    this.toolchain = toolchain;
    this.sources = sources;
    this.installation = installation;
  }

  /** A hash of everything that goes in. */
  String key() throws IOException {
    ContentHash hash =
        new ContentHash()
            .add(toolchain.fingerprint() + toolchain.root() + toolchain.targets() + installation);
    for (String part : List.of("src", "bin", "cmake", "triton")) {
      hash.add(sources, Folders.files(sources.resolve(part)));
    }
    return hash.name();
  }

  /** Makes the folder, whole or not at all, and forgets folders beside it that nobody uses. */
  void into(Path root) throws IOException, ToolchainException {
    Path parent = Files.createDirectories(root.resolveSibling(""));
    ObjectStore store =
        new ObjectStore(
            parent.resolve(".objects"),
            toolchain.fingerprint() + toolchain.root() + compiler("c++"));
    Path work = Files.createTempDirectory(parent, ".making-");
    try {
      Path made = Files.createDirectories(work.resolve("root"));
      Path objects = Files.createDirectories(work.resolve("objects"));
      Path lib = Files.createDirectories(made.resolve("lib"));
      Path header = precompiled(objects);
      library(Library.RUNTIME, sources.resolve("src"), lib, objects, header, store);
      for (Library library : Library.values()) {
        Path folder = sources.resolve("src").resolve(library.linkName());
        if (Files.isDirectory(folder) && toolchain.libraries().contains(library)) {
          library(library, folder, lib, objects, header, store);
        }
      }
      List<Path> tools = compile(sources.resolve("src/tools"), objects, header, store);
      Path programs = Files.createDirectories(made.resolve("libexec/rocport"));
      link(
          tools,
          programs.resolve("agents"),
          List.of("-L" + lib, "-lamdhip64", "-Wl,-rpath,$ORIGIN/../../lib"));
      preloaded("ranks", made.resolve(YIELD), objects, header, store);
      preloaded("guard", made.resolve(GUARD), objects, header, store);
      signals(Files.createDirectories(made.resolve("amdgcn/rocport")));
      lay(made);
      Files.move(made, root, StandardCopyOption.ATOMIC_MOVE);
      store.forgetBefore(KeptFolders.oldest());
      KeptFolders.forgetOld(parent, KEY.asMatchPredicate());
    } finally {
      Folders.delete(work);
    }
  }

  /** Compiles what Triton's kernels link, as bitcode for each target. */
  private void signals(Path folder) throws IOException, ToolchainException {
    for (GfxTarget target : toolchain.targets()) {
      Path out = folder.resolve("rocport_" + target + ".bc");
      run(
          List.of(
              toolchain.clang().toString(),
              "-target",
              "amdgcn-amd-amdhsa",
              "-mcpu=" + target,
              "-nogpulib",
              "-x",
              "c",
              "-O3",
              "-emit-llvm",
              "-c",
              "-o",
              out.toString(),
              sources.resolve("triton/signals.c").toString()),
          "the signals of Triton for " + target);
    }
  }

  private void preloaded(String folder, Path out, Path objects, Path header, ObjectStore store)
      throws IOException, ToolchainException {
    List<Path> parts = compile(sources.resolve("src").resolve(folder), objects, header, store);
    link(parts, out, List.of("-shared", "-static-libstdc++", "-static-libgcc", "-ldl"));
  }

  private Path precompiled(Path objects) throws IOException, ToolchainException {
    Path header = objects.resolve("common.h");
    Files.writeString(
        header,
        Stream.of("algorithm", "functional", "map", "memory", "mutex", "string", "variant")
                .map(h -> "#include <" + h + ">\n")
                .collect(Collectors.joining())
            + "#include <hip/hip_runtime_api.h>\n");
    Path out = objects.resolve("common.pch");
    List<String> command = compiler("c++-header");
    command.addAll(List.of("-o", out.toString(), header.toString()));
    run(command, "the HIP headers");
    return out;
  }

  /** Compiles the sources right in a folder, as many at a time as there are processors. */
  private List<Path> compile(Path folder, Path generated, Path precompiled, ObjectStore store)
      throws IOException, ToolchainException {
    List<Callable<Path>> compiles = new ArrayList<>();
    for (Path source : Folders.list(folder)) {
      if (source.toString().endsWith(".cpp")) {
        compiles.add(
            () -> store.object(source, generated, o -> compile(source, generated, precompiled, o)));
      }
    }
    return ParallelTasks.run(compiles);
  }

  private void compile(Path source, Path generated, Path precompiled, Path object)
      throws IOException, ToolchainException {
    List<String> command = compiler("c++");
    command.addAll(List.of("-include-pch", precompiled.toString(), "-I" + generated));
    command.addAll(List.of("-c", "-o", object.toString(), source.toString()));
    run(command, source.toString());
  }

  private List<String> compiler(String language) {
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    command.addAll(toolchain.hostCompile());
    command.addAll(List.of("-x", language));
    command.addAll(FLAGS);
    command.add("-Wno-deprecated-declarations");
    return command;
  }

  /**
   * Compiles a folder to a library that has all that the toolchain's one has; what is not there,
   * aborts. The sources find the names in {@code declared.h}, and where rocport is in {@code
   * installation.h}.
   */
  private void library(
      Library library, Path folder, Path lib, Path objects, Path precompiled, ObjectStore store)
      throws IOException, ToolchainException {
    SortedSet<String> names = exported(library);
    Path scratch = Files.createDirectories(objects.resolve(library.linkName()));
    Files.writeString(
        scratch.resolve("declared.h"),
        names.stream()
            .map(n -> "#define DECLARED_" + n + " ~, ENTRY_DECLARED\n")
            .collect(Collectors.joining()));
    Files.writeString(
        scratch.resolve("installation.h"), "#define ROCPORT_HOME \"" + installation + "\"\n");
    List<Path> all = compile(folder, scratch, precompiled, store);
    Path missing = scratch.resolve("missing.c");
    StringBuilder source = new StringBuilder(Files.readString(sources.resolve("src/missing.c")));
    names.forEach(n -> source.append("MISSING(").append(n).append(")\n"));
    Files.writeString(missing, source);
    Path object = Path.of(missing + ".o");
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    toolchain.sysroot().ifPresent(s -> command.add("--sysroot=" + s));
    command.addAll(List.of("-x", "c", "-w", "-O1", "-fPIC", "-fno-builtin", "-c"));
    if (StandIns.isOne(library)) {
      command.add("-DSTAND_IN=\"" + StandIns.name(library) + "\"");
    }
    command.addAll(List.of("-o", object.toString(), missing.toString()));
    run(command, "the list of functions");
    Path map = scratch.resolve("names.map");
    Files.writeString(
        map, "{ global: " + String.join("; ", names) + beyond(library) + "; local: *; };\n");
    String plain = "lib" + library.linkName() + ".so";
    String soname = soname(plain);
    all.add(object);
    List<String> flags = new ArrayList<>();
    flags.addAll(List.of("-shared", "-Wl,-soname," + soname, "-Wl,-z,defs"));
    flags.add("-Wl,--version-script," + map);
    flags.addAll(List.of("-static-libstdc++", "-static-libgcc", "-ldl"));
    if (library != Library.RUNTIME) {
      flags.addAll(List.of("-L" + lib, "-Wl,--as-needed", "-lamdhip64", "-Wl,-rpath,$ORIGIN"));
    }
    link(all, lib.resolve(soname), flags);
    if (!plain.equals(soname)) {
      Files.createSymbolicLink(lib.resolve(plain), Path.of(soname));
    }
  }

  /** What a library has that no header of this toolchain declares. */
  private static String beyond(Library library) {
    return switch (library) {
      case RUNTIME -> "; rocport*"; // for the other libraries
      case RCCL -> "; nccl*; pnccl*"; // of newer headers
      default -> "";
    };
  }

  private void link(List<Path> objects, Path out, List<String> flags)
      throws IOException, ToolchainException {
    List<String> command = new ArrayList<>(List.of(toolchain.clang() + ""));
    toolchain.sysroot().ifPresent(s -> command.add("--sysroot=" + s));
    command.addAll(List.of("-fuse-ld=lld", "-pthread", "-o", out.toString()));
    objects.forEach(o -> command.add(o.toString()));
    command.addAll(flags);
    run(command, out.getFileName() + "");
  }

  /** The functions of the toolchain's library, which are those that the headers declare. */
  private SortedSet<String> exported(Library library) throws IOException, ToolchainException {
    Path own = toolchain.lib().resolve("lib" + library.linkName() + ".so");
    Path reader = toolchain.clang().resolveSibling("llvm-readelf");
    ToolRun run = ToolRun.of(List.of(reader.toString(), "--dyn-syms", "-W", own.toString()));
    if (!run.ok()) {
      throw new ToolchainException("cannot read the functions of " + own + ":\n" + run.tail(6));
    }
    SortedSet<String> names = new TreeSet<>();
    for (String line : run.output().lines().toList()) {
      // Number, value, size, type, binding, visibility, section, name
      String[] fields = line.strip().split("\\s+");
      if (fields.length >= 8 && fields[3].equals("FUNC") && !fields[6].equals("UND")) {
        String name = fields[7].replaceFirst("@.*", "");
        if (name.matches("((__)?(hip|roc)|p?nccl)[A-Za-z0-9_]+")) {
          names.add(name);
        }
      }
    }
    if (names.isEmpty()) {
      throw new ToolchainException(own + " has no functions of ROCm");
    }
    return names;
  }

  private String soname(String plain) throws IOException {
    Path link = toolchain.lib().resolve(plain);
    String real = Files.isSymbolicLink(link) ? link.toRealPath().getFileName() + "" : plain;
    String version = real.substring(Math.min(plain.length(), real.length()));
    int second = version.indexOf('.', 1);
    return plain + (second < 0 ? version : version.substring(0, second));
  }

  /** Everything else that a ROCm has: the toolchain's parts, scripts, CMake files, versions. */
  private void lay(Path made) throws IOException {
    for (Path own : Folders.list(toolchain.lib())) {
      Path at = made.resolve("lib").resolve(own.getFileName());
      if (String.valueOf(own.getFileName()).contains(".so") && !Files.exists(at)) {
        Files.createSymbolicLink(at, own);
      }
    }
    Optional<OpenMp> openMp = OpenMp.of(toolchain);
    if (openMp.isPresent()) {
      for (Path file : openMp.get().files()) {
        Files.createSymbolicLink(made.resolve("lib").resolve(file.getFileName()), file);
      }
    }
    Files.createSymbolicLink(made.resolve("include"), toolchain.include());
    Files.createDirectories(made.resolve("amdgcn"));
    Files.createSymbolicLink(made.resolve("amdgcn/bitcode"), toolchain.deviceLibs());
    Path bin = Files.createDirectories(made.resolve("bin"));
    for (Path script : Folders.list(sources.resolve("bin"))) {
      Path at = bin.resolve(script.getFileName());
      Files.copy(script, at);
      Files.setPosixFilePermissions(at, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    for (Path program : Folders.list(toolchain.root().resolve("bin"))) {
      Path at = bin.resolve(program.getFileName());
      if (!Files.exists(at)) {
        Files.createSymbolicLink(at, program);
      }
    }
    Files.createDirectories(made.resolve("llvm"));
    Files.createSymbolicLink(
        made.resolve("llvm/bin"), toolchain.clang().resolveSibling("").toAbsolutePath());
    CMakePackages.write(toolchain, sources, made);
    HipVersion hip = toolchain.hip();
    write(
        made.resolve("share/hip/version"),
        "HIP_VERSION_MAJOR=%d%nHIP_VERSION_MINOR=%d%nHIP_VERSION_PATCH=%d%n"
            .formatted(hip.major(), hip.minor(), hip.patch()));
    write(made.resolve(".info/version"), hip + "\n");
    write(made.resolve(SETTINGS), settings());
  }

  /** What the scripts in {@code bin} read. */
  private String settings() {
    String defines =
        toolchain.hostCompile().stream()
            .filter(f -> f.startsWith("-D"))
            .collect(Collectors.joining(" "));
    return "rocport_clang=%s%nrocport_hip_version=%s%nrocport_targets=%s%nrocport_sysroot=%s%nrocport_defines=%s%nrocport_openmp=%s%nrocport_home=%s%n"
        .formatted(
            quoted(toolchain.clang().toString()),
            quoted(toolchain.hip().toString()),
            quoted(joined(toolchain.targets())),
            quoted(toolchain.sysroot().map(Path::toString).orElse("")),
            quoted(defines),
            quoted(String.join(" ", OpenMp.compile(toolchain.root()))),
            quoted(installation.toString()));
  }

  private static String joined(Collection<GfxTarget> targets) {
    return targets.stream().map(GfxTarget::toString).collect(Collectors.joining(","));
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
  }

  private void run(List<String> command, String what) throws IOException, ToolchainException {
    ToolRun.compile(command, sources, what);
  }
}
