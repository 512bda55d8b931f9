package dev.rocport.toolchain.runtime;

import dev.rocport.io.Folders;
import dev.rocport.io.LockFile;
import dev.rocport.toolchain.ContentHash;
import dev.rocport.toolchain.GfxTarget;
import dev.rocport.toolchain.InstallLock;
import dev.rocport.toolchain.KeptFolders;
import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * rocport's own HIP runtime for a toolchain: a folder in the layout of a ROCm whose {@code
 * libamdhip64} and {@code libhiprtc} run programs on the gfx device; all else in it is the
 * toolchain's. Compiled once for each state of its sources; the libraries beside {@code
 * libamdhip64} when a program loads them.
 */
public final class HipRuntime {
  /** Programs larger than this are not read to see which libraries they name. */
  private static final long LARGEST_SCANNED = 64L << 20;

  /** Libraries that take the place of those in Debian. */
  private static final List<String> DEBIAN = List.of("libamdhip64.so.6", "libroctx64.so.4");

  private final Path root;
  private final Path home;
  private final RuntimeLibraries libraries;

  private HipRuntime(Path root, Path home, RuntimeLibraries libraries) {
    this.root = root;
    this.home = home;
    this.libraries = libraries;
  }

  /**
   * The runtime for a toolchain, compiled where that was not done yet.
   *
   * @param progress receives one line where it takes time
   * @throws ToolchainException when it cannot be compiled
   */
  public static HipRuntime of(Toolchain toolchain, Consumer<String> progress)
      throws ToolchainException {
    return of(toolchain, ToolchainRequest.defaults().home(), installation(), progress);
  }

  /** Targets of the AMD GPUs that this machine's kernel driver shows. */
  public static List<GfxTarget> gpus() throws ToolchainException {
    try {
      return Gpus.of(Path.of("/"));
    } catch (IOException e) {
      throw new ToolchainException("cannot look for GPUs: " + e.getMessage(), e);
    }
  }

  /** Whether programs run on rocport's device: always, but with a real ROCm and a real GPU. */
  public static boolean needed(Toolchain toolchain) throws ToolchainException {
    return toolchain.kind() != Toolchain.Kind.ROCM || gpus().isEmpty();
  }

  /**
   * The runtime in a folder, for the one of these toolchains that made it.
   *
   * @throws ToolchainException when it was made for another toolchain or of other sources
   */
  public static HipRuntime at(List<Toolchain> toolchains, Path root) throws ToolchainException {
    Path home = ToolchainRequest.defaults().home();
    Path installation = installation();
    try {
      for (Toolchain toolchain : toolchains) {
        RuntimeBuild build =
            new RuntimeBuild(toolchain, installation.resolve("hip-runtime"), installation);
        Path own = home.resolve("runtime").resolve(build.key());
        if (Files.isDirectory(own) && Files.isSameFile(own, root)) {
          return new HipRuntime(own.toRealPath(), home, build.libraries());
        }
      }
    } catch (IOException e) {
      throw new ToolchainException("the HIP runtime in " + root + " cannot be read: " + e, e);
    }
    throw new ToolchainException(
        "the HIP runtime in "
            + root
            + " does not match this toolchain and these sources: start the program with"
            + " 'rocport run', or evaluate 'rocport toolchain env' again");
  }

  /** A hash of the sources, headers and scripts in {@code hip-runtime} of this installation. */
  public static String contentKey() throws IOException {
    Path sources = installation().resolve("hip-runtime");
    return new ContentHash()
        .add(
            sources,
            // Python writes its cache where it may.
            Folders.files(sources).stream()
                .filter(f -> !f.toString().contains("__pycache__"))
                .toList())
        .name();
  }

  static HipRuntime of(Toolchain toolchain, Path home, Path installation, Consumer<String> progress)
      throws ToolchainException {
    Path sources = installation.resolve("hip-runtime");
    if (!Files.isDirectory(sources.resolve("src"))) {
      throw new ToolchainException("the HIP runtime of rocport is missing: " + sources);
    }
    try {
      RuntimeBuild build = new RuntimeBuild(toolchain, sources, installation);
      Path root = home.resolve("runtime").resolve(build.key());
      if (!Files.isDirectory(root)) {
        try (LockFile _ = InstallLock.acquire(home, progress)) {
          // Another process may have made it while this one waited.
          if (!Files.isDirectory(root)) {
            build.into(root, progress);
          }
        }
      }
      KeptFolders.touch(root);
      return new HipRuntime(root.toRealPath(), home, build.libraries());
    } catch (IOException e) {
      throw new ToolchainException("cannot build the HIP runtime: " + e, e);
    }
  }

  /** What {@code ROCM_PATH} names: {@code bin}, {@code include}, {@code lib}. */
  public Path root() {
    return root;
  }

  /** The libraries beside {@code libamdhip64}. */
  public Set<Library> others() {
    return libraries.all();
  }

  /**
   * Compiles some of the libraries where that was not done yet.
   *
   * @param progress receives one line where it takes time
   */
  public void compile(Collection<Library> wanted, Consumer<String> progress)
      throws ToolchainException {
    try {
      if (libraries.missing(root, wanted).isEmpty()) {
        return;
      }
      try (LockFile _ = InstallLock.acquire(home, progress)) {
        // Another process may have made some while this one waited.
        Set<Library> missing = libraries.missing(root, wanted);
        if (!missing.isEmpty()) {
          String names = missing.stream().map(StandIns::name).collect(Collectors.joining(", "));
          progress.accept("compiling " + names + " (repeated only if the HIP runtime changes)");
          libraries.compile(root, missing);
        }
      }
    } catch (IOException e) {
      throw new ToolchainException("cannot build libraries of the HIP runtime: " + e, e);
    }
  }

  /**
   * Compiles the libraries that a program names, in its list of libraries or in a string, before it
   * starts: it does not wait for them while its time runs. What it loads beyond is compiled then.
   */
  void compileFor(Path program, Consumer<String> progress) throws ToolchainException {
    try {
      if (Files.isRegularFile(program)
          && Files.isReadable(program)
          && Files.size(program) < LARGEST_SCANNED) {
        String text = Files.readString(program, StandardCharsets.ISO_8859_1);
        compile(
            others().stream().filter(l -> text.contains(StandIns.name(l) + ".so")).toList(),
            progress);
      }
    } catch (IOException e) {
      throw new ToolchainException("cannot read " + program + ": " + e.getMessage(), e);
    }
  }

  /** For {@code LD_LIBRARY_PATH}. */
  public Path libraries() {
    return root.resolve("lib");
  }

  /** For {@code PATH}: {@code hipcc}, {@code hipconfig}, {@code rocminfo} and the compiler. */
  public Path programs() {
    return root.resolve("bin");
  }

  /** Puts all that programs need to run on rocport's device into their variables. */
  public void into(Map<String, String> environment) {
    environment.merge(
        "LD_LIBRARY_PATH",
        libraries().toString(),
        (before, own) -> before.isEmpty() ? own : own + ":" + before);
    locations(environment);
  }

  /**
   * Puts only the locations of the runtime and of rocport into the variables: for programs that
   * bring their own C library, whose folder no other program may find first.
   */
  public void locations(Map<String, String> environment) {
    environment.put("ROCM_PATH", root.toString());
    environment.put("ROCPORT_HOME", installation().toString());
  }

  /**
   * The libraries that programs of Debian load first, and then find by name.
   *
   * @throws ToolchainException if this is the runtime of another HIP
   */
  public List<Path> preloads(Consumer<String> progress) throws ToolchainException {
    compile(List.of(Library.HIPRTC, Library.ROCTX), progress);
    List<Path> all = DEBIAN.stream().map(libraries()::resolve).toList();
    for (Path library : all) {
      if (!Files.exists(library)) {
        throw new ToolchainException(
            "the programs from Debian need %s, which this HIP runtime does not provide"
                .formatted(library.getFileName()));
      }
    }
    return all;
  }

  /** To be preloaded where more processes than cores wait for each other. */
  Path yielding() {
    return root.resolve(RuntimeBuild.YIELD);
  }

  /** To be preloaded where the device checks what the host does to memory, and when. */
  Path guard() {
    return root.resolve(RuntimeBuild.GUARD);
  }

  /** rocport's folder, for {@code ROCPORT_HOME}. */
  public static Path installation() {
    return Path.of(System.getProperty("rocport.home", ".")).toAbsolutePath().normalize();
  }
}
