package dev.rocport.device.op.memory;

import dev.rocport.device.wave.Wave;

/** Sets of lanes as bits, and rows of 64 lanes. */
final class Lanes {
  private Lanes() {}

  /** The first lane of the first run of neighbours. */
  static int start(long lanes) {
    return Long.numberOfTrailingZeros(lanes);
  }

  /** The lane after the first run. */
  static int end(long lanes) {
    int start = start(lanes);
    return start + Long.numberOfTrailingZeros(~(lanes >>> start));
  }

  /** The lanes without their first run. */
  static long afterRun(long lanes) {
    int end = end(lanes);
    return end == Wave.LANES ? 0 : lanes & (-1L << end);
  }

  /** Writes the active lanes of a row. */
  static void write(int[] row, long lanes, int[] registers, int first) {
    for (long m = lanes; m != 0; m = afterRun(m)) {
      int from = start(m);
      System.arraycopy(row, from, registers, first + from, end(m) - from);
    }
  }
}
