package dev.rocport.device.nativecode;

import dev.rocport.device.nativecode.LaneWork.Values;

/** The steps of a division, as {@code device.op.vector.Divisions} has them. */
final class Division {
  static final Division F32 = new Division(FloatFormat.F32, 64, 96, 23, -150);
  static final Division F64 = new Division(FloatFormat.F64, 128, 768, 53, -1075);

  private static final String LEAST_FLOAT = "splat (double 0x3810000000000000)";

  private final FloatFormat format;
  private final int far;
  private final int small;
  private final int lost;
  private final String zero;

  /** 1, 2^scale and 2^-scale. */
  private final String one;

  private final String up;
  private final String down;

  /**
   * @param scale the exponent of the factor of the scale
   * @param far by how much exponents of numerator and denominator differ at least for a scale
   * @param small the biased exponent up to which numerators are scaled
   * @param lost the difference of exponents below which quotients are zero
   */
  private Division(FloatFormat format, int scale, int far, int small, int lost) {
    this.format = format;
    this.far = far;
    this.small = small;
    this.lost = lost;
    this.zero = format.splat(0);
    this.one = power(0);
    this.up = power(scale);
    this.down = power(-scale);
  }

  private String power(int exponent) {
    long bias = (format.infinity() >>> (format.mantissa() + 1));
    return format.splat((bias + exponent) << format.mantissa());
  }

  private String denormal(Chunk c, String a) {
    String least = format.splat(1L << format.mantissa());
    return c.both(format.test(c, "une", a, zero), format.test(c, "olt", format.size(c, a), least));
  }

  private static String wide(Chunk c, String a) {
    return c.convert("fpext", c.floats, c.toFloats(a), c.doubles);
  }

  /** What decides on the scale of a division of s2 by s1. */
  private record Scale(String zero, String far, String denormal, String tinyQuotient) {}

  private Scale scaleOf(Chunk c, String s1, String s2) {
    String difference = format.bits(c, "sub", format.exponent(c, s2), format.exponent(c, s1));
    return new Scale(
        c.either(format.test(c, "oeq", s2, zero), format.test(c, "oeq", s1, zero)),
        format.bits(c, "icmp sge", difference, format.splat(far)),
        denormal(c, s1),
        tinyQuotient(c, s1, s2));
  }

  private String tinyQuotient(Chunk c, String s1, String s2) {
    if (format == FloatFormat.F64) {
      String infinity = format.splat(format.infinity());
      String finite =
          c.both(
              format.bits(c, "icmp ult", format.size(c, s1), infinity),
              format.bits(c, "icmp ult", format.size(c, s2), infinity));
      String quotient = format.size(c, format.numbers(c, "fdiv", s2, s1));
      String least = format.splat(1L << format.mantissa());
      return c.both(finite, format.test(c, "olt", quotient, least));
    }
    String ratio = c.ir.value("fdiv %s %s, %s", c.doubles, wide(c, s2), wide(c, s1));
    String quotient = c.call(c.doubles, "fabs", "f64", ratio);
    return c.both(
        c.ir.value("fcmp une %s %s, zeroinitializer", c.doubles, quotient),
        c.ir.value("fcmp olt %s %s, %s", c.doubles, quotient, LEAST_FLOAT));
  }

  private String reciprocal(Chunk c, String a) {
    if (format == FloatFormat.F64) {
      return format.numbers(c, "fdiv", one, a);
    }
    String wide = SeriesWork.reciprocal(c, wide(c, a));
    return c.toInts(c.convert("fptrunc", c.doubles, wide, c.floats));
  }

  /** v_div_scale: s0, which is the denominator s1 or the numerator s2. */
  String scale(Values v) {
    Chunk c = v.c();
    String s0 = v.a();
    Scale of = scaleOf(c, v.second(), v.third());
    String raised = format.numbers(c, "fmul", s0, up);
    String lowered = format.numbers(c, "fmul", s0, down);
    String isDenominator = format.test(c, "oeq", s0, v.second());
    String isNumerator = format.test(c, "oeq", s0, v.third());
    String tinyReciprocal = denormal(c, reciprocal(c, v.second()));
    String isSmall = format.bits(c, "icmp ule", format.exponent(c, v.third()), format.splat(small));
    String r = format.select(c, isSmall, raised, s0);
    r = format.select(c, of.tinyQuotient(), format.select(c, isNumerator, raised, s0), r);
    r = format.select(c, tinyReciprocal, lowered, r);
    String both = c.both(tinyReciprocal, of.tinyQuotient());
    r = format.select(c, both, format.select(c, isDenominator, lowered, s0), r);
    r = format.select(c, of.denormal(), raised, r);
    r = format.select(c, of.far(), format.select(c, isDenominator, raised, s0), r);
    String nan = format.splat(format.infinity() | format.quietBit());
    return format.select(c, of.zero(), nan, r);
  }

  /** Whether v_div_fmas has to take back a scale. */
  String scaled(Values v) {
    Chunk c = v.c();
    Scale of = scaleOf(c, v.second(), v.third());
    String tiny = c.both(c.not(of.denormal()), of.tinyQuotient());
    return c.both(c.not(of.zero()), c.either(of.far(), tiny));
  }

  /** v_div_fmas: one rounding, with the scale taken back. */
  String fmas(Values v) {
    Chunk c = v.c();
    String plain = format.fma(c, v.a(), v.second(), v.third());
    String bias = format.splat(format.infinity() >>> (format.mantissa() + 1));
    String large = format.bits(c, "icmp ugt", format.exponent(c, v.third()), bias);
    String back =
        format == FloatFormat.F64
            ? format.select(
                c,
                large,
                format.numbers(c, "fmul", plain, up),
                DoubleRounding.lowered(c, plain, v.a(), v.second(), v.third(), up, down))
            : format.select(c, nan(c, v), plain, takenBack(c, v, large));
    return format.select(c, v.taken(), back, plain);
  }

  private String nan(Chunk c, Values v) {
    String factors = format.test(c, "uno", v.a(), v.second());
    return c.either(factors, format.test(c, "uno", v.third(), v.third()));
  }

  /** Of floats, by way of doubles: the product is exact there, and the sum is rounded to odd. */
  private static String takenBack(Chunk c, Values v, String large) {
    String product = c.ir.value("fmul %s %s, %s", c.doubles, wide(c, v.a()), wide(c, v.second()));
    String summand = wide(c, v.third());
    String sum = c.ir.value("fadd %s %s, %s", c.doubles, product, summand);
    String t = c.ir.value("fsub %s %s, %s", c.doubles, sum, product);
    String left = c.ir.value("fsub %s %s, %s", c.doubles, sum, t);
    String lostProduct = c.ir.value("fsub %s %s, %s", c.doubles, product, left);
    String lostSummand = c.ir.value("fsub %s %s, %s", c.doubles, summand, t);
    String lost = c.ir.value("fadd %s %s, %s", c.doubles, lostProduct, lostSummand);
    String bits = c.toLongs(sum);
    String size = FloatFormat.F64.size(c, bits);
    String finite = c.i64("icmp ult", size, LaneWork.w(FloatFormat.F64.infinity()));
    String some = c.ir.value("fcmp une %s %s, zeroinitializer", c.doubles, lost);
    String even = c.i64("icmp eq", c.i64("and", bits, "splat (i64 1)"), "zeroinitializer");
    String lostUp = c.ir.value("fcmp ogt %s %s, zeroinitializer", c.doubles, lost);
    String sumUp = c.ir.value("fcmp ogt %s %s, zeroinitializer", c.doubles, sum);
    String differ = c.ir.value("xor %s %s, %s", c.bits, lostUp, sumUp);
    String step = c.select(differ, c.longs, "splat (i64 -1)", "splat (i64 1)");
    String odd = c.both(finite, c.both(some, even));
    String rounded = c.toDoubles(c.select(odd, c.longs, c.i64("add", bits, step), bits));
    String factor =
        c.select(
            large,
            c.doubles,
            "splat (double 0x43F0000000000000)",
            "splat (double 0x3BF0000000000000)");
    String scaled = c.ir.value("fmul %s %s, %s", c.doubles, rounded, factor);
    return c.toInts(c.convert("fptrunc", c.doubles, scaled, c.floats));
  }

  /** v_div_fixup: quotient a, denominator b, numerator d. */
  String fixup(Chunk c, String a, String b, String d) {
    String infinity = format.splat(format.infinity());
    String denominator = format.size(c, b);
    String numerator = format.size(c, d);
    String quotient = format.size(c, a);
    String sign = format.bits(c, "and", format.bits(c, "xor", b, d), format.splat(format.sign()));
    String infinite = format.bits(c, "or", sign, infinity);
    String tooLarge = format.bits(c, "icmp ugt", quotient, infinity);
    String r = format.select(c, tooLarge, infinite, format.bits(c, "or", quotient, sign));
    String difference =
        format.bits(c, "sub", format.exponent(c, numerator), format.exponent(c, denominator));
    String isLost = format.bits(c, "icmp slt", difference, format.splat(lost));
    r = format.select(c, isLost, sign, r);
    String noDenominator = format.bits(c, "icmp eq", denominator, zero);
    String noNumerator = format.bits(c, "icmp eq", numerator, zero);
    String denominatorInfinite = format.bits(c, "icmp eq", denominator, infinity);
    String numeratorInfinite = format.bits(c, "icmp eq", numerator, infinity);
    r = format.select(c, c.either(denominatorInfinite, noNumerator), sign, r);
    r = format.select(c, c.either(noDenominator, numeratorInfinite), infinite, r);
    String invalid =
        c.either(
            c.both(noDenominator, noNumerator), c.both(denominatorInfinite, numeratorInfinite));
    String nan = format.splat(format.sign() | format.infinity() | format.quietBit());
    r = format.select(c, invalid, nan, r);
    String quiet = format.splat(format.quietBit());
    String denominatorNan = format.bits(c, "icmp ugt", denominator, infinity);
    r = format.select(c, denominatorNan, format.bits(c, "or", b, quiet), r);
    String numeratorNan = format.bits(c, "icmp ugt", numerator, infinity);
    return format.select(c, numeratorNan, format.bits(c, "or", d, quiet), r);
  }
}
