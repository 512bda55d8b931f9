package dev.rocport.toolchain;

import dev.rocport.TestProfile;
import dev.rocport.toolchain.provision.TargetToolchains;
import dev.rocport.toolchain.provision.Toolchains;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** The toolchain that tests compile with; looked for, and provisioned if need be, once a JVM. */
public final class TestToolchain {
  private static @Nullable Toolchain found;
  private static @Nullable ToolchainException failure;

  private TestToolchain() {}

  /** Fails the test that asks where there is none and none can be provisioned. */
  public static synchronized Toolchain get() throws ToolchainException {
    if (failure != null) {
      throw failure;
    }
    if (found == null) {
      try {
        found = Toolchains.require(ToolchainRequest.defaults(), System.err::println);
      } catch (ToolchainException e) {
        failure = e;
        throw e;
      }
    }
    return found;
  }

  /**
   * The toolchain that compiles for a target. If its compiler is not installed, the test is
   * skipped; in the full profile, the compiler is installed.
   */
  public static synchronized Toolchain of(String target) throws ToolchainException {
    Toolchain usual = get();
    GfxTarget gfx = new GfxTarget(target);
    ToolchainRequest request = ToolchainRequest.defaults();
    Toolchain found =
        TestProfile.isFull()
            ? TargetToolchains.require(usual, List.of(gfx), request, System.err::println)
            : TargetToolchains.installed(usual, List.of(target), request);
    Assumptions.assumeTrue(
        compiles(found, gfx),
        () -> "no compiler for %s: run 'rocport toolchain install --with clang-21'".formatted(gfx));
    return found;
  }

  /** Whether a toolchain compiles for a target: the newer compiler for all that rocport knows. */
  public static boolean compiles(Toolchain toolchain, GfxTarget target) throws ToolchainException {
    return toolchain.supports(target) || !toolchain.clang().equals(get().clang());
  }

  /** The HIP runtime for it, with all of its libraries: no test waits for one to be compiled. */
  public static synchronized HipRuntime runtime() throws ToolchainException {
    HipRuntime runtime = HipRuntime.of(get(), System.err::println);
    runtime.compile(runtime.others(), System.err::println);
    return runtime;
  }

  /**
   * The toolchain, for a test that needs headers of a version: with older ones the test is skipped.
   */
  public static Toolchain since(String hipVersion) throws ToolchainException {
    Toolchain toolchain = get();
    Assumptions.assumeTrue(
        toolchain.hip().atLeast(HipVersion.parse(hipVersion)),
        () -> "needs HIP " + hipVersion + ", the headers are " + toolchain.hip());
    return toolchain;
  }
}
