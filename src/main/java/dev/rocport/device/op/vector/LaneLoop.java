package dev.rocport.device.op.vector;

import static java.util.Objects.requireNonNull;

import dev.rocport.device.wave.Wave;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * A definition run lane by lane. As it stands it serves every opcode; a {@link Specialized} copy
 * serves one.
 */
final class LaneLoop implements Kernel {
  private static final @Nullable Definition FIXED =
      Specialized.constant(MethodHandles.lookup(), Definition.class);

  private final @Nullable Definition own;

  /** Of a specialized copy. */
  LaneLoop() {
    this.own = null;
  }

  LaneLoop(Definition own) {
    this.own = own;
  }

  @Override
  public long run(
      int[] d,
      int dOffset,
      int @Nullable [] a,
      int aOffset,
      int @Nullable [] b,
      int bOffset,
      int @Nullable [] c,
      int cOffset,
      long mask,
      long exec) {
    Definition definition = FIXED != null ? FIXED : requireNonNull(own);
    Lane lane = definition.lane();
    Test test = definition.test();
    boolean wide = definition.words() == 2;
    boolean wideA = definition.words(0) == 2;
    boolean wideB = definition.words(1) == 2;
    boolean wideC = definition.words(2) == 2;
    long result = 0;
    for (int i = 0; i < Wave.LANES; i++) {
      if ((exec >>> i & 1) == 0) {
        continue;
      }
      long x = wideA ? wide(a, aOffset + i) : word(a, aOffset, i);
      long y = wideB ? wide(b, bOffset + i) : word(b, bOffset, i);
      long z = wideC ? wide(c, cOffset + i) : word(c, cOffset, i);
      boolean bit = (mask >>> i & 1) != 0;
      if (test != null && test.test(x, y, z, bit)) {
        result |= 1L << i;
      }
      if (lane != null) {
        long value = lane.apply(x, y, z, bit);
        d[dOffset + i] = (int) value;
        if (wide) {
          d[dOffset + Wave.LANES + i] = (int) (value >>> 32);
        }
      }
    }
    return result;
  }

  private static long word(int @Nullable [] rows, int at, int lane) {
    return (rows == null ? at : rows[at + lane]) & 0xffffffffL;
  }

  private static long wide(int @Nullable [] of, int at) {
    int[] rows = requireNonNull(of);
    return (rows[at] & 0xffffffffL) | (long) rows[at + Wave.LANES] << 32;
  }
}
