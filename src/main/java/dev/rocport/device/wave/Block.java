package dev.rocport.device.wave;

import org.jspecify.annotations.Nullable;

/**
 * Consecutive instructions, compiled together. A block has the effect of its operations in order;
 * at its end, and when an operation throws, the wave has the same state as after separate
 * execution.
 */
public abstract class Block {
  private final int length;
  private long ran;

  /**
   * @param length the instructions of one pass
   */
  protected Block(int length) {
    this.length = length;
  }

  /** The most instructions that one pass runs. */
  final int length() {
    return length;
  }

  /**
   * Counts instructions that it has run, and returns how many there were before. Threads may lose
   * counts to each other.
   */
  public final long count(long more) {
    long before = ran;
    ran = before + more;
    return before;
  }

  /** Whether it may run a wave, beyond what {@link #run} requires. */
  public boolean serves(Wave wave) {
    return true;
  }

  /** What runs waves together that begin blocks of this kind; null where nothing does. */
  public @Nullable Together together() {
    return null;
  }

  /**
   * Runs from the block's start, until the wave goes on elsewhere, or no whole pass is left before
   * {@link Wave#instructions} come to {@code end}. For a READY wave in the usual MODE with
   * registers that are not moved; there is room for one pass.
   */
  public abstract void run(Wave wave, long end);

  /**
   * Calls an operation that the block has no code for.
   *
   * @param next where the wave is afterwards, unless the operation jumps
   * @return whether the block cannot go on
   */
  protected static boolean leaves(Wave wave, Op op, int next, long exec) {
    int mode = wave.mode;
    op.execute(wave);
    return wave.pc != next
        || wave.state != WaveState.READY
        || wave.indexed
        || wave.mode != mode
        || wave.exec() != exec;
  }
}
