package dev.rocport.device.op.vector;

import static dev.rocport.device.isa.DataType.F32;
import static dev.rocport.device.isa.DataType.PK_B8;
import static dev.rocport.device.isa.DataType.PK_F32;

/**
 * Floats of 8 bits as gfx950 has them: the types of the Open Compute Project. E4M3 has no infinity;
 * what is too large becomes NaN, in E5M2 infinity.
 */
enum OcpFp8 {
  E4M3(3, 7, 0x7e, 0x7f),
  E5M2(2, 15, 0x7b, 0x7c);

  private static final int NAN = 0x7f;
  private static final long LOW = 0xffffffffL;

  private final int mantissa;
  private final int bias;

  /** The largest finite magnitude. */
  private final int largest;

  private final int overflow;

  OcpFp8(int mantissa, int bias, int largest, int overflow) {
    this.mantissa = mantissa;
    this.bias = bias;
    this.largest = largest;
    this.overflow = overflow;
  }

  float value(int bits) {
    int magnitude = bits & 0x7f;
    float value;
    if (magnitude > largest) {
      value = magnitude == overflow && overflow != NAN ? Float.POSITIVE_INFINITY : Float.NaN;
    } else {
      int exponent = magnitude >> mantissa;
      int fraction = magnitude & (1 << mantissa) - 1;
      value =
          exponent == 0
              ? Math.scalb((float) fraction, 1 - bias - mantissa)
              : Math.scalb((float) (fraction + (1 << mantissa)), exponent - bias - mantissa);
    }
    return (bits & 0x80) != 0 ? -value : value;
  }

  /** Rounded to nearest even. */
  int bits(float value) {
    int sign = Float.floatToRawIntBits(value) >>> 24 & 0x80;
    if (Float.isNaN(value)) {
      return sign | NAN;
    }
    if (Float.isInfinite(value)) {
      return sign | overflow;
    }
    double size = Math.abs((double) value);
    int exponent = Math.max(Math.getExponent(size), 1 - bias);
    long steps = (long) Math.rint(Math.scalb(size, mantissa - exponent));
    // A carry out of the fraction goes into the exponent by itself.
    long magnitude = steps + ((long) (exponent + bias - 1) << mantissa);
    return sign | (int) (magnitude > largest ? overflow : magnitude);
  }

  Definition unpack() {
    return Definition.of((a, b, c, bit) -> Float.floatToRawIntBits(value((int) a)), F32, PK_B8);
  }

  Definition unpackPair() {
    return Definition.of(
        (a, b, c, bit) ->
            (Float.floatToRawIntBits(value((int) a)) & LOW)
                | (long) Float.floatToRawIntBits(value((int) a >> 8)) << 32,
        PK_F32,
        PK_B8);
  }

  Definition packPair() {
    return Definition.of(
            (a, b, c, bit) ->
                bits(Float.intBitsToFloat((int) a)) | bits(Float.intBitsToFloat((int) b)) << 8,
            PK_B8,
            F32,
            F32)
        .keepingHalf();
  }
}
