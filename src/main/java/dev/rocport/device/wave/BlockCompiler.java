package dev.rocport.device.wave;

/** Makes blocks of code that runs often. */
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
