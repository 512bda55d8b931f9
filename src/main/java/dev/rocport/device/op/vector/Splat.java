package dev.rocport.device.op.vector;

import dev.rocport.device.wave.Wave;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/** Spreads a scalar over a row. */
abstract class Splat {
  private static final int HOT = 1000;

  private static Splat best = new Plain();

  /** Fills the row that begins at {@code offset}. */
  static void fill(int[] rows, int offset, int value) {
    best.run(rows, offset, value);
  }

  abstract void run(int[] rows, int offset, int value);

  private static final class Plain extends Splat {
    private int left = HOT;

    @Override
    void run(int[] rows, int offset, int value) {
      if (left > 0 && --left == 0) {
        Promoter.request(
            () -> {
              Splat faster = new Fast();
              Promoter.warm((d, dAt, a, aAt, b, bAt, c, cAt, mask, exec) -> faster.warm(d));
              best = faster;
            });
      }
      for (int i = 0; i < Wave.LANES; i++) {
        rows[offset + i] = value;
      }
    }
  }

  long warm(int[] rows) {
    run(rows, 0, rows[1]);
    return 0;
  }

  private static final class Fast extends Splat {
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;

    @Override
    void run(int[] rows, int offset, int value) {
      IntVector all = IntVector.broadcast(INTS, value);
      for (int i = 0; i < Wave.LANES; i += INTS.length()) {
        all.intoArray(rows, offset + i);
      }
    }
  }
}
