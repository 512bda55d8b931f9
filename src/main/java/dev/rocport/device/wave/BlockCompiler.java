package dev.rocport.device.wave;

/** Compiles blocks of frequently executed code. */
@FunctionalInterface
public interface BlockCompiler {
  /** Makes none. */
  BlockCompiler NONE = (_, _) -> {};

  /**
   * The instruction at {@code pc} was entered once more, and has no block. May give it one, now or
   * later, by {@link Code#put}.
   */
  void entered(Code code, int pc);
}
