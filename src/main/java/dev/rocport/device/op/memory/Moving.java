package dev.rocport.device.op.memory;

import dev.rocport.device.memory.Heap;
import dev.rocport.device.wave.Wave;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * Warms up {@link Moves}: the virtual machine is a thousand times slower with vectors before its
 * compiler has compiled them.
 */
final class Moving {
  private static final int MOST_RUNS = 20_000;
  private static final int BYTES = 1 << 14;

  /** Nanoseconds for a call. */
  private static final long FAST = 500;

  /**
   * Offsets of lanes: one for all, one for each half vector, neighbours, and far from each other.
   */
  private static final int[] OFFSETS = offsets();

  private static final long[] LANES = {-1L, -1L, 0xffff_ffffL, 0x0ff0_1234_5678_9abcL, 1L};

  private static final Executor WARMER =
      Executors.newSingleThreadExecutor(
          work -> Thread.ofPlatform().daemon().name("memory-warmer").unstarted(work));

  private Moving() {}

  private static int[] offsets() {
    int[] rows = new int[6 * Wave.LANES];
    for (int l = 0; l < Wave.LANES; l++) {
      rows[l] = 16;
      rows[Wave.LANES + l] = l / 16 * 64;
      rows[2 * Wave.LANES + l] = 4 * l;
      rows[3 * Wave.LANES + l] = 8 * l;
      rows[4 * Wave.LANES + l] = 16 * l;
      rows[5 * Wave.LANES + l] = 4 * (l * 37 & 63);
    }
    return rows;
  }

  /** Does something on a thread of its own when they are fast. */
  static void whenWarm(Runnable then) {
    WARMER.execute(
        () -> {
          warm();
          then.run();
        });
  }

  /** Whether they are fast. */
  static boolean isWarm() {
    return Done.done;
  }

  /** Returns when they are fast. */
  static synchronized void warm() {
    if (Done.done) {
      return;
    }
    long memory = Heap.take(BYTES);
    try {
      int fast = 0;
      int runs = 0;
      while (runs < MOST_RUNS && fast < 8) {
        long start = System.nanoTime();
        int calls = round(memory);
        runs += calls;
        fast = System.nanoTime() - start < calls * FAST ? fast + 1 : 0;
      }
    } finally {
      Heap.give(memory);
    }
    Done.done = true;
  }

  private static final class Done {
    static boolean done;
  }

  private static int round(long memory) {
    int[] to = new int[8 * Wave.LANES];
    int calls = 0;
    for (int row = 0; row < OFFSETS.length; row += Wave.LANES) {
      for (long lanes : LANES) {
        for (int dwords : new int[] {1, 2, 4}) {
          // The last call has an address outside.
          int limit = calls % 7 == 6 ? 8 : BYTES - 1024;
          Moves.load(OFFSETS, row, 4, 0, limit, memory, to, 0, dwords, lanes);
          Moves.store(OFFSETS, row, 4, 0, limit, memory, to, 0, dwords, lanes);
          Moves.loadTwo(OFFSETS, row, 4, 64, limit, memory, to, 0, dwords & 3, lanes);
          Moves.shape(OFFSETS, row, 4, 0, limit, 4 * dwords, lanes);
          Moves.isUniform(OFFSETS, row, lanes);
          Moves.aligned(OFFSETS, row, 4, 3, lanes);
          calls += 6;
        }
      }
    }
    return calls;
  }
}
