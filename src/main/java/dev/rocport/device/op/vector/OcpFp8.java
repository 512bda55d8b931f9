package dev.rocport.device.op.vector;

/**
 * Floats of 8 bits as gfx950 has them: the types of the Open Compute Project. E4M3 has no infinity;
 * what is too large becomes NaN, in E5M2 infinity.
 */
public enum OcpFp8 implements SmallFloat {
  E4M3(3, 7, 0x7e),
  E5M2(2, 15, 0x7b);

  private static final int NAN = 0x7f;

  private final int mantissa;
  private final int bias;

  /** The largest finite magnitude; what is too large becomes the code after it. */
  private final int largest;

  OcpFp8(int mantissa, int bias, int largest) {
    this.mantissa = mantissa;
    this.bias = bias;
    this.largest = largest;
  }

  @Override
  public int mantissa() {
    return mantissa;
  }

  @Override
  public int bias() {
    return bias;
  }

  @Override
  public int largest() {
    return largest;
  }

  private int overflow() {
    return largest + 1;
  }

  @Override
  public float value(int bits) {
    int magnitude = bits & 0x7f;
    float value;
    if (magnitude > largest) {
      value = magnitude == overflow() && overflow() != NAN ? Float.POSITIVE_INFINITY : Float.NaN;
    } else {
      value = finite(magnitude);
    }
    return (bits & 0x80) != 0 ? -value : value;
  }

  @Override
  public int bits(float value) {
    int sign = Float.floatToRawIntBits(value) >>> 24 & 0x80;
    if (Float.isNaN(value)) {
      return sign | NAN;
    }
    long magnitude = Float.isInfinite(value) ? overflow() : nearest(value);
    return sign | (int) Math.min(magnitude, overflow());
  }
}
