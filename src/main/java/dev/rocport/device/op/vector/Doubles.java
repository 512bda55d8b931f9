package dev.rocport.device.op.vector;

import static dev.rocport.device.isa.DataType.F64;
import static dev.rocport.device.isa.DataType.I32;
import static dev.rocport.device.isa.DataType.U32;

import org.jspecify.annotations.Nullable;

/** Floats of 64 bits. */
final class Doubles {
  private static final double BELOW_ONE = Math.nextDown(1.0);

  private Doubles() {}

  static @Nullable Definition named(String name) {
    return switch (name) {
      case "v_add_f64" ->
          two(Arithmetic::sum)
              .form(VectorForm.doubles((a, b, c) -> Arithmetic.sum(a, b)))
              .byMode(Directed.doubles((a, b, c) -> a + b, (a, b, c) -> a.add(b)));
      case "v_mul_f64" ->
          two(Arithmetic::product)
              .form(VectorForm.doubles((a, b, c) -> Arithmetic.product(a, b)))
              .byMode(Directed.doubles((a, b, c) -> a * b, (a, b, c) -> a.multiply(b)));
      case "v_fma_f64", "v_fmac_f64" ->
          three(Arithmetic::fma)
              .form(VectorForm.doubles(Arithmetic::fma))
              .byMode(
                  Directed.doubles(
                      (a, b, c) -> Math.fma(a, b, c), (a, b, c) -> a.multiply(b).add(c)));
      case "v_min_f64" -> two(Doubles::min).byMode();
      case "v_max_f64" -> two(Doubles::max).byMode();
      case "v_trunc_f64" -> one(a -> quiet(a < 0 ? Math.ceil(a) : Math.floor(a))).byMode();
      case "v_ceil_f64" -> one(a -> quiet(Math.ceil(a))).byMode();
      case "v_floor_f64" -> one(a -> quiet(Math.floor(a))).byMode();
      case "v_rndne_f64" -> one(a -> Double.isNaN(a) ? quiet(a) : Math.rint(a)).byMode();
      case "v_fract_f64" -> one(a -> Math.min(a - Math.floor(a), BELOW_ONE)).byMode();
      case "v_ldexp_f64" ->
          Definition.of(
                  (a, b, c, bit) ->
                      Double.doubleToRawLongBits(Math.scalb(Double.longBitsToDouble(a), (int) b)),
                  F64,
                  F64,
                  I32)
              .onlyToNearest();
      case "v_frexp_exp_i32_f64" ->
          Definition.of((a, b, c, bit) -> exponent(Double.longBitsToDouble(a)), I32, F64).byMode();
      case "v_frexp_mant_f64" ->
          one(a -> a == 0 || !Double.isFinite(a) ? quiet(a) : mantissa(a)).byMode();
      case "v_rcp_f64" -> one(a -> 1 / a).onlyToNearest();
      case "v_rsq_f64" -> one(a -> 1 / Math.sqrt(a)).onlyToNearest();
      case "v_sqrt_f64" -> one(a -> Math.sqrt(a)).onlyToNearest();
      case "v_trig_preop_f64" ->
          Definition.of(
              (a, b, c, bit) ->
                  Double.doubleToRawLongBits(
                      TwoOverPi.segment(Double.longBitsToDouble(a), (int) b & 31)),
              F64,
              F64,
              U32);
      case "v_div_scale_f64" -> Divisions.SCALE_F64;
      case "v_div_fmas_f64" -> Divisions.FMAS_F64;
      case "v_div_fixup_f64" -> Divisions.FIXUP_F64;
      default -> null;
    };
  }

  private static Definition one(Lane.Double1 f) {
    return Definition.of(Lane.doubles(f), F64, F64);
  }

  private static Definition two(Lane.Double2 f) {
    return Definition.of(Lane.doubles(f), F64, F64, F64);
  }

  private static Definition three(Lane.Double3 f) {
    return Definition.of(Lane.doubles(f), F64, F64, F64, F64);
  }

  static double quiet(double a) {
    return Double.isNaN(a) ? Double.longBitsToDouble(Double.doubleToRawLongBits(a) | 1L << 51) : a;
  }

  private static boolean signals(double a) {
    return Double.isNaN(a) && (Double.doubleToRawLongBits(a) >>> 51 & 1) == 0;
  }

  private static double min(double a, double b) {
    return Double.isNaN(a) || Double.isNaN(b) ? withNan(a, b) : Math.min(a, b);
  }

  private static double max(double a, double b) {
    return Double.isNaN(a) || Double.isNaN(b) ? withNan(a, b) : Math.max(a, b);
  }

  /** With IEEE set: a signaling NaN wins, a quiet one loses against a number. */
  private static double withNan(double a, double b) {
    return quiet(signals(a) || (!signals(b) && Double.isNaN(b)) ? a : b);
  }

  /** Of a mantissa in [0.5, 1); 0 for zero, infinity and NaN. */
  static int exponent(double a) {
    if (a == 0 || !Double.isFinite(a)) {
      return 0;
    }
    return Math.abs(a) < Double.MIN_NORMAL
        ? Math.getExponent(a * 0x1p64) - 63
        : Math.getExponent(a) + 1;
  }

  private static double mantissa(double a) {
    double normal = Math.abs(a) < Double.MIN_NORMAL ? a * 0x1p64 : a;
    return Math.scalb(normal, -Math.getExponent(normal) - 1);
  }
}
