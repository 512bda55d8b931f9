package dev.rocport.device.wave;

/** Runs the waves of a workgroup in turns, so that one call takes them across barriers. */
public interface Together {
  /** The most waves that it can run. */
  int most();

  /**
   * Runs waves, one after the other, and again whenever all of them wait at a barrier or have
   * ended. Returns when one stops for another reason, and after some barriers.
   *
   * @param waves all that have not ended; each is READY
   * @param blocks one that {@link Block#serves} each wave and begins at its next instruction
   * @param count how many waves there are
   * @param budget the instructions of a wave up to a barrier after which it may be stopped
   */
  void run(Wave[] waves, Block[] blocks, int count, int budget);
}
