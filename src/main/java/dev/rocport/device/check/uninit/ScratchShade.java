package dev.rocport.device.check.uninit;

import dev.rocport.device.wave.Wave;
import java.util.Arrays;

/**
 * The undefined bits of a wave's scratch. A row holds the same dword of all lanes, as memory does;
 * it is kept like a register, with its origins, since most of what lies here was one.
 */
final class ScratchShade {
  private static final int[] NONE = new int[0];

  /** For each row, the lanes in which any bit is undefined. */
  private long[] any = new long[0];

  /** Bits, then origins, of each lane; NONE: all bits of those lanes, never written. */
  private int[][] rows = new int[0][];

  private final int count;

  ScratchShade(int bytesPerLane) {
    this.count = bytesPerLane >> 2;
  }

  private void reach(int row) {
    if (row >= any.length) {
      int size = Math.min(count, Math.max(16, Math.max(row + 1, 2 * any.length)));
      int before = any.length;
      any = Arrays.copyOf(any, size);
      Arrays.fill(any, before, size, -1L);
      rows = Arrays.copyOf(rows, size);
      Arrays.fill(rows, before, size, NONE);
    }
  }

  boolean holds(int row) {
    return row >= 0 && row < count;
  }

  long any(int row) {
    return row < any.length ? any[row] : -1L;
  }

  int bits(int row, int lane) {
    if ((any(row) >>> lane & 1) == 0) {
      return 0;
    }
    int[] kept = row < rows.length ? rows[row] : NONE;
    return kept.length == 0 ? -1 : kept[lane];
  }

  /** -1 where none is kept. */
  int origin(int row, int lane) {
    int[] kept = row < rows.length ? rows[row] : NONE;
    return kept.length == 0 ? -1 : kept[Wave.LANES + lane];
  }

  void define(int row, long lanes) {
    reach(row);
    any[row] &= ~lanes;
  }

  void set(int row, int lane, int bits, int origin) {
    reach(row);
    if (bits == 0) {
      any[row] &= ~(1L << lane);
      return;
    }
    int[] kept = rows[row];
    if (kept.length == 0) {
      kept = new int[2 * Wave.LANES];
      Arrays.fill(kept, -1);
      rows[row] = kept;
    }
    any[row] |= 1L << lane;
    kept[lane] = bits;
    kept[Wave.LANES + lane] = origin;
  }
}
