package dev.rocport.device.op.memory;

import dev.rocport.device.memory.Memory;
import dev.rocport.device.wave.Wave;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Moves dwords between memory and rows of registers. Lanes are taken in runs of neighbours, over
 * which the loops are plain, so that the compiler makes vectors of them.
 */
final class Transfer {
  /** Shorter runs are not worth a copy of memory. */
  private static final int WORTH_COPYING = 8;

  private Transfer() {}

  /**
   * Loads registers.
   *
   * @param addresses of the first dword of each lane
   * @param stride bytes from one dword of a lane to the next
   * @param dwords of each lane
   * @param first the index of lane 0 of the first register
   */
  static void load(
      long[] addresses, int stride, int dwords, long lanes, int[] registers, int first) {
    boolean rows = dwords == 1 || stride == 4 * Wave.LANES;
    for (long m = lanes; m != 0; m = Lanes.afterRun(m)) {
      int from = Lanes.start(m);
      int to = Lanes.end(m);
      boolean copies = rows && adjacent(addresses, from, to);
      if (stride == Integer.BYTES && !copies) {
        for (int l = from; l < to; l++) {
          load(addresses[l], dwords, registers, first + l);
        }
        continue;
      }
      for (int d = 0; d < dwords; d++) {
        int row = first + d * Wave.LANES;
        long add = (long) d * stride;
        if (copies) {
          MemorySegment.copy(
              Memory.ALL,
              ValueLayout.JAVA_INT_UNALIGNED,
              addresses[from] + add,
              registers,
              row + from,
              to - from);
        } else {
          for (int l = from; l < to; l++) {
            registers[row + l] = Memory.loadInt(addresses[l] + add);
          }
        }
      }
    }
  }

  /** The inverse of {@link #load}; of lanes that store to one address, the highest is last. */
  static void store(
      long[] addresses, int stride, int dwords, long lanes, int[] registers, int first) {
    boolean rows = dwords == 1 || stride == 4 * Wave.LANES;
    for (long m = lanes; m != 0; m = Lanes.afterRun(m)) {
      int from = Lanes.start(m);
      int to = Lanes.end(m);
      if (rows && adjacent(addresses, from, to)) {
        for (int d = 0; d < dwords; d++) {
          MemorySegment.copy(
              registers,
              first + d * Wave.LANES + from,
              Memory.ALL,
              ValueLayout.JAVA_INT_UNALIGNED,
              addresses[from] + (long) d * stride,
              to - from);
        }
      } else {
        scatter(addresses, stride, dwords, registers, first, from, to);
      }
    }
  }

  private static void scatter(
      long[] addresses, int stride, int dwords, int[] registers, int first, int from, int to) {
    for (int l = from; l < to; l++) {
      if (stride == Integer.BYTES) {
        store(addresses[l], dwords, registers, first + l);
        continue;
      }
      for (int d = 0; d < dwords; d++) {
        Memory.storeInt(addresses[l] + (long) d * stride, registers[first + d * Wave.LANES + l]);
      }
    }
  }

  /**
   * Loads the dwords of one lane, which lie together. Two at a time: an aligned load of 64 bits is
   * whole, also where another worker stores.
   *
   * @param at the lane's index in the first register
   */
  static void load(long address, int dwords, int[] registers, int at) {
    int d = 0;
    for (; d + 1 < dwords; d += 2) {
      long pair = Memory.loadLong(address + 4L * d);
      registers[at + d * Wave.LANES] = (int) pair;
      registers[at + (d + 1) * Wave.LANES] = (int) (pair >>> 32);
    }
    if (d < dwords) {
      registers[at + d * Wave.LANES] = Memory.loadInt(address + 4L * d);
    }
  }

  /** The inverse: other threads see an aligned 64-bit store whole or not at all. */
  static void store(long address, int dwords, int[] registers, int at) {
    int d = 0;
    for (; d + 1 < dwords; d += 2) {
      long low = registers[at + d * Wave.LANES] & 0xffffffffL;
      Memory.storeLong(address + 4L * d, low | (long) registers[at + (d + 1) * Wave.LANES] << 32);
    }
    if (d < dwords) {
      Memory.storeInt(address + 4L * d, registers[at + d * Wave.LANES]);
    }
  }

  /** Whether the dword of each lane of a long enough run follows the one of the lane before. */
  private static boolean adjacent(long[] addresses, int from, int to) {
    int last = to - 1 - from;
    long first = addresses[from];
    if (last < WORTH_COPYING || addresses[to - 1] - first != 4L * last) {
      return false;
    }
    long base = first - 4L * from;
    long difference = 0;
    for (int l = from; l < to; l++) {
      difference |= addresses[l] - base - 4L * l;
    }
    return difference == 0;
  }
}
