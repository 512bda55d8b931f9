package dev.rocport.device.wave;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows that an operation may use while it runs, for example for a scalar broadcast to the lanes.
 * One per worker thread; their contents are undefined between operations.
 */
public final class Temporaries {
  private static final int MOST_LENGTHS = 8;
  private static final int MOST_SPARE = 32;

  /**
   * Rows of 64 values: {@code rows[slot * 64 + lane]}. Enough for three sources and one result of
   * 32 registers.
   */
  public final int[] rows = new int[128 * Wave.LANES];

  /** One address a lane. */
  public final long[] addresses = new long[Wave.LANES];

  /** One 64-bit value a lane. */
  public final long[] values = new long[Wave.LANES];

  /** Register files that no wave uses: those of each length side by side. */
  private final List<Spare> spare = new ArrayList<>();

  /** Files of one length. */
  private static final class Spare {
    final int length;
    final int[][] files = new int[MOST_SPARE][];
    int count;

    Spare(int length) {
      this.length = length;
    }
  }

  private @Nullable Spare spare(int length) {
    for (int i = 0; i < spare.size(); i++) {
      if (spare.get(i).length == length) {
        return spare.get(i);
      }
    }
    return null;
  }

  /** A register file; what is in it is undefined. */
  int[] registers(int length) {
    Spare free = length == 0 ? null : spare(length);
    return free == null || free.count == 0 ? new int[length] : free.files[--free.count];
  }

  /** Keeps the register files of a wave that nobody looks at any more for the next one. */
  public void recycle(Wave wave) {
    recycle(wave.v);
    recycle(wave.a);
    recycle(wave.s);
  }

  private void recycle(int[] registers) {
    if (registers.length == 0) {
      return;
    }
    Spare free = spare(registers.length);
    if (free == null) {
      if (spare.size() > MOST_LENGTHS) {
        spare.clear();
      }
      free = new Spare(registers.length);
      spare.add(free);
    }
    if (free.count < MOST_SPARE) {
      free.files[free.count++] = registers;
    }
  }
}
