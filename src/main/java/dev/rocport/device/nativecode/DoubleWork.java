package dev.rocport.device.nativecode;

import static dev.rocport.device.nativecode.LaneWork.n;
import static dev.rocport.device.nativecode.LaneWork.one;
import static dev.rocport.device.nativecode.LaneWork.three;
import static dev.rocport.device.nativecode.LaneWork.two;
import static dev.rocport.device.nativecode.LaneWork.w;

import org.jspecify.annotations.Nullable;

/** What opcodes of the vector ALU compute from floats of 64 bits. Values are vectors of i64. */
final class DoubleWork {
  private static final FloatFormat F64 = FloatFormat.F64;
  private static final long INFINITY = F64.infinity();
  private static final String BELOW_ONE = w(Double.doubleToRawLongBits(Math.nextDown(1.0)));

  private DoubleWork() {}

  static @Nullable LaneWork of(String name) {
    return switch (name) {
      case "v_add_f64" -> two((c, a, b) -> c.f64("fadd", a, b));
      case "v_mul_f64" -> two((c, a, b) -> c.f64("fmul", a, b));
      case "v_fma_f64", "v_fmac_f64" -> three((c, a, b, d) -> c.fma64(a, b, d));
      case "v_min_f64" -> two((c, a, b) -> F64.least(c, "minimum", a, b));
      case "v_max_f64" -> two((c, a, b) -> F64.least(c, "maximum", a, b));
      case "v_trunc_f64" -> one((c, a) -> F64.call(c, "trunc", a));
      case "v_ceil_f64" -> one((c, a) -> F64.call(c, "ceil", a));
      case "v_floor_f64" -> one((c, a) -> F64.call(c, "floor", a));
      case "v_rndne_f64" -> one((c, a) -> F64.call(c, "roundeven", a));
      case "v_fract_f64" -> one((c, a) -> F64.fraction(c, a, BELOW_ONE));
      case "v_ldexp_f64" -> two(DoubleWork::scaled);
      case "v_frexp_exp_i32_f64" -> one(DoubleWork::exponent);
      case "v_frexp_mant_f64" -> one(DoubleWork::mantissa);
      case "v_rcp_f64" -> one((c, a) -> c.f64("fdiv", w(Double.doubleToRawLongBits(1)), a));
      case "v_sqrt_f64" -> one(DoubleWork::root);
      case "v_rsq_f64" ->
          one((c, a) -> c.f64("fdiv", w(Double.doubleToRawLongBits(1)), root(c, a)));
      case "v_cmp_class_f64", "v_cmpx_class_f64" ->
          new LaneWork(2, false, null, v -> F64.isOfClass(v.c(), v.a(), v.second()));
      case "v_div_scale_f64" -> new LaneWork(3, false, Division.F64::scale, Division.F64::scaled);
      case "v_div_fmas_f64" -> new LaneWork(3, true, Division.F64::fmas, null);
      case "v_div_fixup_f64" -> three(Division.F64::fixup);
      default -> null;
    };
  }

  private static String root(Chunk c, String a) {
    return F64.call(c, "sqrt", a);
  }

  /** A double times a power of two with an exponent in a vector of i64, if both are normal. */
  private static String times(Chunk c, String a, String exponent) {
    String power = c.i64("shl", c.i64("add", exponent, w(1023)), w(52));
    return c.f64("fmul", a, power);
  }

  /**
   * a * 2^b, rounded once: by what is left of b after multiples of 512 first, since nothing is left
   * to round where a denormal is divided by 2^512.
   */
  private static String scaled(Chunk c, String a, String b) {
    String most = c.call(c.ints, "smin", "i32", b, n(2200));
    String by = c.call(c.ints, "smax", "i32", most, n(-2200));
    String rest = c.i32("srem", by, n(512));
    String r = times(c, a, c.convert("sext", c.ints, rest, c.longs));
    for (int step = 1; step <= 4; step++) {
      String up = c.i32("icmp sge", by, n(512 * step));
      String down = c.i32("icmp sle", by, n(-512 * step));
      String exponent = c.select(up, c.longs, w(512), c.select(down, c.longs, w(-512), w(0)));
      r = times(c, r, exponent);
    }
    return r;
  }

  private static String isSpecial(Chunk c, String a) {
    String size = F64.size(c, a);
    return c.either(c.i64("icmp eq", size, w(0)), c.i64("icmp uge", size, w(INFINITY)));
  }

  /** Denormals times 2^64. */
  private static String normal(Chunk c, String a) {
    String up = c.f64("fmul", a, w(Double.doubleToRawLongBits(0x1p64)));
    return c.select(isDenormal(c, a), c.longs, up, a);
  }

  /** Whether the exponent is 0; so also of zeros. */
  private static String isDenormal(Chunk c, String a) {
    return c.i64("icmp eq", c.i64("and", a, w(INFINITY)), w(0));
  }

  static String exponent(Chunk c, String a) {
    String field = F64.exponent(c, normal(c, a));
    String less = c.select(isDenormal(c, a), c.longs, w(1086), w(1022));
    String of = c.select(isSpecial(c, a), c.longs, w(0), c.i64("sub", field, less));
    return c.low(of);
  }

  static String mantissa(Chunk c, String a) {
    String rest = c.i64("and", normal(c, a), w(~INFINITY));
    String half = c.i64("or", rest, w(1022L << 52));
    return c.select(isSpecial(c, a), c.longs, F64.quiet(c, a), half);
  }
}
