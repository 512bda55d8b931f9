package dev.rocport.toolchain.provision;

import dev.rocport.toolchain.Fingerprint;
import dev.rocport.toolchain.GfxTarget;
import dev.rocport.toolchain.OpenMp;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Selects the compiler of a toolchain by GPU target. */
public final class TargetToolchains {
  /** The compiler that is installed when a target first needs it. */
  public static final Extra COMPILER = new TargetCompiler();

  private TargetToolchains() {}

  /**
   * Returns the toolchain itself if its compiler supports all targets, otherwise the same headers
   * and libraries with a newer compiler, which is installed if the request allows it. One compiler
   * compiles for all targets of a build.
   *
   * @param targets what a build is for
   * @param progress receives one line for each step that takes time
   * @throws ToolchainException if rocport does not know a target, or no compiler supports it; the
   *     message says what to do
   */
  public static Toolchain require(
      Toolchain toolchain,
      Collection<GfxTarget> targets,
      ToolchainRequest request,
      Consumer<String> progress)
      throws ToolchainException {
    List<GfxTarget> missing = targets.stream().filter(t -> !toolchain.supports(t)).toList();
    if (missing.isEmpty()) {
      return toolchain;
    }
    for (GfxTarget target : missing) {
      requireKnown(target, toolchain);
    }
    return with(toolchain, Extras.require(COMPILER, request, progress));
  }

  /**
   * Returns the toolchain that {@link #require} gives, but installs nothing: the toolchain itself
   * if the newer compiler is not installed.
   *
   * @param targets names of GPUs
   */
  public static Toolchain installed(
      Toolchain toolchain, Collection<String> targets, ToolchainRequest request)
      throws ToolchainException {
    List<GfxTarget> known =
        TargetCompiler.known().stream().filter(t -> targets.contains(t.id())).toList();
    boolean all = known.size() == targets.stream().distinct().count();
    Optional<ExtraTools> tools =
        all && !known.stream().allMatch(toolchain::supports)
            ? Extras.find(COMPILER, request)
            : Optional.empty();
    return tools.isPresent() ? with(toolchain, tools.get()) : toolchain;
  }

  /** Returns the toolchain itself and, if it is installed, the one with the newer compiler. */
  public static List<Toolchain> installed(Toolchain toolchain, ToolchainRequest request)
      throws ToolchainException {
    List<String> all = TargetCompiler.TARGETS.stream().map(GfxTarget::id).toList();
    Toolchain newer = installed(toolchain, all, request);
    return newer.equals(toolchain) ? List.of(toolchain) : List.of(toolchain, newer);
  }

  private static void requireKnown(GfxTarget target, Toolchain toolchain)
      throws ToolchainException {
    if (!isKnown(target)) {
      throw new ToolchainException(
          "rocport does not support %s: %s compiles for %s, and the compiler that '--target gfx950' installs for %s"
              .formatted(
                  target,
                  toolchain.clang(),
                  names(toolchain.targets()),
                  names(TargetCompiler.known())));
    }
  }

  private static boolean isKnown(GfxTarget target) {
    return TargetCompiler.known().stream().anyMatch(t -> t.processor().equals(target.processor()));
  }

  private static String names(Collection<GfxTarget> targets) {
    return targets.stream().map(GfxTarget::id).collect(Collectors.joining(", "));
  }

  private static Toolchain with(Toolchain toolchain, ExtraTools tools) throws ToolchainException {
    try {
      Path root = tools.bin().resolveSibling("");
      Path driver = TargetCompiler.driver(root);
      Path bitcode = TargetCompiler.bitcode(root);
      Clang clang =
          Clang.at(driver)
              .orElseThrow(
                  () ->
                      new ToolchainException(
                          driver + " does not run: delete " + root + " and run the command again"));
      OpenMp.share(toolchain);
      return toolchain.compiling(
          driver,
          bitcode,
          clang.version(),
          TargetCompiler.TARGETS,
          Fingerprint.of(clang.version(), toolchain.include(), bitcode, toolchain.sysroot()));
    } catch (IOException e) {
      throw new ToolchainException("cannot read " + tools.bin() + ": " + e.getMessage(), e);
    }
  }
}
