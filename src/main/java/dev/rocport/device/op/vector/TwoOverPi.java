package dev.rocport.device.op.vector;

import java.math.BigInteger;

/** The bits of 2/pi that v_trig_preop_f64 hands out. Source: AMD's CDNA3 ISA manual. */
final class TwoOverPi {
  private static final int BITS = 1201;
  private static final int GUARD = 64;
  private static final int DOUBLE_BITS = 53;

  /** The first {@link #BITS} bits of 2/pi after the binary point. */
  private static final BigInteger DIGITS = digits();

  private TwoOverPi() {}

  /** pi by Machin's formula: 16 atan(1/5) - 4 atan(1/239). */
  private static BigInteger digits() {
    BigInteger one = BigInteger.ONE.shiftLeft(BITS + GUARD);
    BigInteger pi =
        inverseTangent(5, one).shiftLeft(4).subtract(inverseTangent(239, one).shiftLeft(2));
    return one.shiftLeft(BITS + 1).divide(pi);
  }

  private static BigInteger inverseTangent(int x, BigInteger one) {
    BigInteger square = BigInteger.valueOf((long) x * x);
    BigInteger power = one.divide(BigInteger.valueOf(x));
    BigInteger sum = power;
    for (int n = 3; power.signum() != 0; n += 2) {
      power = power.divide(square).negate();
      sum = sum.add(power.divide(BigInteger.valueOf(n)));
    }
    return sum;
  }

  /** 53 bits of 2/pi, from where they count for an argument of this size, scaled in place. */
  static double segment(double argument, int index) {
    int exponent = (int) (Double.doubleToRawLongBits(argument) >>> 52) & 0x7ff;
    int shift = index * DOUBLE_BITS + Math.max(0, exponent - 1077);
    int drop = BITS - DOUBLE_BITS - shift;
    BigInteger moved = drop >= 0 ? DIGITS.shiftRight(drop) : DIGITS.shiftLeft(-drop);
    long bits = moved.longValue() & (1L << DOUBLE_BITS) - 1;
    int scale = -DOUBLE_BITS - shift + (exponent >= 1968 ? 128 : 0);
    return Math.scalb((double) bits, scale);
  }
}
