package dev.rocport.device.wave;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.MemoryFault.Access;

/**
 * Receives every memory access after its addresses are known and permitted, and before it happens.
 */
public interface AccessObserver {
  /** Where an access goes. */
  enum Kind {
    GLOBAL,
    LDS,
    /** A wave's own; the addresses are the device's own too. */
    SCRATCH
  }

  /**
   * Lanes access memory.
   *
   * @param instruction that precedes {@code wave.pc}
   */
  void lanes(Wave wave, Instruction instruction, MemoryAccess memory);

  /** The wave as a whole accesses global memory, through the scalar cache. */
  void scalar(Wave wave, Instruction instruction, Access access, long address, int bytes);

  /**
   * Reports that a load of global memory, which {@link #lanes} has reported before, has read memory
   * now. For loads that may be later than their instruction, the component that delays them makes
   * this call.
   *
   * @param addresses of each lane; only valid during the call
   * @param registers the file that the result goes to
   * @param first the index of lane 0 of its first register
   */
  default void seen(
      Wave wave, long lanes, int bytes, long[] addresses, int[] registers, int first) {}

  /** Tells this one, then another. */
  default AccessObserver and(AccessObserver other) {
    return new Both(this, other);
  }

  /** Two observers that both receive the accesses. */
  record Both(AccessObserver first, AccessObserver second) implements AccessObserver {
    @Override
    public void lanes(Wave wave, Instruction instruction, MemoryAccess memory) {
      first.lanes(wave, instruction, memory);
      second.lanes(wave, instruction, memory);
    }

    @Override
    public void scalar(Wave wave, Instruction instruction, Access access, long address, int bytes) {
      first.scalar(wave, instruction, access, address, bytes);
      second.scalar(wave, instruction, access, address, bytes);
    }

    @Override
    public void seen(
        Wave wave, long lanes, int bytes, long[] addresses, int[] registers, int first) {
      this.first.seen(wave, lanes, bytes, addresses, registers, first);
      second.seen(wave, lanes, bytes, addresses, registers, first);
    }
  }
}
