package dev.rocport.device.op.vector;

import static dev.rocport.device.isa.DataType.F16;
import static dev.rocport.device.isa.DataType.F32;

import jdk.incubator.vector.DoubleVector;
import org.jspecify.annotations.Nullable;

/**
 * Reciprocals, roots, powers, logarithms, sines. Hardware errs by up to one unit in the last place
 * in a way that no manual gives; these are the right results, rounded once from binary64. Those of
 * 32 bits take and give zeros for denormals.
 */
final class Transcendentals {
  private static final double[] LOGARITHM = Series.logarithm();
  private static final double[] SINE = Series.sine();
  private static final double[] COSINE = Series.cosine();

  /** Beyond it v_sin gives 0 and v_cos 1. Source: AMD's CDNA3 ISA manual. */
  private static final double MOST_TURNS = 256;

  private Transcendentals() {}

  static @Nullable Definition named(String name) {
    return switch (name) {
      case "v_rcp_f32", "v_rcp_iflag_f32" ->
          real(a -> 1 / a).form(Wider.form(a -> a.broadcast(1).div(a)));
      case "v_rsq_f32" ->
          real(a -> 1 / Math.sqrt(a)).form(Wider.form(a -> a.broadcast(1).div(a.sqrt())));
      case "v_sqrt_f32" -> real(a -> Math.sqrt(a)).form(Wider.form(DoubleVector::sqrt));
      case "v_exp_f32", "v_exp_legacy_f32" -> real(Wider::exp2).form(Wider.form(Wider::exp2));
      case "v_log_f32", "v_log_legacy_f32" -> real(Transcendentals::log2);
      case "v_sin_f32" -> real(Transcendentals::sine);
      case "v_cos_f32" -> real(Transcendentals::cosine);
      case "v_rcp_f16" -> half(a -> 1 / a);
      case "v_rsq_f16" -> half(a -> 1 / Math.sqrt(a));
      case "v_sqrt_f16" -> half(a -> Math.sqrt(a));
      case "v_exp_f16" -> half(Wider::exp2);
      case "v_log_f16" -> half(Transcendentals::log2);
      case "v_sin_f16" -> half(Transcendentals::sine);
      case "v_cos_f16" -> half(Transcendentals::cosine);
      default -> null;
    };
  }

  private static Definition real(Lane.Double1 f) {
    return Definition.of(
        Lane.floats(
            a -> {
              float value = (float) f.apply(Floats.flush(a));
              return Float.isNaN(value) ? nan(a) : Floats.flush(value);
            }),
        F32,
        F32);
  }

  /** A NaN stays itself; what is not defined gives the NaN of AMD's manual, a negative one. */
  private static float nan(float a) {
    return Float.isNaN(a) ? Floats.quiet(a) : Float.intBitsToFloat(0xffc00000);
  }

  private static Definition half(Lane.Double1 f) {
    return Definition.of(
            (a, b, c, bit) -> {
              double value = f.apply(Half.value(a));
              if (!Double.isNaN(value)) {
                return Half.bits(value);
              }
              return Half.isNan(a) ? (a | 0x200) & 0xffff : 0xfe00;
            },
            F16,
            F16)
        .onlyToNearest();
  }

  /** Of the value of a float, which is no denormal of binary64. */
  private static double log2(double a) {
    if (!(a > 0) || a == Double.POSITIVE_INFINITY) {
      return Math.log(a);
    }
    long bits = Double.doubleToRawLongBits(a);
    long exponent = (bits - Series.ROOT_OF_HALF) >> 52;
    double mantissa = Double.longBitsToDouble(bits - (exponent << 52));
    double z = (mantissa - 1) / (mantissa + 1);
    return Math.fma(Series.sum(LOGARITHM, z * z), z, (double) exponent);
  }

  private static double sine(double turns) {
    if (Math.abs(turns) > MOST_TURNS) {
      return Double.isInfinite(turns) ? Double.NaN : 0;
    }
    return turns == 0 ? turns : quarter(turns, 0);
  }

  private static double cosine(double turns) {
    if (Math.abs(turns) > MOST_TURNS) {
      return Double.isInfinite(turns) ? Double.NaN : 1;
    }
    return quarter(turns, 1);
  }

  /** The sine of turns, advanced by quarters: what is left after quarters is reduced exactly. */
  private static double quarter(double turns, int advance) {
    double quarters = Math.rint(4 * turns);
    double angle = 2 * Math.PI * (turns - quarters / 4);
    double square = angle * angle;
    int number = (int) quarters + advance;
    double value =
        (number & 1) == 0 ? Series.sum(SINE, square) * angle : Series.sum(COSINE, square);
    return (number & 2) == 0 ? value : 0 - value;
  }
}
