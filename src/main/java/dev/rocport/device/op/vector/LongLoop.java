package dev.rocport.device.op.vector;

import static java.util.Objects.requireNonNull;

import dev.rocport.device.wave.Wave;
import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/** Opcodes with sources or results of 64 bits on vectors. A template: see {@link Specialized}. */
final class LongLoop implements Kernel {
  /** The constant of a copy. */
  record Constant(VectorForm form, boolean wide, boolean wideA, boolean wideB, boolean wideC) {}

  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> INTS =
      VectorSpecies.of(int.class, VectorShape.forBitSize(LONGS.vectorBitSize() / 2));
  private static final Constant CONSTANT =
      requireNonNull(Specialized.constant(MethodHandles.lookup(), Constant.class));

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
    if (CONSTANT.form() instanceof VectorForm.PairTest form) {
      long result = 0;
      for (int i = 0; i < Wave.LANES; i += LONGS.length()) {
        result |=
            form.test(load(a, aOffset, i, CONSTANT.wideA()), load(b, bOffset, i, CONSTANT.wideB()))
                    .toLong()
                << i;
      }
      return result & exec;
    }
    long result = 0;
    for (int i = 0; i < Wave.LANES; i += LONGS.length()) {
      LongVector x = load(a, aOffset, i, CONSTANT.wideA());
      LongVector y = load(b, bOffset, i, CONSTANT.wideB());
      LongVector z = load(c, cOffset, i, CONSTANT.wideC());
      LongVector r =
          switch (CONSTANT.form()) {
            case VectorForm.Pair form -> form.apply(x, y, z);
            case VectorForm.PairCarry form -> form.sum().apply(x, y, z);
            default -> throw new IllegalStateException("not a form of 64 bits");
          };
      if (CONSTANT.form() instanceof VectorForm.PairCarry form) {
        result |= form.carry().test(r, z).toLong() << i;
      }
      store(r, d, dOffset + i, exec >>> i, exec == -1L);
    }
    return result & exec;
  }

  private static void store(LongVector value, int[] rows, int at, long exec, boolean all) {
    IntVector low = low(value);
    IntVector high = low(value.lanewise(VectorOperators.LSHR, 32));
    if (all) {
      low.intoArray(rows, at);
      if (CONSTANT.wide()) {
        high.intoArray(rows, at + Wave.LANES);
      }
    } else {
      VectorMask<Integer> active = VectorMask.fromLong(INTS, exec);
      Lanes32.store(INTS, low, rows, at, active);
      if (CONSTANT.wide()) {
        Lanes32.store(INTS, high, rows, at + Wave.LANES, active);
      }
    }
  }

  private static LongVector load(int @Nullable [] rows, int at, int lane, boolean wide) {
    if (rows == null) {
      return LongVector.broadcast(LONGS, at & 0xffffffffL);
    }
    LongVector low =
        (LongVector)
            IntVector.fromArray(INTS, rows, at + lane)
                .convertShape(VectorOperators.ZERO_EXTEND_I2L, LONGS, 0);
    if (!wide) {
      return low;
    }
    LongVector high =
        (LongVector)
            IntVector.fromArray(INTS, rows, at + Wave.LANES + lane)
                .convertShape(VectorOperators.I2L, LONGS, 0);
    return low.or(high.lanewise(VectorOperators.LSHL, 32));
  }

  private static IntVector low(LongVector value) {
    return (IntVector) value.convertShape(VectorOperators.L2I, INTS, 0);
  }
}
