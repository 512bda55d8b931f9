package dev.rocport.device.op.vector;

/** The floats of 32 and 16 bits that have conversions from and to those of 8, 6 and 4 bits. */
enum WideFloat {
  F32(32, 23, 127),
  F16(16, 10, 15),
  BF16(16, 7, 127);

  private final int bits;
  private final int mantissa;
  private final int bias;

  WideFloat(int bits, int mantissa, int bias) {
    this.bits = bits;
    this.mantissa = mantissa;
    this.bias = bias;
  }

  int bits() {
    return bits;
  }

  /** Bits of the fraction. */
  int mantissa() {
    return mantissa;
  }

  boolean isNegative(int number) {
    return (number >>> (bits - 1) & 1) != 0;
  }

  boolean isNan(int number) {
    return field(number) == 2 * bias + 1 && fraction(number) != 0;
  }

  boolean isInfinite(int number) {
    return field(number) == 2 * bias + 1 && fraction(number) == 0;
  }

  /** A finite number without its exponent: bit {@link #mantissa} is its first, or it is 0. */
  int significand(int number) {
    return field(number) == 0
        ? fraction(number) << shift(number)
        : fraction(number) | 1 << mantissa;
  }

  /** The exponent of a finite number other than 0. */
  int exponent(int number) {
    return field(number) == 0 ? 1 - bias - shift(number) : field(number) - bias;
  }

  /** How far the first bit of a denormal is from where that of other numbers is. */
  private int shift(int number) {
    return Integer.numberOfLeadingZeros(fraction(number)) - (31 - mantissa);
  }

  private int field(int number) {
    return number >>> mantissa & (2 * bias + 1);
  }

  private int fraction(int number) {
    return number & (1 << mantissa) - 1;
  }

  /** The nearest number, ties to even; infinite where it is too large. */
  int of(double value) {
    return switch (this) {
      case F32 -> Float.floatToRawIntBits((float) value);
      case F16 -> Half.bits(value, 0);
      case BF16 -> BrainFloat.of(Float.floatToRawIntBits((float) value));
    };
  }
}
