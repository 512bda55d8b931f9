package dev.rocport.device.nativecode;

import dev.rocport.device.nativecode.LaneWork.Values;

/** The steps of a division of 32-bit floats, as {@code device.op.vector.Divisions} has them. */
final class Division {
  private static final String UP = "splat (float 0x43F0000000000000)";
  private static final String DOWN = "splat (float 0x3BF0000000000000)";

  /** 2^-126. */
  private static final String LEAST = "splat (float 0x3810000000000000)";

  private static final String LEAST_WIDE = "splat (double 0x3810000000000000)";

  private Division() {}

  private static String n(int value) {
    return "splat (i32 %d)".formatted(value);
  }

  private static String exponent(Chunk c, String a) {
    return c.i32("and", c.i32("lshr", a, n(23)), n(255));
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

  private static String test(Chunk c, String how, String a, String b) {
    return c.ir.value("fcmp %s %s %s, %s", how, c.floats, a, b);
  }

  private static String denormal(Chunk c, String a) {
    String size = c.call(c.floats, "fabs", "f32", a);
    return and(c, test(c, "une", a, "zeroinitializer"), test(c, "olt", size, LEAST));
  }

  private static String wide(Chunk c, String a) {
    return c.convert("fpext", c.floats, a, c.doubles);
  }

  /** What decides on the scale of a division of s2 by s1. */
  private record Scale(String zero, String far, String denormal, String tinyQuotient) {
    static Scale of(Chunk c, String bits1, String bits2) {
      String s1 = c.toFloats(bits1);
      String s2 = c.toFloats(bits2);
      String zero =
          or(c, test(c, "oeq", s2, "zeroinitializer"), test(c, "oeq", s1, "zeroinitializer"));
      String difference = c.i32("sub", exponent(c, bits2), exponent(c, bits1));
      String far = c.i32("icmp sge", difference, n(96));
      String ratio = c.ir.value("fdiv %s %s, %s", c.doubles, wide(c, s2), wide(c, s1));
      String quotient = c.call(c.doubles, "fabs", "f64", ratio);
      String some = c.ir.value("fcmp une %s %s, zeroinitializer", c.doubles, quotient);
      String below = c.ir.value("fcmp olt %s %s, %s", c.doubles, quotient, LEAST_WIDE);
      return new Scale(zero, far, Division.denormal(c, s1), and(c, some, below));
    }
  }

  /** v_div_scale_f32: s0, which is the denominator s1 or the numerator s2. */
  static String scale(Values v) {
    Chunk c = v.c();
    Scale of = Scale.of(c, v.second(), v.third());
    String s0 = c.toFloats(v.a());
    String s1 = c.toFloats(v.second());
    String s2 = c.toFloats(v.third());
    String up = c.toInts(c.ir.value("fmul %s %s, %s", c.floats, s0, UP));
    String down = c.toInts(c.ir.value("fmul %s %s, %s", c.floats, s0, DOWN));
    String isDenominator = test(c, "oeq", s0, s1);
    String isNumerator = test(c, "oeq", s0, s2);
    String reciprocal =
        c.convert(
            "fptrunc",
            c.doubles,
            c.ir.value("fdiv %s %s, %s", c.doubles, FloatWork.ONE, wide(c, s1)),
            c.floats);
    String tinyReciprocal = denormal(c, reciprocal);
    String small = c.i32("icmp ule", exponent(c, v.third()), n(23));
    String r = c.select(small, c.ints, up, v.a());
    r = c.select(of.tinyQuotient(), c.ints, c.select(isNumerator, c.ints, up, v.a()), r);
    r = c.select(tinyReciprocal, c.ints, down, r);
    String both = and(c, tinyReciprocal, of.tinyQuotient());
    r = c.select(both, c.ints, c.select(isDenominator, c.ints, down, v.a()), r);
    r = c.select(of.denormal(), c.ints, up, r);
    r = c.select(of.far(), c.ints, c.select(isDenominator, c.ints, up, v.a()), r);
    return c.select(of.zero(), c.ints, n(0x7fc00000), r);
  }

  /** Whether v_div_fmas_f32 has to take back a scale. */
  static String scaled(Values v) {
    Chunk c = v.c();
    Scale of = Scale.of(c, v.second(), v.third());
    String tiny = and(c, not(c, of.denormal()), of.tinyQuotient());
    return and(c, not(c, of.zero()), or(c, of.far(), tiny));
  }

  /** v_div_fmas_f32: one rounding, with the scale taken back. */
  static String fmas(Values v) {
    Chunk c = v.c();
    String a = c.toFloats(v.a());
    String b = c.toFloats(v.second());
    String d = c.toFloats(v.third());
    String plain = c.toInts(c.call(c.floats, "fma", "f32", a, b, d));
    String product = c.ir.value("fmul %s %s, %s", c.doubles, wide(c, a), wide(c, b));
    String sum = c.ir.value("fadd %s %s, %s", c.doubles, product, wide(c, d));
    String t = c.ir.value("fsub %s %s, %s", c.doubles, sum, product);
    String left = c.ir.value("fsub %s %s, %s", c.doubles, sum, t);
    String lostProduct = c.ir.value("fsub %s %s, %s", c.doubles, product, left);
    String lostSummand = c.ir.value("fsub %s %s, %s", c.doubles, wide(c, d), t);
    String lost = c.ir.value("fadd %s %s, %s", c.doubles, lostProduct, lostSummand);
    String bits = c.toLongs(sum);
    String size = c.i64("and", bits, "splat (i64 9223372036854775807)");
    String finite = c.i64("icmp ult", size, "splat (i64 9218868437227405312)");
    String some = c.ir.value("fcmp une %s %s, zeroinitializer", c.doubles, lost);
    String even = c.i64("icmp eq", c.i64("and", bits, "splat (i64 1)"), "zeroinitializer");
    String lostUp = c.ir.value("fcmp ogt %s %s, zeroinitializer", c.doubles, lost);
    String sumUp = c.ir.value("fcmp ogt %s %s, zeroinitializer", c.doubles, sum);
    String differ = c.ir.value("xor %s %s, %s", c.bits, lostUp, sumUp);
    String step = c.select(differ, c.longs, "splat (i64 -1)", "splat (i64 1)");
    String odd = and(c, finite, and(c, some, even));
    String rounded = c.toDoubles(c.select(odd, c.longs, c.i64("add", bits, step), bits));
    String large = c.i32("icmp ugt", exponent(c, v.third()), n(127));
    String factor =
        c.ir.value(
            "select %s %s, %s splat (double 0x43F0000000000000), %s splat (double"
                + " 0x3BF0000000000000)",
            c.bits, large, c.doubles, c.doubles);
    String scaled = c.ir.value("fmul %s %s, %s", c.doubles, rounded, factor);
    String narrow = c.toInts(c.convert("fptrunc", c.doubles, scaled, c.floats));
    return c.select(v.taken(), c.ints, narrow, plain);
  }

  /** v_div_fixup_f32: quotient a, denominator b, numerator d. */
  static String fixup(Chunk c, String a, String b, String d) {
    String infinity = n(0x7f800000);
    String denominator = c.i32("and", b, n(0x7fffffff));
    String numerator = c.i32("and", d, n(0x7fffffff));
    String quotient = c.i32("and", a, n(0x7fffffff));
    String sign = c.i32("and", c.i32("xor", b, d), n(0x80000000));
    String infinite = c.i32("or", sign, infinity);
    String tooLarge = c.i32("icmp ugt", quotient, infinity);
    String r = c.select(tooLarge, c.ints, infinite, c.i32("or", quotient, sign));
    String difference =
        c.i32("sub", c.i32("lshr", numerator, n(23)), c.i32("lshr", denominator, n(23)));
    r = c.select(c.i32("icmp slt", difference, n(-150)), c.ints, sign, r);
    String noDenominator = c.i32("icmp eq", denominator, n(0));
    String noNumerator = c.i32("icmp eq", numerator, n(0));
    String denominatorInfinite = c.i32("icmp eq", denominator, infinity);
    String numeratorInfinite = c.i32("icmp eq", numerator, infinity);
    r = c.select(or(c, denominatorInfinite, noNumerator), c.ints, sign, r);
    r = c.select(or(c, noDenominator, numeratorInfinite), c.ints, infinite, r);
    String invalid =
        or(c, and(c, noDenominator, noNumerator), and(c, denominatorInfinite, numeratorInfinite));
    r = c.select(invalid, c.ints, n(0xffc00000), r);
    r = c.select(c.i32("icmp ugt", denominator, infinity), c.ints, c.i32("or", b, n(0x400000)), r);
    return c.select(c.i32("icmp ugt", numerator, infinity), c.ints, c.i32("or", d, n(0x400000)), r);
  }
}
