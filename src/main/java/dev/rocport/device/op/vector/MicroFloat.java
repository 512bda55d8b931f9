package dev.rocport.device.op.vector;

/**
 * The floats of 8, 6 and 4 bits of gfx950, in the order of the codes that choose them in {@code
 * f8f6f4} instructions. Those of 6 and 4 bits have neither infinities nor NaN. Source: OCP
 * Microscaling Formats specification 1.0.
 */
public enum MicroFloat {
  FP8(8, 3, 7, 0x7e),
  BF8(8, 2, 15, 0x7b),
  /** E2M3. */
  FP6(6, 3, 1, 0x1f),
  /** E3M2. */
  BF6(6, 2, 3, 0x1f),
  /** E2M1. */
  FP4(4, 1, 1, 0x7);

  private static final int NAN = 0x7f;

  private final int bits;
  private final int mantissa;
  private final int bias;

  /** The largest finite number. */
  private final int largest;

  @SuppressWarnings("ImmutableEnumChecker") // never written after construction
  private final double[] values;

  MicroFloat(int bits, int mantissa, int bias, int largest) {
    this.bits = bits;
    this.mantissa = mantissa;
    this.bias = bias;
    this.largest = largest;
    this.values = new double[1 << bits];
    int half = values.length / 2;
    for (int code = 0; code < half; code++) {
      values[code] = finite(code);
      if (code > largest) {
        // What follows the largest number is an infinity where there is room for NaN after it.
        values[code] = code < NAN && code == largest + 1 ? Double.POSITIVE_INFINITY : Double.NaN;
      }
      values[half + code] = -values[code];
    }
  }

  private double finite(int code) {
    int exponent = code >> mantissa;
    int fraction = code & (1 << mantissa) - 1;
    int whole = exponent == 0 ? fraction : fraction + (1 << mantissa);
    return Math.scalb((double) whole, Math.max(exponent, 1) - bias - mantissa);
  }

  /** The format that an {@code f8f6f4} instruction chooses by a code from 0 to 4. */
  public static MicroFloat of(int code) {
    return values()[code];
  }

  public int bits() {
    return bits;
  }

  public double value(int code) {
    return values[code];
  }

  /** The code of NaN with a sign; of 6 and 4 bits the largest number. */
  private int nan(int sign) {
    return sign | (bits == 8 ? NAN : largest);
  }

  /** The code of an infinity with a sign; of 6 and 4 bits the largest number. */
  private int infinity(int sign) {
    return sign | (bits == 8 ? largest + 1 : largest);
  }

  /**
   * The code of a number divided by a power of two.
   *
   * @param exponent of the divisor
   * @param random the bits that replace rounding to nearest even, of which the upper ones are added
   *     to those that the code has no room for; ignored if {@code stochastic} is false
   * @param saturates a number that is too large becomes the largest one, and not infinite or NaN
   */
  int code(
      WideFloat from, int number, int exponent, boolean stochastic, int random, boolean saturates) {
    int sign = from.isNegative(number) ? 1 << (bits - 1) : 0;
    if (from.isNan(number)) {
      return nan(sign);
    }
    if (from.isInfinite(number)) {
      return infinity(sign);
    }
    int significand = from.significand(number);
    if (significand == 0) {
      return sign;
    }
    int own = from.exponent(number) - exponent;
    int least = 1 - bias;
    int dropped = from.mantissa() - mantissa;
    int below = Math.max(least - own, 0);
    long steps =
        stochastic
            ? ((below < 32 ? significand >>> below : 0) + (random >>> (32 - dropped))) >>> dropped
            : nearest(significand, below + dropped);
    // A carry out of the fraction goes into the exponent by itself.
    long code = steps + ((long) (Math.max(own, least) - least) << mantissa);
    return code <= largest ? sign | (int) code : saturates ? sign | largest : infinity(sign);
  }

  /** The code of NaN, with the sign of a number. */
  int nanLike(WideFloat from, int number) {
    return nan(from.isNegative(number) ? 1 << (bits - 1) : 0);
  }

  private static long nearest(long significand, int dropped) {
    if (dropped > 32) {
      return 0; // less than half of the least number
    }
    long odd = significand >>> dropped & 1;
    return (significand + (1L << (dropped - 1)) - 1 + odd) >>> dropped;
  }
}
