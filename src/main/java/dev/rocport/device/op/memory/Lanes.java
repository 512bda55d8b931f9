package dev.rocport.device.op.memory;

import dev.rocport.device.wave.Wave;

/** Rows of 64 lanes. */
final class Lanes {
  private Lanes() {}

  /** Writes the active lanes of a row. */
  static void write(int[] row, long lanes, int[] registers, int first) {
    if (lanes == -1) {
      System.arraycopy(row, 0, registers, first, Wave.LANES);
      return;
    }
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      registers[first + lane] = row[lane];
    }
  }
}
