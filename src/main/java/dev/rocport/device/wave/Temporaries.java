package dev.rocport.device.wave;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

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

  /** Register files that no wave uses, by their length. */
  private final Map<Integer, Deque<int[]>> spare = new HashMap<>();

  /** A register file; what is in it is undefined. */
  int[] registers(int length) {
    Deque<int[]> free = length == 0 ? null : spare.get(length);
    return free == null || free.isEmpty() ? new int[length] : free.pop();
  }

  /** Keeps the register files of a wave that nobody looks at any more for the next one. */
  public void recycle(Wave wave) {
    recycle(wave.v);
    recycle(wave.a);
  }

  private void recycle(int[] registers) {
    if (registers.length == 0) {
      return;
    }
    if (spare.size() > MOST_LENGTHS) {
      spare.clear();
    }
    Deque<int[]> free = spare.computeIfAbsent(registers.length, k -> new ArrayDeque<>());
    if (free.size() < MOST_SPARE) {
      free.push(registers);
    }
  }
}
