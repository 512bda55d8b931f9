package dev.rocport.device.nativecode;

import static dev.rocport.device.nativecode.LaneWork.n;
import static dev.rocport.device.nativecode.LaneWork.one;
import static dev.rocport.device.nativecode.LaneWork.three;
import static dev.rocport.device.nativecode.LaneWork.two;
import static dev.rocport.device.nativecode.LaneWork.w;

import org.jspecify.annotations.Nullable;

/** What opcodes of the vector ALU compute from floats of 64 bits. Values are vectors of i64. */
final class DoubleWork {
  private static final long INFINITY = 0x7ffL << 52;
  private static final long QUIET = 1L << 51;
  private static final long MAGNITUDE = Long.MAX_VALUE;
  private static final String BELOW_ONE = w(Double.doubleToRawLongBits(Math.nextDown(1.0)));

  private DoubleWork() {}

  static @Nullable LaneWork of(String name) {
    return switch (name) {
      case "v_add_f64" -> two((c, a, b) -> c.f64("fadd", a, b));
      case "v_mul_f64" -> two((c, a, b) -> c.f64("fmul", a, b));
      case "v_fma_f64", "v_fmac_f64" -> three(DoubleWork::fma);
      case "v_min_f64" -> two((c, a, b) -> least(c, "minimum", a, b));
      case "v_max_f64" -> two((c, a, b) -> least(c, "maximum", a, b));
      case "v_trunc_f64" -> one((c, a) -> rounded(c, "trunc", a));
      case "v_ceil_f64" -> one((c, a) -> rounded(c, "ceil", a));
      case "v_floor_f64" -> one((c, a) -> rounded(c, "floor", a));
      case "v_rndne_f64" -> one((c, a) -> rounded(c, "roundeven", a));
      case "v_fract_f64" -> one(DoubleWork::fraction);
      case "v_ldexp_f64" -> two(DoubleWork::scaled);
      case "v_frexp_exp_i32_f64" -> one(DoubleWork::exponent);
      case "v_frexp_mant_f64" -> one(DoubleWork::mantissa);
      case "v_rcp_f64" -> one((c, a) -> c.f64("fdiv", w(Double.doubleToRawLongBits(1)), a));
      case "v_sqrt_f64" -> one(DoubleWork::root);
      case "v_rsq_f64" ->
          one((c, a) -> c.f64("fdiv", w(Double.doubleToRawLongBits(1)), root(c, a)));
      case "v_cmp_class_f64", "v_cmpx_class_f64" ->
          new LaneWork(2, false, null, v -> isOfClass(v.c(), v.a(), v.second()));
      case "v_div_scale_f64" ->
          new LaneWork(3, false, DoubleDivision::scale, DoubleDivision::scaled);
      case "v_div_fmas_f64" -> new LaneWork(3, true, DoubleDivision::fmas, null);
      case "v_div_fixup_f64" -> three(DoubleDivision::fixup);
      default -> null;
    };
  }

  static String fma(Chunk c, String a, String b, String d) {
    return c.toLongs(
        c.call(c.doubles, "fma", "f64", c.toDoubles(a), c.toDoubles(b), c.toDoubles(d)));
  }

  private static String rounded(Chunk c, String how, String a) {
    return c.toLongs(c.call(c.doubles, how, "f64", c.toDoubles(a)));
  }

  private static String root(Chunk c, String a) {
    return rounded(c, "sqrt", a);
  }

  private static String fraction(Chunk c, String a) {
    String r = c.f64("fsub", a, rounded(c, "floor", a));
    return c.select(compared(c, "ogt", r, BELOW_ONE), c.longs, BELOW_ONE, r);
  }

  /** The test of two vectors of i64 as doubles. */
  static String compared(Chunk c, String how, String a, String b) {
    return c.ir.value("fcmp %s %s %s, %s", how, c.doubles, c.toDoubles(a), c.toDoubles(b));
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
    String size = c.i64("and", a, w(MAGNITUDE));
    String zero = c.i64("icmp eq", size, w(0));
    return c.ir.value("or %s %s, %s", c.bits, zero, c.i64("icmp uge", size, w(INFINITY)));
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

  private static String exponent(Chunk c, String a) {
    String field = c.i64("lshr", c.i64("and", normal(c, a), w(INFINITY)), w(52));
    String less = c.select(isDenormal(c, a), c.longs, w(1086), w(1022));
    String of = c.select(isSpecial(c, a), c.longs, w(0), c.i64("sub", field, less));
    return c.low(of);
  }

  private static String mantissa(Chunk c, String a) {
    String rest = c.i64("and", normal(c, a), w(~INFINITY));
    String half = c.i64("or", rest, w(1022L << 52));
    return c.select(isSpecial(c, a), c.longs, quiet(c, a), half);
  }

  private static String quiet(Chunk c, String a) {
    String nan = c.i64("icmp ugt", c.i64("and", a, w(MAGNITUDE)), w(INFINITY));
    return c.select(nan, c.longs, c.i64("or", a, w(QUIET)), a);
  }

  /** With IEEE set: a signaling NaN wins, a quiet one loses against a number. */
  private static String least(Chunk c, String intrinsic, String a, String b) {
    String r = c.toLongs(c.call(c.doubles, intrinsic, "f64", c.toDoubles(a), c.toDoubles(b)));
    String quietA = quiet(c, a);
    String quietB = quiet(c, b);
    String signalsA = c.i64("icmp ne", a, quietA);
    String signalsB = c.i64("icmp ne", b, quietB);
    String nanA = compared(c, "uno", a, a);
    String nanB = compared(c, "uno", b, b);
    r = c.select(c.ir.value("or %s %s, %s", c.bits, nanA, signalsB), c.longs, quietB, r);
    String quietly =
        c.ir.value(
            "and %s %s, %s",
            c.bits, nanB, c.ir.value("xor %s %s, splat (i1 true)", c.bits, signalsB));
    r = c.select(quietly, c.longs, quietA, r);
    return c.select(signalsA, c.longs, quietA, r);
  }

  /** Whether a double is of one of the classes whose bits are set in a vector of i32. */
  private static String isOfClass(Chunk c, String a, String classes) {
    String size = c.i64("and", a, w(MAGNITUDE));
    String negative = c.i64("icmp slt", a, w(0));
    String quiet = c.i64("icmp ne", c.i64("and", a, w(QUIET)), w(0));
    String is =
        c.select(
            c.i64("icmp ult", size, w(1L << 52)),
            c.ints,
            c.select(negative, c.ints, n(1 << 4), n(1 << 7)),
            c.select(negative, c.ints, n(1 << 3), n(1 << 8)));
    String zero = c.select(negative, c.ints, n(1 << 5), n(1 << 6));
    is = c.select(c.i64("icmp eq", size, w(0)), c.ints, zero, is);
    String infinite = c.select(negative, c.ints, n(1 << 2), n(1 << 9));
    is = c.select(c.i64("icmp eq", size, w(INFINITY)), c.ints, infinite, is);
    String nan = c.select(quiet, c.ints, n(2), n(1));
    is = c.select(c.i64("icmp ugt", size, w(INFINITY)), c.ints, nan, is);
    return c.i32("icmp ne", c.i32("and", is, classes), n(0));
  }
}
