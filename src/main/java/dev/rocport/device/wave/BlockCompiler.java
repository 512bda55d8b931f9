package dev.rocport.device.wave;

/** Compiles blocks of frequently executed code. */
@FunctionalInterface
public interface BlockCompiler {
  /** Makes none. */
  BlockCompiler NONE = (_, _) -> {};

  /**
   * The instruction at {@code pc} was entered again, and has no block. May install one, now or
   * later, with {@link Code#put}.
   */
  void entered(Code code, int pc);

  /**
   * A block has run.
   *
   * @param pc where it begins
   * @param count the instructions that it ran; 0 if it could not begin
   */
  default void ran(Code code, int pc, Block block, long count) {}
}
