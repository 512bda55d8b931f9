package dev.rocport.toolchain;

import dev.rocport.io.UserFolders;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The kind of toolchain that is acceptable.
 *
 * @param home rocport's own toolchain folder
 * @param environment the variables that name a ROCm or programs ({@code ROCM_PATH}, {@code PATH})
 * @param provision whether one may be downloaded when there is none
 * @param useRocm whether a real ROCm is taken where there is one
 * @param useSystemCompiler whether the machine's own clang may be used by a provisioned toolchain
 * @param selfContained whether the C++ library comes with the toolchain even where the machine has
 *     one
 * @param offline folder or archive file of packages to take instead of downloading
 */
public record ToolchainRequest(
    Path home,
    Map<String, String> environment,
    boolean provision,
    boolean useRocm,
    boolean useSystemCompiler,
    boolean selfContained,
    Optional<Path> offline) {

  public ToolchainRequest {
    environment = Map.copyOf(environment);
  }

  /** The request of every command: any working toolchain, provisioned if there is none. */
  public static ToolchainRequest defaults() {
    return of(System.getenv());
  }

  /** The same, in other variables than this process's own. */
  public static ToolchainRequest of(Map<String, String> environment) {
    String packages = environment.getOrDefault("ROCPORT_PACKAGES", "");
    Optional<Path> offline = packages.isBlank() ? Optional.empty() : Optional.of(Path.of(packages));
    return new ToolchainRequest(homeOf(environment), environment, true, true, true, false, offline);
  }

  /** The same, but failing at once where nothing is installed yet. */
  public ToolchainRequest withoutProvisioning() {
    return new ToolchainRequest(
        home, environment, false, useRocm, useSystemCompiler, selfContained, offline);
  }

  /** The same, but with a compiler of rocport's own, whatever the machine has. */
  public ToolchainRequest withOwnCompiler() {
    return new ToolchainRequest(
        home, environment, provision, useRocm, false, selfContained, offline);
  }

  /** The same, but with packages from a folder or an archive file. */
  public ToolchainRequest from(Path folder) {
    return new ToolchainRequest(
        home,
        environment,
        provision,
        useRocm,
        useSystemCompiler,
        selfContained,
        Optional.of(folder));
  }

  /** The same, but with compiler and C++ library of rocport's own, whatever the machine has. */
  public ToolchainRequest withAllOfItsOwn() {
    return new ToolchainRequest(home, environment, provision, false, false, true, offline);
  }

  private static Path homeOf(Map<String, String> environment) {
    String own = environment.getOrDefault("ROCPORT_TOOLCHAIN", "");
    if (!own.isBlank()) {
      return Path.of(own).toAbsolutePath().normalize();
    }
    return UserFolders.data(environment).resolve("toolchain");
  }
}
