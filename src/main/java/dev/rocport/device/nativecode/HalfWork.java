package dev.rocport.device.nativecode;

import static dev.rocport.device.nativecode.LaneWork.n;
import static dev.rocport.device.nativecode.LaneWork.one;
import static dev.rocport.device.nativecode.LaneWork.three;
import static dev.rocport.device.nativecode.LaneWork.two;

import org.jspecify.annotations.Nullable;

/**
 * What opcodes of the vector ALU compute from floats of 16 bits. A source has its bits in the low
 * half of a word and anything in the high half; a result has 0 there.
 */
final class HalfWork {
  private static final int INFINITY = 0x7c00;
  private static final int QUIET = 0x200;

  /** The greatest float below 1 of 16 bits, as one of 32. */
  private static final String BELOW_ONE = n(Float.floatToRawIntBits(0x1.ffcp-1f));

  private HalfWork() {}

  static @Nullable LaneWork of(String name) {
    return switch (name) {
      case "v_cvt_f32_f16" -> one(HalfWork::widened);
      case "v_cvt_f16_f32" -> one(HalfWork::narrowed);
      case "v_add_f16" -> two((c, a, b) -> numbers(c, "fadd", false, a, b));
      case "v_sub_f16" -> two((c, a, b) -> numbers(c, "fsub", false, a, b));
      case "v_subrev_f16" -> two((c, a, b) -> numbers(c, "fsub", true, a, b));
      case "v_mul_f16" -> two((c, a, b) -> numbers(c, "fmul", false, a, b));
      case "v_fma_f16", "v_fma_legacy_f16", "v_fmac_f16", "v_fmamk_f16", "v_fmaak_f16" ->
          three(HalfWork::fma);
      case "v_min_f16" -> two((c, a, b) -> least(c, true, a, b));
      case "v_max_f16" -> two((c, a, b) -> least(c, false, a, b));
      case "v_min3_f16" -> three((c, a, b, d) -> least(c, true, least(c, true, a, b), d));
      case "v_max3_f16" -> three((c, a, b, d) -> least(c, false, least(c, false, a, b), d));
      case "v_med3_f16" -> three(HalfWork::median);
      case "v_trunc_f16" -> one((c, a) -> rounded(c, "trunc", a));
      case "v_ceil_f16" -> one((c, a) -> rounded(c, "ceil", a));
      case "v_floor_f16" -> one((c, a) -> rounded(c, "floor", a));
      case "v_rndne_f16" -> one((c, a) -> rounded(c, "roundeven", a));
      case "v_fract_f16" -> one(HalfWork::fraction);
      case "v_ldexp_f16" -> two(HalfWork::scaled);
      case "v_rcp_f16" -> wider(SeriesWork::reciprocal);
      case "v_rsq_f16" -> wider(SeriesWork::reciprocalRoot);
      case "v_sqrt_f16" -> wider(SeriesWork::root);
      case "v_exp_f16" -> wider(SeriesWork::exp2);
      case "v_log_f16" -> wider(SeriesWork::log2);
      case "v_cvt_f16_u16" -> one((c, a) -> narrowed(c, integer(c, "uitofp", ShortWork.low(c, a))));
      case "v_cvt_f16_i16" ->
          one((c, a) -> narrowed(c, integer(c, "sitofp", ShortWork.signed(c, a))));
      case "v_cvt_u16_f16" -> one((c, a) -> saturated(c, a, 0, 0xffff));
      case "v_cvt_i16_f16" -> one((c, a) -> saturated(c, a, Short.MIN_VALUE, Short.MAX_VALUE));
      case "v_cvt_pkrtz_f16_f32" ->
          two((c, a, b) -> both(c, narrowedToZero(c, a), narrowedToZero(c, b)));
      case "v_pack_b32_f16" -> two((c, a, b) -> both(c, ShortWork.low(c, a), b));
      default -> null;
    };
  }

  /** Whether an opcode leaves the other half of its destination as it was. */
  static boolean keepsHalf(String name) {
    return switch (name) {
      case "v_mad_u16", "v_fma_f16", "v_min3_f16", "v_max3_f16", "v_med3_f16" -> true;
      default -> false;
    };
  }

  static LaneWork compare(String test) {
    return new LaneWork(
        2,
        false,
        null,
        v -> {
          Chunk c = v.c();
          String a = widened(c, v.a());
          return FloatFormat.F32.test(c, test, a, widened(c, v.second()));
        });
  }

  /** A word of two halves; the high half of {@code low} is 0. */
  static String both(Chunk c, String low, String high) {
    return c.i32("or", low, c.i32("shl", high, n(16)));
  }

  /** A half, in one half of a word whose other half is that of {@code old}. */
  static String inserted(Chunk c, String half, String old, boolean high) {
    return high
        ? both(c, ShortWork.low(c, old), half)
        : c.i32("or", half, c.i32("and", old, n(0xffff0000)));
  }

  /** The same value, as a float of 32 bits. */
  static String widened(Chunk c, String a) {
    String half = "<%d x half>".formatted(c.width);
    String shorts = "<%d x i16>".formatted(c.width);
    String bits = c.convert("trunc", c.ints, a, shorts);
    return c.toInts(c.convert("fpext", half, c.convert("bitcast", shorts, bits, half), c.floats));
  }

  /** A float of 32 bits, rounded to nearest even. */
  static String narrowed(Chunk c, String a) {
    String half = "<%d x half>".formatted(c.width);
    String shorts = "<%d x i16>".formatted(c.width);
    String value = c.convert("fptrunc", c.floats, c.toFloats(a), half);
    return c.convert("zext", shorts, c.convert("bitcast", half, value, shorts), c.ints);
  }

  private static String narrowedToZero(Chunk c, String a) {
    String near = narrowed(c, a);
    String size = FloatFormat.F32.size(c, widened(c, near));
    String tooFar = FloatFormat.F32.test(c, "ogt", size, FloatFormat.F32.size(c, a));
    String infinite =
        c.i32("icmp eq", FloatFormat.F32.size(c, a), n(Float.floatToRawIntBits(1f / 0)));
    return c.select(c.both(tooFar, c.not(infinite)), c.ints, c.i32("sub", near, n(1)), near);
  }

  /**
   * A float of 64 bits, rounded once: to 32 bits to odd, so that the second rounding decides as one
   * would have done.
   */
  private static String narrowedAtOnce(Chunk c, String doubles) {
    String near = c.convert("fptrunc", c.doubles, doubles, c.floats);
    String back = c.convert("fpext", c.floats, near, c.doubles);
    String differs = c.ir.value("fcmp one %s %s, %s", c.doubles, back, doubles);
    String bits = c.toInts(near);
    String even = c.i32("icmp eq", c.i32("and", bits, n(1)), n(0));
    String tooFar =
        c.ir.value(
            "fcmp ogt %s %s, %s",
            c.doubles,
            c.call(c.doubles, "fabs", "f64", back),
            c.call(c.doubles, "fabs", "f64", doubles));
    String odd = c.select(tooFar, c.ints, c.i32("sub", bits, n(1)), c.i32("add", bits, n(1)));
    return narrowed(c, c.select(c.both(differs, even), c.ints, odd, bits));
  }

  private static String doubles(Chunk c, String a) {
    return c.convert("fpext", c.floats, c.toFloats(widened(c, a)), c.doubles);
  }

  /** The result in 32 bits is so exact that the second rounding is the only one. */
  private static String numbers(Chunk c, String op, boolean turned, String a, String b) {
    String x = widened(c, a);
    String y = widened(c, b);
    String r = turned ? c.f32(op, y, x) : c.f32(op, x, y);
    return narrowed(c, firstNan(c, r, x, y));
  }

  /** A * b + d in floats of 32 bits; of several NaNs the first source counts. */
  static String sum(Chunk c, String a, String b, String d) {
    return firstNan(c, c.fma32(a, b, d), a, b, d);
  }

  /** A result, or the first source that is NaN. */
  private static String firstNan(Chunk c, String result, String... sources) {
    String r = result;
    for (int s = sources.length - 1; s >= 0; s--) {
      String nan = FloatFormat.F32.test(c, "uno", sources[s], sources[s]);
      r = c.select(nan, c.ints, c.i32("or", sources[s], n(0x400000)), r);
    }
    return r;
  }

  private static String rounded(Chunk c, String how, String a) {
    return narrowed(c, FloatFormat.F32.call(c, how, widened(c, a)));
  }

  /**
   * a * b + d, rounded once. The product is exact in 64 bits. So is the sum where it matters: what
   * does not fit is so small, or so large, that the result in 16 bits is the same.
   */
  private static String fma(Chunk c, String a, String b, String d) {
    String product = c.ir.value("fmul %s %s, %s", c.doubles, doubles(c, a), doubles(c, b));
    String sum = c.ir.value("fadd %s %s, %s", c.doubles, product, doubles(c, d));
    String number = narrowedAtOnce(c, sum);
    String isNan = c.ir.value("fcmp uno %s %s, %s", c.doubles, sum, sum);
    String nan = c.select(isNan(c, d), c.ints, quiet(c, d), n(INFINITY | QUIET));
    nan = c.select(isNan(c, b), c.ints, quiet(c, b), nan);
    nan = c.select(isNan(c, a), c.ints, quiet(c, a), nan);
    return c.select(isNan, c.ints, nan, number);
  }

  private static String fraction(Chunk c, String a) {
    return narrowed(c, FloatFormat.F32.fraction(c, widened(c, a), BELOW_ONE));
  }

  private static String scaled(Chunk c, String a, String b) {
    String by = ShortWork.signed(c, b);
    String number = narrowedAtOnce(c, SeriesWork.scaled(c, doubles(c, a), by, 100));
    // LLVM moves a negation to a constant factor, so the product may lose the sign of a NaN.
    return c.select(isNan(c, a), c.ints, quiet(c, a), number);
  }

  /** A function of doubles, rounded once; what has no result is the NaN of AMD's manual. */
  private static LaneWork wider(SeriesWork.Function f) {
    return one(
        (c, a) -> {
          String y = f.of(c, doubles(c, a));
          String none = c.ir.value("fcmp uno %s %s, %s", c.doubles, y, y);
          String nan = n(0x8000 | INFINITY | QUIET);
          String number = c.select(none, c.ints, nan, narrowedAtOnce(c, y));
          return c.select(isNan(c, a), c.ints, quiet(c, a), number);
        });
  }

  private static String integer(Chunk c, String how, String a) {
    return c.toInts(c.convert(how, c.ints, a, c.floats));
  }

  private static String saturated(Chunk c, String a, int least, int most) {
    String x = c.toFloats(widened(c, a));
    String value = FloatWork.saturated(c, "fptosi", c.floats, "f32", x);
    String below = c.call(c.ints, "smin", "i32", value, n(most));
    return ShortWork.low(c, c.call(c.ints, "smax", "i32", below, n(least)));
  }

  private static String isNan(Chunk c, String a) {
    return c.i32("icmp ugt", c.i32("and", a, n(0x7fff)), n(INFINITY));
  }

  /** A NaN made quiet. */
  private static String quiet(Chunk c, String a) {
    return c.i32("or", ShortWork.low(c, a), n(QUIET));
  }

  /** Integers that are in order as the numbers are, -0 below 0. */
  private static String key(Chunk c, String a) {
    String bits = ShortWork.signed(c, a);
    return c.i32("xor", bits, c.i32("lshr", c.i32("ashr", bits, n(31)), n(17)));
  }

  /** The minimum or maximum with IEEE set: a signaling NaN wins, a quiet one loses to a number. */
  private static String least(Chunk c, boolean minimum, String a, String b) {
    String first = c.i32(minimum ? "icmp sle" : "icmp sge", key(c, a), key(c, b));
    String r = ShortWork.low(c, c.select(first, c.ints, a, b));
    String nanA = isNan(c, a);
    String nanB = isNan(c, b);
    String quietB = c.i32("icmp ne", c.i32("and", b, n(QUIET)), n(0));
    String signalsA = c.both(nanA, c.i32("icmp eq", c.i32("and", a, n(QUIET)), n(0)));
    String takesA = c.either(signalsA, c.both(nanB, quietB));
    String chosen = ShortWork.low(c, c.select(takesA, c.ints, a, b));
    String made = c.select(isNan(c, chosen), c.ints, quiet(c, chosen), chosen);
    return c.select(c.either(nanA, nanB), c.ints, made, r);
  }

  private static String median(Chunk c, String a, String b, String d) {
    String low = least(c, true, a, b);
    String high = least(c, false, a, b);
    String middle = least(c, false, low, least(c, true, high, d));
    String nan = c.either(c.either(isNan(c, a), isNan(c, b)), isNan(c, d));
    return c.select(nan, c.ints, least(c, true, low, d), middle);
  }
}
