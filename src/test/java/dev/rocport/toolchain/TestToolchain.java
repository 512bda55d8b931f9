package dev.rocport.toolchain;

/** The toolchain that all tests share: found, or provisioned once. */
public final class TestToolchain {
  private TestToolchain() {}

  /** Fails the test that asks where there is none and none can be provisioned. */
  public static Toolchain get() throws ToolchainException {
    return Toolchains.require(ToolchainRequest.defaults(), System.err::println);
  }
}
