package dev.rocport.device.op.memory;

import dev.rocport.device.wave.Wave;

/**
 * Intercepts the vector accesses of one instruction to global memory. Addresses are known and
 * permitted; {@code wave.pc} is after the instruction.
 */
public interface MemoryPath {
  /**
   * Loads registers of some lanes.
   *
   * @param addresses one per lane; invalid after the call
   * @param first the index of lane 0 of the first register
   */
  void load(Wave wave, Width width, long lanes, long[] addresses, int[] registers, int first);

  /** Stores registers of some lanes; of lanes that store to one place the highest is last. */
  void store(Wave wave, Width width, long lanes, long[] addresses, int[] registers, int first);

  /** Changes memory and brings the old values to the registers. */
  void atomic(Wave wave, AtomicAccess access);

  /** The wave is about to do something to memory itself, nobody knows where. */
  void beforeAnywhere(Wave wave);
}
