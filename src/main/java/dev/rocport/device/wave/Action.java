package dev.rocport.device.wave;

/**
 * A step of an operation. Implementations are records, or lambdas that capture only what is final:
 * the compiler of the virtual machine takes the components of a record that is a constant for
 * constants too, so that an action compiled in a {@link Block} costs no look at its operands.
 */
@FunctionalInterface
public interface Action {
  /**
   * Does the work. It may change registers and SCC, EXEC among them, and memory; it neither jumps
   * nor changes MODE nor stops the wave.
   *
   * @param exec the wave's EXEC, which many callers know
   * @throws dev.rocport.device.memory.MemoryFault where memory is touched that must not be
   */
  void run(Wave wave, long exec);
}
