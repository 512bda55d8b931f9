package dev.rocport.device.op.vector;

import static jdk.incubator.vector.VectorOperators.D2F;
import static jdk.incubator.vector.VectorOperators.F2D;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.NE;

import java.util.function.UnaryOperator;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/** Functions of floats that are rounded once from binary64, on vectors as lane by lane. */
final class Wider {
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
  private static final int EXPONENT = 0x7f800000;
  private static final int SIGN = 0x80000000;
  private static final int QUIET = 0x400000;

  /** Farther out, powers of two are zero or infinite in the types that are asked for. */
  private static final double FARTHEST = 1000;

  private static final double LN_2 = Math.log(2);

  private static final double[] SERIES = Series.exponential();

  private Wider() {}

  /**
   * Floats by a function of doubles, which gives a NaN for none but those that have no result.
   * Denormals are zeros, before and after; what has no result is the NaN of AMD's manual.
   */
  static VectorForm.Int form(UnaryOperator<DoubleVector> f) {
    return (a, b, c) -> {
      FloatVector x = flush(a).reinterpretAsFloats();
      IntVector low = half(f, x, 0);
      IntVector y = low.or(half(f, x, 1));
      VectorMask<Float> in = a.reinterpretAsFloats().compare(NE, a.reinterpretAsFloats());
      VectorMask<Float> out = y.reinterpretAsFloats().compare(NE, y.reinterpretAsFloats());
      return flush(y)
          .blend(SIGN | EXPONENT | QUIET, out.cast(a.species()))
          .blend(a.or(QUIET), in.cast(a.species()));
    };
  }

  private static IntVector half(UnaryOperator<DoubleVector> f, FloatVector x, int part) {
    DoubleVector y = f.apply((DoubleVector) x.convertShape(F2D, DOUBLES, part));
    return ((FloatVector) y.convertShape(D2F, FLOATS, -part)).reinterpretAsInts();
  }

  private static IntVector flush(IntVector bits) {
    return bits.blend(bits.and(SIGN), bits.and(EXPONENT).eq(0));
  }

  /**
   * 2^a, with an error of about a unit of binary64: e^(f ln 2) by its series, for what is left of a
   * after the nearest whole number.
   */
  static double exp2(double a) {
    if (Double.isNaN(a)) {
      return a;
    }
    double x = Math.min(Math.max(a, -FARTHEST), FARTHEST);
    double shifted = x + Series.TO_WHOLE;
    double t = (x - (shifted - Series.TO_WHOLE)) * LN_2;
    double sum = Series.sum(SERIES, t);
    return Double.longBitsToDouble(
        Double.doubleToRawLongBits(sum) + (Double.doubleToRawLongBits(shifted) << 52));
  }

  /** {@link #exp2(double)}; anything for a NaN. */
  static DoubleVector exp2(DoubleVector a) {
    DoubleVector x = a.max(-FARTHEST).min(FARTHEST);
    DoubleVector shifted = x.add(Series.TO_WHOLE);
    DoubleVector t = x.sub(shifted.sub(Series.TO_WHOLE)).mul(LN_2);
    DoubleVector sum = DoubleVector.broadcast(DOUBLES, SERIES[0]);
    for (int k = 1; k < SERIES.length; k++) {
      sum = sum.fma(t, DoubleVector.broadcast(DOUBLES, SERIES[k]));
    }
    return sum.reinterpretAsLongs()
        .add(shifted.reinterpretAsLongs().lanewise(LSHL, 52))
        .reinterpretAsDoubles();
  }
}
