package dev.rocport.device.nativecode;

import static dev.rocport.device.nativecode.DoubleWork.compared;
import static dev.rocport.device.nativecode.LaneWork.w;

import dev.rocport.device.nativecode.LaneWork.Values;

/** The steps of a division of 64-bit floats, as {@code device.op.vector.Divisions} has them. */
final class DoubleDivision {
  private static final long INFINITY = 0x7ffL << 52;
  private static final String UP = w(Double.doubleToRawLongBits(0x1p128));
  private static final String DOWN = w(Double.doubleToRawLongBits(0x1p-128));
  private static final String LEAST = w(Double.doubleToRawLongBits(Double.MIN_NORMAL));
  private static final String ZERO = w(0);

  private DoubleDivision() {}

  private static String exponent(Chunk c, String a) {
    return c.i64("and", c.i64("lshr", a, w(52)), w(0x7ff));
  }

  private static String size(Chunk c, String a) {
    return c.i64("and", a, w(Long.MAX_VALUE));
  }

  private static String or(Chunk c, String a, String b) {
    return c.ir.value("or %s %s, %s", c.bits, a, b);
  }

  private static String and(Chunk c, String a, String b) {
    return c.ir.value("and %s %s, %s", c.bits, a, b);
  }

  private static String not(Chunk c, String a) {
    return c.ir.value("xor %s %s, splat (i1 true)", c.bits, a);
  }

  private static String denormal(Chunk c, String a) {
    return and(c, compared(c, "une", a, ZERO), compared(c, "olt", size(c, a), LEAST));
  }

  private static String finite(Chunk c, String a) {
    return c.i64("icmp ult", size(c, a), w(INFINITY));
  }

  /** What decides on the scale of a division of s2 by s1. */
  private record Scale(String zero, String far, String denormal, String tinyQuotient) {
    static Scale of(Chunk c, String s1, String s2) {
      String zero = or(c, compared(c, "oeq", s2, ZERO), compared(c, "oeq", s1, ZERO));
      String difference = c.i64("sub", exponent(c, s2), exponent(c, s1));
      String far = c.i64("icmp sge", difference, w(768));
      String quotient = size(c, c.f64("fdiv", s2, s1));
      String tiny = compared(c, "olt", quotient, LEAST);
      String finite = and(c, finite(c, s1), finite(c, s2));
      return new Scale(zero, far, DoubleDivision.denormal(c, s1), and(c, finite, tiny));
    }
  }

  /** v_div_scale_f64: s0, which is the denominator s1 or the numerator s2. */
  static String scale(Values v) {
    Chunk c = v.c();
    String s0 = v.a();
    Scale of = Scale.of(c, v.second(), v.third());
    String up = c.f64("fmul", s0, UP);
    String down = c.f64("fmul", s0, DOWN);
    String isDenominator = compared(c, "oeq", s0, v.second());
    String isNumerator = compared(c, "oeq", s0, v.third());
    String one = w(Double.doubleToRawLongBits(1));
    String tinyReciprocal = denormal(c, c.f64("fdiv", one, v.second()));
    String small = c.i64("icmp ule", exponent(c, v.third()), w(53));
    String r = c.select(small, c.longs, up, s0);
    r = c.select(of.tinyQuotient(), c.longs, c.select(isNumerator, c.longs, up, s0), r);
    r = c.select(tinyReciprocal, c.longs, down, r);
    String both = and(c, tinyReciprocal, of.tinyQuotient());
    r = c.select(both, c.longs, c.select(isDenominator, c.longs, down, s0), r);
    r = c.select(of.denormal(), c.longs, up, r);
    r = c.select(of.far(), c.longs, c.select(isDenominator, c.longs, up, s0), r);
    return c.select(of.zero(), c.longs, w(Double.doubleToRawLongBits(Double.NaN)), r);
  }

  /** Whether v_div_fmas_f64 has to take back a scale. */
  static String scaled(Values v) {
    Chunk c = v.c();
    Scale of = Scale.of(c, v.second(), v.third());
    String tiny = and(c, not(c, of.denormal()), of.tinyQuotient());
    return and(c, not(c, of.zero()), or(c, of.far(), tiny));
  }

  /** v_div_fmas_f64: one rounding, with the scale taken back. */
  static String fmas(Values v) {
    Chunk c = v.c();
    String sum = DoubleWork.fma(c, v.a(), v.second(), v.third());
    String large = c.i64("icmp ugt", exponent(c, v.third()), w(1023));
    String up = c.f64("fmul", sum, UP);
    String down = lowered(c, sum, v.a(), v.second(), v.third());
    return c.select(v.taken(), c.longs, c.select(large, c.longs, up, down), sum);
  }

  /**
   * (a * b + d) * 2^-128, rounded once, where the sum is known with one rounding. The two roundings
   * differ where the second one meets a tie, which what the first one lost decides.
   */
  private static String lowered(Chunk c, String sum, String a, String b, String d) {
    String once = c.f64("fmul", sum, DOWN);
    String rest = c.f64("fsub", sum, c.f64("fmul", once, UP));
    String tie = c.i64("icmp eq", size(c, rest), w(Double.doubleToRawLongBits(0x1p-947)));
    String lost = lost(c, sum, a, b, d);
    String same = compared(c, "ogt", c.f64("fmul", sign(c, lost), rest), ZERO);
    String step = c.i64("or", w(1), c.i64("and", rest, w(Long.MIN_VALUE)));
    return c.select(and(c, tie, same), c.longs, c.f64("fadd", once, step), once);
  }

  /** 1, or -1, or 0 with the sign of a number. */
  private static String sign(Chunk c, String a) {
    String one = c.i64("or", w(1023L << 52), c.i64("and", a, w(Long.MIN_VALUE)));
    return c.select(compared(c, "une", a, ZERO), c.longs, one, ZERO);
  }

  /**
   * What fma lost, or a number of its sign. Source: Boldo and Muller, Exact and Approximated Error
   * of the FMA, 2011.
   */
  private static String lost(Chunk c, String sum, String a, String b, String d) {
    String product = c.f64("fmul", a, b);
    String below = DoubleWork.fma(c, a, b, c.i64("xor", product, w(Long.MIN_VALUE)));
    String alpha = c.f64("fadd", d, below);
    String alphaLow = twoSum(c, d, below, alpha);
    String beta = c.f64("fadd", product, alpha);
    String betaLow = twoSum(c, product, alpha, beta);
    String gamma = c.f64("fadd", c.f64("fsub", beta, sum), betaLow);
    return c.f64("fadd", gamma, alphaLow);
  }

  /** What a sum lost. */
  private static String twoSum(Chunk c, String a, String b, String sum) {
    String first = c.f64("fsub", sum, b);
    String second = c.f64("fsub", sum, first);
    return c.f64("fadd", c.f64("fsub", a, first), c.f64("fsub", b, second));
  }

  /** v_div_fixup_f64: quotient a, denominator b, numerator d. */
  static String fixup(Chunk c, String a, String b, String d) {
    String infinity = w(INFINITY);
    String quiet = w(1L << 51);
    String denominator = size(c, b);
    String numerator = size(c, d);
    String quotient = size(c, a);
    String sign = c.i64("and", c.i64("xor", b, d), w(Long.MIN_VALUE));
    String infinite = c.i64("or", sign, infinity);
    String tooLarge = c.i64("icmp ugt", quotient, infinity);
    String r = c.select(tooLarge, c.longs, infinite, c.i64("or", quotient, sign));
    String difference =
        c.i64("sub", c.i64("lshr", numerator, w(52)), c.i64("lshr", denominator, w(52)));
    r = c.select(c.i64("icmp slt", difference, w(-1075)), c.longs, sign, r);
    String noDenominator = c.i64("icmp eq", denominator, ZERO);
    String noNumerator = c.i64("icmp eq", numerator, ZERO);
    String denominatorInfinite = c.i64("icmp eq", denominator, infinity);
    String numeratorInfinite = c.i64("icmp eq", numerator, infinity);
    r = c.select(or(c, denominatorInfinite, noNumerator), c.longs, sign, r);
    r = c.select(or(c, noDenominator, numeratorInfinite), c.longs, infinite, r);
    String invalid =
        or(c, and(c, noDenominator, noNumerator), and(c, denominatorInfinite, numeratorInfinite));
    r = c.select(invalid, c.longs, w(0xfff8000000000000L), r);
    r = c.select(c.i64("icmp ugt", denominator, infinity), c.longs, c.i64("or", b, quiet), r);
    return c.select(c.i64("icmp ugt", numerator, infinity), c.longs, c.i64("or", d, quiet), r);
  }
}
