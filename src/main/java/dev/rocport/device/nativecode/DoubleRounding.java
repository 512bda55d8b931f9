package dev.rocport.device.nativecode;

import static dev.rocport.device.nativecode.LaneWork.w;

/** A sum of 64-bit floats that is divided by a power of two and rounded once. */
final class DoubleRounding {
  private static final FloatFormat F64 = FloatFormat.F64;

  private DoubleRounding() {}

  /**
   * (a * b + d) * 2^-128, rounded once, where the sum is known with one rounding. The two roundings
   * differ where the second one meets a tie, which what the first one lost decides. That is
   * computed from values times 2^512, because it may be too small for a number. They are finite: if
   * there is a tie, the sum is below 2^-893, and the product below 2^-780.
   *
   * @param up 2^128
   * @param down 2^-128
   */
  static String lowered(Chunk c, String sum, String a, String b, String d, String up, String down) {
    String once = c.f64("fmul", sum, down);
    String rest = c.f64("fsub", sum, c.f64("fmul", once, up));
    String half = w(Double.doubleToRawLongBits(0x1p-947));
    String tie = c.i64("icmp eq", F64.size(c, rest), half);
    String far = w(1535L << 52);
    String lost = lost(c, c.f64("fmul", sum, far), c.f64("fmul", a, far), b, c.f64("fmul", d, far));
    String same = F64.test(c, "ogt", c.f64("fmul", sign(c, lost), rest), w(0));
    String step = c.i64("or", w(1), c.i64("and", rest, w(Long.MIN_VALUE)));
    return c.select(c.both(tie, same), c.longs, c.f64("fadd", once, step), once);
  }

  /** 1, or -1, or 0 with the sign of a number. */
  private static String sign(Chunk c, String a) {
    return c.select(F64.test(c, "une", a, w(0)), c.longs, signed(c, a), w(0));
  }

  /** 1, or -1 if the sign is set. */
  private static String signed(Chunk c, String a) {
    return c.i64("or", w(1023L << 52), c.i64("and", a, w(Long.MIN_VALUE)));
  }

  /**
   * What fma lost, or a number of its sign. Source: Boldo and Muller, Exact and Approximated Error
   * of the FMA, 2011.
   */
  private static String lost(Chunk c, String sum, String a, String b, String d) {
    String product = c.f64("fmul", a, b);
    String below = c.fma64(a, b, c.i64("xor", product, w(Long.MIN_VALUE)));
    String alpha = c.f64("fadd", d, below);
    String alphaLow = twoSum(c, d, below, alpha);
    String beta = c.f64("fadd", product, alpha);
    String betaLow = twoSum(c, product, alpha, beta);
    String gamma = c.f64("fadd", c.f64("fsub", beta, sum), betaLow);
    String some = c.f64("fadd", gamma, alphaLow);
    // A product that is too small for a number still has a sign.
    String none = F64.test(c, "oeq", product, w(0));
    String factors = c.both(F64.test(c, "une", a, w(0)), F64.test(c, "une", b, w(0)));
    return c.select(c.both(none, factors), c.longs, signed(c, product), some);
  }

  /** What a sum lost. */
  private static String twoSum(Chunk c, String a, String b, String sum) {
    String first = c.f64("fsub", sum, b);
    String second = c.f64("fsub", sum, first);
    return c.f64("fadd", c.f64("fsub", a, first), c.f64("fsub", b, second));
  }
}
