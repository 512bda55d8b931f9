package dev.rocport.device.op.memory;

import dev.rocport.device.op.vector.BrainFloat;

/** Floating point of atomics, on bits. */
final class FloatUpdates {
  private FloatUpdates() {}

  /** The minimum as IEEE 754-2008's minNum: a number beats a NaN, and -0 is below +0. */
  static int min(int a, int b) {
    float x = Float.intBitsToFloat(a);
    float y = Float.intBitsToFloat(b);
    if (Float.isNaN(x) || Float.isNaN(y)) {
      return Float.isNaN(y) ? a : b;
    }
    return Float.compare(x, y) <= 0 ? a : b;
  }

  static int max(int a, int b) {
    float x = Float.intBitsToFloat(a);
    float y = Float.intBitsToFloat(b);
    if (Float.isNaN(x) || Float.isNaN(y)) {
      return Float.isNaN(y) ? a : b;
    }
    return Float.compare(x, y) >= 0 ? a : b;
  }

  static long min(long a, long b) {
    double x = Double.longBitsToDouble(a);
    double y = Double.longBitsToDouble(b);
    if (Double.isNaN(x) || Double.isNaN(y)) {
      return Double.isNaN(y) ? a : b;
    }
    return Double.compare(x, y) <= 0 ? a : b;
  }

  static long max(long a, long b) {
    double x = Double.longBitsToDouble(a);
    double y = Double.longBitsToDouble(b);
    if (Double.isNaN(x) || Double.isNaN(y)) {
      return Double.isNaN(y) ? a : b;
    }
    return Double.compare(x, y) >= 0 ? a : b;
  }

  /** A sum with denormals taken for 0; the third operand is not used. */
  static int addFlushed(int a, int b, int unused) {
    float sum = flushed(Float.intBitsToFloat(a)) + flushed(Float.intBitsToFloat(b));
    return Float.floatToRawIntBits(flushed(sum));
  }

  private static float flushed(float value) {
    return Math.abs(value) < Float.MIN_NORMAL ? Math.copySign(0f, value) : value;
  }

  /**
   * The sum of two halves in the low 16 bits. A float has more than twice the digits of a half, so
   * rounding twice is rounding once.
   */
  static int addHalf(int a, int b) {
    float sum = Float.float16ToFloat((short) a) + Float.float16ToFloat((short) b);
    return Float.floatToFloat16(sum) & 0xffff;
  }

  /** The sum of two bfloat16 in the low 16 bits, rounded to the nearest, ties to even. */
  static int addBrain(int a, int b) {
    float sum = BrainFloat.value(a) + BrainFloat.value(b);
    return BrainFloat.of(Float.floatToRawIntBits(sum));
  }
}
