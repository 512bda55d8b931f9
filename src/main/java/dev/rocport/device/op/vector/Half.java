package dev.rocport.device.op.vector;

import java.math.BigDecimal;

/** Binary16 in the low half of a register. */
final class Half {
  private static final int NAN = 0x7e00;

  private Half() {}

  /** The value of the low 16 bits. */
  static float value(long bits) {
    return Float.float16ToFloat((short) bits);
  }

  /** Rounded to nearest even, the high half 0. */
  static int bits(float value) {
    return Float.floatToFloat16(value) & 0xffff;
  }

  /** Rounded to nearest even at once, not through a float. */
  static int bits(double value) {
    float f = (float) value;
    // To odd, so that the second rounding decides as one rounding would have done.
    if (f != value && !Float.isNaN(f) && (Float.floatToRawIntBits(f) & 1) == 0) {
      f = Math.abs((double) f) > Math.abs(value) ? towardsZero(f) : awayFromZero(f);
    }
    return bits(f);
  }

  private static float towardsZero(float f) {
    return Float.intBitsToFloat(Float.floatToRawIntBits(f) - 1);
  }

  private static float awayFromZero(float f) {
    return Float.isInfinite(f) ? f : Float.intBitsToFloat(Float.floatToRawIntBits(f) + 1);
  }

  /** a * b + c with one rounding. */
  static int fma(float a, float b, float c) {
    double sum = OddSum.of((double) a * b, c);
    if (!Double.isFinite(sum)) {
      return Double.isNaN(sum) ? nan(a, b, c) : bits((float) sum);
    }
    return bits(sum);
  }

  private static int nan(float a, float b, float c) {
    if (Float.isNaN(a)) {
      return bits(a);
    }
    if (Float.isNaN(b)) {
      return bits(b);
    }
    return Float.isNaN(c) ? bits(c) : NAN;
  }

  /**
   * Rounded in a direction.
   *
   * @param rounding 0 to nearest even, 1 up, 2 down, 3 to zero
   */
  static int bits(double value, int rounding) {
    if (rounding == 0 || Double.isNaN(value) || Double.isInfinite(value) || value == 0) {
      return bits(value);
    }
    int half = bits(value);
    double rounded = value(half);
    if (rounded == value) {
      return half;
    }
    boolean negative = value < 0;
    boolean tooFar = Math.abs(rounded) > Math.abs(value);
    boolean away = (rounding == 1 && !negative) || (rounding == 2 && negative);
    if (tooFar && !away) {
      return half - 1;
    }
    return !tooFar && away ? half + 1 : half;
  }

  /** An exact number rounded in a direction, which may be none of binary64. */
  static int bits(BigDecimal value, int rounding) {
    double near = value.doubleValue();
    int order = value.compareTo(new BigDecimal(near));
    if (order != 0 && (Double.doubleToRawLongBits(near) & 1) == 0) {
      near = order > 0 ? Math.nextUp(near) : Math.nextDown(near);
    }
    return bits(near, rounding);
  }

  static boolean isNan(long bits) {
    return (bits & 0x7fff) > 0x7c00;
  }
}
