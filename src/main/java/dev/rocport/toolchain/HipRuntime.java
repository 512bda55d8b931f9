package dev.rocport.toolchain;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * rocport's own HIP runtime for a toolchain: a folder in the layout of a ROCm whose {@code
 * libamdhip64} and {@code libhiprtc} run programs on the gfx device; all else in it is the
 * toolchain's. Compiled once for each state of its sources.
 *
 * @param root what {@code ROCM_PATH} names: {@code bin}, {@code include}, {@code lib}
 */
public record HipRuntime(Path root) {

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
   * The folder with {@code libamdhip64.so} and the other libraries, for {@code LD_LIBRARY_PATH}.
   *
   * @throws ToolchainException when it cannot be compiled
   */
  public static Path libraryFolder(Toolchain toolchain) throws ToolchainException {
    return of(toolchain, line -> {}).libraries();
  }

  static HipRuntime of(Toolchain toolchain, Path home, Path installation, Consumer<String> progress)
      throws ToolchainException {
    Path sources = installation.resolve("hip-runtime");
    if (!Files.isDirectory(sources.resolve("src"))) {
      throw new ToolchainException("rocport's HIP runtime is not there: " + sources);
    }
    try {
      RuntimeBuild build = new RuntimeBuild(toolchain, sources, installation);
      Path root = home.resolve("runtime").resolve(build.key());
      if (!Files.isDirectory(root)) {
        try (InstallLock lock = InstallLock.acquire(home, progress)) {
          // Another process may have made it while this one waited.
          if (lock.held() && !Files.isDirectory(root)) {
            progress.accept("compiling the HIP runtime (once for each change of it)");
            build.into(root);
          }
        }
      }
      KeptFolders.touch(root);
      return new HipRuntime(root.toRealPath());
    } catch (IOException e) {
      throw new ToolchainException("the HIP runtime cannot be made: " + e, e);
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
    environment.put("ROCM_PATH", root.toString());
    environment.put("ROCPORT_HOME", installation().toString());
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
