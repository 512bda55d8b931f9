package dev.rocport.toolchain.runtime;

import dev.rocport.io.Folders;
import dev.rocport.io.process.ShellWord;
import dev.rocport.toolchain.ContentHash;
import dev.rocport.toolchain.GfxTarget;
import dev.rocport.toolchain.HipVersion;
import dev.rocport.toolchain.KeptFolders;
import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.OpenMp;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.provision.RocmLocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Compiles {@code hip-runtime} and lays it out as a ROCm. */
final class RuntimeBuild {

  /** A library that lets waiting processes sleep. */
  static final String YIELD = "libexec/rocport/libyield.so";

  /** A library that announces the memory that MPI and the system are about to use. */
  static final String GUARD = "libexec/rocport/libguard.so";

  private static final Pattern KEY = Pattern.compile("[0-9a-f]{16}");

  /** Folder of the objects beside the runtimes. */
  static final String OBJECTS = ".objects";

  private final Toolchain toolchain;
  private final Path sources;
  private final Path installation;
  private final RuntimeLibraries libraries;

  /**
   * @param sources the folder {@code hip-runtime}
   * @param installation where the library finds the program that is the device
   */
  RuntimeBuild(Toolchain toolchain, Path sources, Path installation) {
    this.toolchain = toolchain;
    this.sources = sources;
    this.installation = installation;
    this.libraries = new RuntimeLibraries(toolchain, sources, installation);
  }

  /** Those that are compiled when a program loads them. */
  RuntimeLibraries libraries() {
    return libraries;
  }

  /** A hash of everything that goes in. */
  String key() throws IOException {
    ContentHash hash =
        new ContentHash()
            .add(toolchain.fingerprint() + toolchain.root() + toolchain.targets() + installation);
    for (String part : List.of("src", "bin", "cmake", "triton", AmdSmi.FOLDER)) {
      hash.add(sources, Folders.files(sources.resolve(part)));
    }
    return hash.name();
  }

  /**
   * Creates the folder atomically, and deletes unused folders next to it. If the release does not
   * include the libraries, it has {@code libamdhip64}; the others are compiled when a program loads
   * them.
   *
   * @param progress receives one line if it takes time
   */
  void into(Path root, Consumer<String> progress) throws IOException, ToolchainException {
    Path parent = Files.createDirectories(root.resolveSibling(""));
    Path work = Files.createTempDirectory(parent, ".making-");
    try {
      Path made = Files.createDirectories(work.resolve("root"));
      Optional<Path> compiled = CompiledRuntime.find(toolchain, sources);
      if (compiled.isPresent()) {
        CompiledRuntime.copy(compiled.get(), made);
      } else {
        progress.accept("compiling the HIP runtime (repeated only if it changes)");
        compile(made, root, parent.resolve(OBJECTS), work, RuntimeCompiler.Purpose.USE);
      }
      lay(made);
      Files.move(made, root, StandardCopyOption.ATOMIC_MOVE);
      KeptFolders.forgetOld(parent, KEY.asMatchPredicate());
    } finally {
      Folders.delete(work);
    }
  }

  /**
   * Compiles for a release all that depends on nothing of this machine but its kind of processor,
   * with all libraries: programs wait for none.
   *
   * @param made where {@code lib}, {@code libraries}, {@code libexec} and {@code amdgcn} go
   * @param work an empty folder beside it
   */
  void forRelease(Path made, Path work) throws IOException, ToolchainException {
    RuntimeCompiler.Purpose release = RuntimeCompiler.Purpose.RELEASE;
    Path store = work.resolve("store");
    compile(made, made, store, work.resolve("runtime"), release);
    libraries.compile(made, libraries.all(), store, work.resolve("libraries"), release);
  }

  /**
   * Compiles {@code libamdhip64}, the programs and what is preloaded, and puts in the place of each
   * other library what has it compiled.
   */
  private void compile(Path made, Path root, Path store, Path work, RuntimeCompiler.Purpose purpose)
      throws IOException, ToolchainException {
    Path src = sources.resolve("src");
    // Most of the time goes into the sources' common headers: optimising more gains nothing here.
    RuntimeCompiler compiler =
        new RuntimeCompiler(
            toolchain,
            sources,
            store,
            work.resolve("objects"),
            "-O1",
            Folders.list(src).stream().filter(f -> f.toString().endsWith(".h")).toList(),
            purpose);
    Path generated = compiler.generated(Library.RUNTIME);
    Map<Path, Path> all = new LinkedHashMap<>();
    List<String> folders = new ArrayList<>(List.of("", "tools", "ranks", "guard"));
    folders.addAll(Companions.FOLDERS);
    for (String folder : folders) {
      RuntimeCompiler.sources(src.resolve(folder)).forEach(s -> all.put(s, generated));
    }
    SortedMap<Path, Path> objects = compiler.compile(all);
    Path lib = Files.createDirectories(made.resolve("lib"));
    libraries.link(compiler, Library.RUNTIME, of(src, objects), lib, List.of());
    libraries.later(compiler, made, root);
    Path programs = Files.createDirectories(made.resolve("libexec/rocport"));
    compiler.link(
        of(src.resolve("tools"), objects),
        programs.resolve("agents"),
        List.of("-static-libstdc++", "-L" + lib, "-lamdhip64", "-Wl,-rpath,$ORIGIN/../../lib"));
    List<String> preloaded = List.of("-shared", "-static-libstdc++", "-ldl");
    compiler.link(of(src.resolve("ranks"), objects), made.resolve(YIELD), preloaded);
    compiler.link(of(src.resolve("guard"), objects), made.resolve(GUARD), preloaded);
    Companions.link(toolchain, compiler, objects, src, made);
    signals(Files.createDirectories(made.resolve("amdgcn/rocport")));
    compiler.forgetOld();
  }

  /** The objects of the sources right in a folder. */
  static List<Path> of(Path folder, SortedMap<Path, Path> objects) {
    return objects.entrySet().stream()
        .filter(e -> folder.equals(e.getKey().getParent()))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** Compiles what Triton's kernels link, as bitcode for each target. */
  private void signals(Path folder) throws IOException, ToolchainException {
    for (GfxTarget target : toolchain.targets()) {
      Path out = folder.resolve("rocport_" + target + ".bc");
      ToolRun.compile(
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
              // From the folder of the sources, since bitcode holds the name of its source.
              "triton/signals.c"),
          sources,
          "the Triton signal functions for " + target);
    }
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
    layHeaders(Files.createDirectories(made.resolve("include")));
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
    linkBuildTools(made);
    HipVersion hip = toolchain.hip();
    write(
        made.resolve("share/hip/version"),
        "HIP_VERSION_MAJOR=%d%nHIP_VERSION_MINOR=%d%nHIP_VERSION_PATCH=%d%n"
            .formatted(hip.major(), hip.minor(), hip.patch()));
    write(made.resolve(".info/version"), hip + "\n");
    write(made.resolve(RocmLocator.SETTINGS), settings());
  }

  /** The headers of the toolchain, and those of rocport for what it lacks. */
  private void layHeaders(Path include) throws IOException {
    for (Path from : List.of(toolchain.include(), AmdSmi.headers(sources))) {
      for (Path own : Folders.list(from)) {
        Path at = include.resolve(own.getFileName());
        if (Files.notExists(at)) {
          Files.createSymbolicLink(at, own);
        }
      }
    }
  }

  /** AMD's CMake functions, of the package rocm-cmake, if the toolchain has them. */
  private void linkBuildTools(Path made) throws IOException {
    Files.createDirectories(made.resolve("share"));
    for (String folder : List.of("share/rocm", "share/rocmcmakebuildtools")) {
      for (Path own :
          List.of(
              toolchain.root().resolve("usr").resolve(folder), toolchain.root().resolve(folder))) {
        if (Files.isDirectory(own.resolve("cmake")) && Files.notExists(made.resolve(folder))) {
          Files.createSymbolicLink(made.resolve(folder), own);
        }
      }
    }
  }

  /** What the scripts in {@code bin} read. */
  private String settings() {
    String defines =
        toolchain.hostCompile().stream()
            .filter(f -> f.startsWith("-D"))
            .collect(Collectors.joining(" "));
    return "rocport_clang=%s%nrocport_hip_version=%s%nrocport_targets=%s%nrocport_sysroot=%s%nrocport_defines=%s%nrocport_openmp=%s%nrocport_workarounds=%s%nrocport_code_object=%s%nrocport_home=%s%n"
        .formatted(
            ShellWord.quoted(toolchain.clang().toString()),
            ShellWord.quoted(toolchain.hip().toString()),
            ShellWord.quoted(joined(toolchain.targets())),
            ShellWord.quoted(toolchain.sysroot().map(Path::toString).orElse("")),
            ShellWord.quoted(defines),
            ShellWord.quoted(String.join(" ", OpenMp.compile(toolchain))),
            ShellWord.quoted(toolchain.workaroundFlags()),
            toolchain.codeObjectVersion(),
            ShellWord.quoted(installation.toString()));
  }

  private static String joined(Collection<GfxTarget> targets) {
    return targets.stream().map(GfxTarget::toString).collect(Collectors.joining(","));
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
  }
}
