package dev.rocport.device.op.memory;

import dev.rocport.device.memory.MemoryFault;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Wave;

/** Atomics need their natural alignment. */
final class Alignment {
  private Alignment() {}

  /**
   * Checks the addresses of an atomic, and where the space scatters, puts addresses for offsets.
   *
   * @throws MemoryFault in the first lane that is not aligned
   */
  static void require(Wave wave, Space space, long lanes, int bytes, int stride, long[] addresses) {
    // a 64-bit value in swizzled scratch lies in two places of 4 bytes
    int mask = stride == 4 ? bytes - 1 : 3;
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      if (stride == Space.SCATTERED) {
        addresses[lane] = space.byteAddress(wave, lane, addresses[lane]);
      }
      if ((addresses[lane] & mask) != 0) {
        throw new MemoryFault(
                Access.ATOMIC, addresses[lane], bytes, "not aligned to " + bytes + " bytes")
            .inLane(lane);
      }
    }
  }
}
