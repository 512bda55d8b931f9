package dev.rocport.device.op.memory;

import dev.rocport.device.memory.Heap;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.memory.MemoryFault;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Wave;

/**
 * What hardware does with accesses outside the LDS of a workgroup: loads give 0, stores are
 * dropped. They go to memory of their own instead.
 */
final class OutsideLds {
  /** The widest access of a lane. */
  private static final int BYTES = 16;

  private static final long ZEROS = Heap.take(BYTES);
  private static final long DROPPED = Heap.take(BYTES);

  static {
    Memory.fill(ZEROS, BYTES, (byte) 0);
  }

  private OutsideLds() {}

  /**
   * Returns the address for an access at an offset outside of the LDS: {@link Space#NOWHERE} for an
   * atomic.
   *
   * @param lane or -1 where the offset is that of all lanes
   * @throws MemoryFault if such accesses are faults
   */
  static long address(Wave wave, int lane, long offset, int bytes, Access access) {
    wave.group
        .environment()
        .outsideLds(wave, access, offset, () -> fault(wave, lane, offset, bytes, access));
    return switch (access) {
      case LOAD -> ZEROS;
      case STORE -> DROPPED;
      case ATOMIC -> Space.NOWHERE;
    };
  }

  private static MemoryFault fault(Wave wave, int lane, long offset, int bytes, Access access) {
    return new MemoryFault(
            access,
            offset,
            bytes,
            "outside the LDS of the workgroup, which has " + wave.group.ldsSize() + " bytes")
        .inLane(lane);
  }
}
