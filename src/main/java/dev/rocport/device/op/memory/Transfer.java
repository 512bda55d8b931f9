package dev.rocport.device.op.memory;

import dev.rocport.device.memory.Memory;
import dev.rocport.device.wave.Wave;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Moves dwords between memory and rows of registers. */
final class Transfer {
  private Transfer() {}

  /**
   * @param addresses of the first dword of each lane
   * @param stride bytes from one dword of a lane to the next
   * @param dwords of each lane
   * @param first the index of lane 0 of the first register
   */
  static void load(
      long[] addresses, int stride, int dwords, long lanes, int[] registers, int first) {
    if (lanes == -1 && (dwords == 1 || stride == 4 * Wave.LANES) && adjacent(addresses)) {
      for (int d = 0; d < dwords; d++) {
        MemorySegment.copy(
            Memory.ALL,
            ValueLayout.JAVA_INT_UNALIGNED,
            addresses[0] + (long) d * stride,
            registers,
            first + d * Wave.LANES,
            Wave.LANES);
      }
      return;
    }
    if (lanes == -1) {
      for (int d = 0; d < dwords; d++) {
        int row = first + d * Wave.LANES;
        long add = (long) d * stride;
        for (int l = 0; l < Wave.LANES; l++) {
          registers[row + l] = Memory.loadInt(addresses[l] + add);
        }
      }
      return;
    }
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      for (int d = 0; d < dwords; d++) {
        registers[first + d * Wave.LANES + lane] =
            Memory.loadInt(addresses[lane] + (long) d * stride);
      }
    }
  }

  /** The way back of {@link #load}; of lanes that store to one place, the highest is last. */
  static void store(
      long[] addresses, int stride, int dwords, long lanes, int[] registers, int first) {
    if (lanes == -1 && (dwords == 1 || stride == 4 * Wave.LANES) && adjacent(addresses)) {
      for (int d = 0; d < dwords; d++) {
        MemorySegment.copy(
            registers,
            first + d * Wave.LANES,
            Memory.ALL,
            ValueLayout.JAVA_INT_UNALIGNED,
            addresses[0] + (long) d * stride,
            Wave.LANES);
      }
      return;
    }
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      for (int d = 0; d < dwords; d++) {
        Memory.storeInt(
            addresses[lane] + (long) d * stride, registers[first + d * Wave.LANES + lane]);
      }
    }
  }

  /** Whether each lane's dword follows the one of the lane before. */
  private static boolean adjacent(long[] addresses) {
    long first = addresses[0];
    if (addresses[Wave.LANES - 1] - first != 4 * (Wave.LANES - 1)) {
      return false;
    }
    long difference = 0;
    for (int l = 0; l < Wave.LANES; l++) {
      difference |= addresses[l] - first - 4L * l;
    }
    return difference == 0;
  }
}
