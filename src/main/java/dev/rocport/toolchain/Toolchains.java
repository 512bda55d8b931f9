package dev.rocport.toolchain;

import java.util.function.Consumer;

/** The way to a {@link Toolchain}. */
public final class Toolchains {
  private Toolchains() {}

  /**
   * A toolchain that works on this machine: a real ROCm, else the one rocport has provisioned, else
   * a newly provisioned one where the request allows it. Answers from a cache in a few milliseconds
   * unless something changed.
   *
   * @param progress receives one line for each step that takes time
   * @throws ToolchainException when there is none; the message says what to do
   */
  public static Toolchain require(ToolchainRequest request, Consumer<String> progress)
      throws ToolchainException {
    throw new ToolchainException("no toolchain: provisioning is not available in this build");
  }
}
