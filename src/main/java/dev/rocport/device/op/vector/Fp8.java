package dev.rocport.device.op.vector;

/**
 * Floats of 8 bits as gfx942 has them (FNUZ): no infinity, no -0, 0x80 is the only NaN. What is too
 * large becomes NaN.
 */
public enum Fp8 implements SmallFloat {
  E4M3(3, 8),
  E5M2(2, 16);

  private static final int NAN = 0x80;

  private final int mantissa;
  private final int bias;

  Fp8(int mantissa, int bias) {
    this.mantissa = mantissa;
    this.bias = bias;
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
    return 0x7f;
  }

  @Override
  public float value(int bits) {
    if ((bits & 0xff) == NAN) {
      return Float.NaN;
    }
    float value = finite(bits & 0x7f);
    return (bits & 0x80) != 0 ? -value : value;
  }

  @Override
  public int bits(float value) {
    if (!Float.isFinite(value)) {
      return NAN;
    }
    long magnitude = nearest(value);
    if (magnitude > 0x7f) {
      return NAN;
    }
    return magnitude == 0 ? 0 : (int) magnitude | (value < 0 ? 0x80 : 0);
  }
}
