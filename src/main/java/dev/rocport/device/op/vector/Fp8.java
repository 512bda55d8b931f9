package dev.rocport.device.op.vector;

import static dev.rocport.device.isa.DataType.F32;
import static dev.rocport.device.isa.DataType.PK_B8;
import static dev.rocport.device.isa.DataType.PK_F32;

/**
 * Floats of 8 bits as gfx942 has them (FNUZ): no infinity, no -0, 0x80 is the only NaN. What is too
 * large becomes NaN.
 */
enum Fp8 {
  E4M3(3, 8),
  E5M2(2, 16);

  private static final int NAN = 0x80;
  private static final long LOW = 0xffffffffL;

  private final int mantissa;
  private final int bias;

  Fp8(int mantissa, int bias) {
    this.mantissa = mantissa;
    this.bias = bias;
  }

  float value(int bits) {
    int magnitude = bits & 0x7f;
    if ((bits & 0xff) == NAN) {
      return Float.NaN;
    }
    int exponent = magnitude >> mantissa;
    int fraction = magnitude & (1 << mantissa) - 1;
    float value =
        exponent == 0
            ? Math.scalb((float) fraction, 1 - bias - mantissa)
            : Math.scalb((float) (fraction + (1 << mantissa)), exponent - bias - mantissa);
    return (bits & 0x80) != 0 ? -value : value;
  }

  /** Rounded to nearest even. */
  int bits(float value) {
    if (!Float.isFinite(value)) {
      return NAN;
    }
    double size = Math.abs((double) value);
    int exponent = Math.max(Math.getExponent(size), 1 - bias);
    long steps = (long) Math.rint(Math.scalb(size, mantissa - exponent));
    // A carry out of the fraction goes into the exponent by itself.
    long magnitude = steps + ((long) (exponent + bias - 1) << mantissa);
    if (magnitude > 0x7f) {
      return NAN;
    }
    return magnitude == 0 ? 0 : (int) magnitude | (value < 0 ? 0x80 : 0);
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
