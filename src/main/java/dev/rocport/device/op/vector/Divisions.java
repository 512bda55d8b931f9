package dev.rocport.device.op.vector;

import static dev.rocport.device.isa.DataType.F16;
import static dev.rocport.device.isa.DataType.F32;
import static dev.rocport.device.isa.DataType.F64;

import java.math.BigDecimal;

/**
 * The steps of an IEEE division: v_div_scale brings numerator and denominator where nothing
 * overflows or is denormal, v_div_fmas takes that back with the last rounding, v_div_fixup sees to
 * the special values. Source: AMD's CDNA3 ISA manual; the powers of two are those that make the
 * quotient right.
 */
final class Divisions {
  private static final double LEAST_NORMAL = Double.MIN_NORMAL;

  private Divisions() {}

  static final Definition SCALE_F32 =
      Definition.of(
              (a, b, c, bit) ->
                  Float.floatToRawIntBits(
                      scale(
                          Float.intBitsToFloat((int) a),
                          Float.intBitsToFloat((int) b),
                          Float.intBitsToFloat((int) c))),
              F32,
              F32,
              F32,
              F32)
          .test(
              (a, b, c, bit) ->
                  scaled(Float.intBitsToFloat((int) b), Float.intBitsToFloat((int) c)));

  static final Definition SCALE_F64 =
      Definition.of(
              (a, b, c, bit) ->
                  Double.doubleToRawLongBits(
                      scale(
                          Double.longBitsToDouble(a),
                          Double.longBitsToDouble(b),
                          Double.longBitsToDouble(c))),
              F64,
              F64,
              F64,
              F64)
          .test((a, b, c, bit) -> scaled(Double.longBitsToDouble(b), Double.longBitsToDouble(c)));

  static final Definition FMAS_F32 =
      Definition.of(
              (a, b, c, bit) ->
                  Float.floatToRawIntBits(
                      fmas(
                          Float.intBitsToFloat((int) a),
                          Float.intBitsToFloat((int) b),
                          Float.intBitsToFloat((int) c),
                          bit)),
              F32,
              F32,
              F32,
              F32)
          .takingMask()
          .onlyToNearest();

  static final Definition FMAS_F64 =
      Definition.of(
              (a, b, c, bit) ->
                  Double.doubleToRawLongBits(
                      fmas(
                          Double.longBitsToDouble(a),
                          Double.longBitsToDouble(b),
                          Double.longBitsToDouble(c),
                          bit)),
              F64,
              F64,
              F64,
              F64)
          .takingMask()
          .onlyToNearest();

  static final Definition FIXUP_F32 =
      Definition.of(
          (a, b, c, bit) -> fixup(a, b, c, 32, 23, 0xffc00000L, -150), F32, F32, F32, F32);

  static final Definition FIXUP_F64 =
      Definition.of(
          (a, b, c, bit) -> fixup(a, b, c, 64, 52, 0xfff8000000000000L, -1075), F64, F64, F64, F64);

  static final Definition FIXUP_F16 =
      Definition.of(
          (a, b, c, bit) -> fixup(a & 0xffff, b & 0xffff, c & 0xffff, 16, 10, 0xfe00, -26),
          F16,
          F16,
          F16,
          F16);

  /** The biased exponent. */
  private static int exponent(float a) {
    return Float.floatToRawIntBits(a) >>> 23 & 0xff;
  }

  private static int exponent(double a) {
    return (int) (Double.doubleToRawLongBits(a) >>> 52) & 0x7ff;
  }

  private static boolean denormal(double a) {
    return a != 0 && Math.abs(a) < LEAST_NORMAL;
  }

  private static boolean denormal(float a) {
    return a != 0 && Math.abs(a) < Float.MIN_NORMAL;
  }

  /** What v_div_scale_f32 does to s0, which is the denominator s1 or the numerator s2. */
  private static float scale(float s0, float s1, float s2) {
    if (s2 == 0 || s1 == 0) {
      return Float.NaN;
    }
    if (exponent(s2) - exponent(s1) >= 96) {
      return s0 == s1 ? Math.scalb(s0, 64) : s0;
    }
    if (denormal(s1)) {
      return Math.scalb(s0, 64);
    }
    boolean tinyReciprocal = denormal((float) (1.0 / s1));
    boolean tinyQuotient = tiny(s1, s2);
    if (tinyReciprocal && tinyQuotient) {
      return s0 == s1 ? Math.scalb(s0, -64) : s0;
    }
    if (tinyReciprocal) {
      return Math.scalb(s0, -64);
    }
    if (tinyQuotient) {
      return s0 == s2 ? Math.scalb(s0, 64) : s0;
    }
    return exponent(s2) <= 23 ? Math.scalb(s0, 64) : s0;
  }

  private static boolean tiny(float s1, float s2) {
    double quotient = Math.abs((double) s2 / s1);
    return quotient != 0 && quotient < Float.MIN_NORMAL;
  }

  /** Whether v_div_fmas_f32 has to take back a scale. */
  private static boolean scaled(float s1, float s2) {
    if (s2 == 0 || s1 == 0) {
      return false;
    }
    if (exponent(s2) - exponent(s1) >= 96) {
      return true;
    }
    return !denormal(s1) && tiny(s1, s2);
  }

  private static float fmas(float a, float b, float c, boolean scaled) {
    if (!scaled) {
      return Arithmetic.fma(a, b, c);
    }
    if (Float.isNaN(a) || Float.isNaN(b) || Float.isNaN(c)) {
      return Arithmetic.fma(a, b, c);
    }
    // One rounding: in binary64 the product is exact, and the sum is rounded to odd.
    double sum = OddSum.of((double) a * b, c);
    return (float) Math.scalb(sum, exponent(c) > 127 ? 64 : -64);
  }

  private static double scale(double s0, double s1, double s2) {
    if (s2 == 0 || s1 == 0) {
      return Double.NaN;
    }
    if (exponent(s2) - exponent(s1) >= 768) {
      return s0 == s1 ? Math.scalb(s0, 128) : s0;
    }
    if (denormal(s1)) {
      return Math.scalb(s0, 128);
    }
    boolean tinyReciprocal = denormal(1.0 / s1);
    boolean tinyQuotient = denormalOrLost(s1, s2);
    if (tinyReciprocal && tinyQuotient) {
      return s0 == s1 ? Math.scalb(s0, -128) : s0;
    }
    if (tinyReciprocal) {
      return Math.scalb(s0, -128);
    }
    if (tinyQuotient) {
      return s0 == s2 ? Math.scalb(s0, 128) : s0;
    }
    return exponent(s2) <= 53 ? Math.scalb(s0, 128) : s0;
  }

  private static boolean denormalOrLost(double s1, double s2) {
    return Double.isFinite(s1) && Double.isFinite(s2) && Math.abs(s2 / s1) < LEAST_NORMAL;
  }

  private static boolean scaled(double s1, double s2) {
    if (s2 == 0 || s1 == 0) {
      return false;
    }
    if (exponent(s2) - exponent(s1) >= 768) {
      return true;
    }
    return !denormal(s1) && denormalOrLost(s1, s2);
  }

  private static double fmas(double a, double b, double c, boolean scaled) {
    if (!scaled) {
      return Arithmetic.fma(a, b, c);
    }
    double sum = Arithmetic.fma(a, b, c);
    int scale = exponent(c) > 1023 ? 128 : -128;
    if (!Double.isFinite(sum) || scale > 0) {
      return Math.scalb(sum, scale);
    }
    BigDecimal exact = new BigDecimal(a).multiply(new BigDecimal(b)).add(new BigDecimal(c));
    return exact.signum() == 0
        ? Math.scalb(sum, scale)
        : exact.divide(new BigDecimal(2).pow(128)).doubleValue();
  }

  /** Quotient a, denominator b, numerator c, in a format of {@code width} bits. */
  private static long fixup(
      long a, long b, long c, int width, int mantissa, long invalid, int least) {
    long sign = 1L << (width - 1);
    long magnitude = sign - 1;
    long infinity = ((1L << (width - 1 - mantissa)) - 1) << mantissa;
    long quiet = 1L << (mantissa - 1);
    long denominator = b & magnitude;
    long numerator = c & magnitude;
    long signOut = (b ^ c) & sign;
    if (numerator > infinity) {
      return c | quiet;
    }
    if (denominator > infinity) {
      return b | quiet;
    }
    if ((denominator == 0 && numerator == 0)
        || (denominator == infinity && numerator == infinity)) {
      return invalid;
    }
    if (denominator == 0 || numerator == infinity) {
      return signOut | infinity;
    }
    if (denominator == infinity || numerator == 0) {
      return signOut;
    }
    if ((numerator >>> mantissa) - (denominator >>> mantissa) < least) {
      return signOut;
    }
    // Steps that went through infinity leave no number: the quotient was too large.
    return (a & magnitude) > infinity ? signOut | infinity : (a & magnitude) | signOut;
  }
}
