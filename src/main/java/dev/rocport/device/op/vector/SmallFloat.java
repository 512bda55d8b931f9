package dev.rocport.device.op.vector;

import static dev.rocport.device.isa.DataType.F32;
import static dev.rocport.device.isa.DataType.PK_B8;
import static dev.rocport.device.isa.DataType.PK_F32;

/** A float of 8 bits: the sign, then the exponent, then the fraction. */
public interface SmallFloat {
  /** Bits of the fraction. */
  int mantissa();

  int bias();

  /** The largest code without its sign that stands for a finite number. */
  int largest();

  /** The number that a code stands for. */
  float value(int bits);

  /** The code of a number, rounded to nearest even. */
  int bits(float value);

  /** The number of a code without its sign, of those that are neither NaN nor infinite. */
  default float finite(int magnitude) {
    int exponent = magnitude >> mantissa();
    int fraction = magnitude & (1 << mantissa()) - 1;
    return exponent == 0
        ? Math.scalb((float) fraction, 1 - bias() - mantissa())
        : Math.scalb((float) (fraction + (1 << mantissa())), exponent - bias() - mantissa());
  }

  /** The nearest code of a finite number without its sign; larger than all codes where none is. */
  default long nearest(float value) {
    double size = Math.abs((double) value);
    int exponent = Math.max(Math.getExponent(size), 1 - bias());
    long steps = (long) Math.rint(Math.scalb(size, mantissa() - exponent));
    // A carry out of the fraction goes into the exponent by itself.
    return steps + ((long) (exponent + bias() - 1) << mantissa());
  }

  private long single(int code) {
    return Float.floatToRawIntBits(value(code)) & 0xffffffffL;
  }

  /** The conversion of the lowest code of a register. */
  default Definition unpack() {
    return Definition.of((a, b, c, bit) -> single((int) a), F32, PK_B8);
  }

  /** The conversion of the two lowest codes. */
  default Definition unpackPair() {
    return Definition.of(
        (a, b, c, bit) -> single((int) a) | single((int) a >> 8) << 32, PK_F32, PK_B8);
  }

  /** The conversion of two numbers to a half of a register. */
  default Definition packPair() {
    return Definition.of(
            (a, b, c, bit) ->
                bits(Float.intBitsToFloat((int) a)) | bits(Float.intBitsToFloat((int) b)) << 8,
            PK_B8,
            F32,
            F32)
        .keepingHalf()
        .byMode()
        .saturated(
            (a, b, c, bit) ->
                saturated(Float.intBitsToFloat((int) a))
                    | saturated(Float.intBitsToFloat((int) b)) << 8);
  }

  /** The code of a number; a finite one that is too large becomes the largest of its sign. */
  default int saturated(float value) {
    float most = finite(largest());
    return bits(Float.isFinite(value) ? Math.clamp(value, -most, most) : value);
  }
}
