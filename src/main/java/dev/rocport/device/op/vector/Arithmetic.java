package dev.rocport.device.op.vector;

import static jdk.incubator.vector.VectorOperators.IS_NAN;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/**
 * Sums and products whose NaNs do not depend on the instruction that the JVM chooses: of several
 * NaNs the first source counts, made quiet, and what has no result is the NaN of AMD's manual.
 */
final class Arithmetic {
  private static final int NONE = 0xffc00000;
  private static final int QUIET = 0x400000;
  private static final long NONE_WIDE = 0xfff8L << 48;
  private static final long QUIET_WIDE = 1L << 51;

  private Arithmetic() {}

  static float sum(float a, float b) {
    return first(a + b, a, b, 0);
  }

  static float difference(float a, float b) {
    return first(a - b, a, b, 0);
  }

  static float product(float a, float b) {
    return first(a * b, a, b, 0);
  }

  static float fma(float a, float b, float c) {
    return first(Math.fma(a, b, c), a, b, c);
  }

  static double sum(double a, double b) {
    return first(a + b, a, b, 0);
  }

  static double product(double a, double b) {
    return first(a * b, a, b, 0);
  }

  static double fma(double a, double b, double c) {
    return first(Math.fma(a, b, c), a, b, c);
  }

  static FloatVector sum(FloatVector a, FloatVector b) {
    return first(a.add(b), a, b, b);
  }

  static FloatVector difference(FloatVector a, FloatVector b) {
    return first(a.sub(b), a, b, b);
  }

  static FloatVector product(FloatVector a, FloatVector b) {
    return first(a.mul(b), a, b, b);
  }

  static FloatVector fma(FloatVector a, FloatVector b, FloatVector c) {
    return first(a.fma(b, c), a, b, c);
  }

  static DoubleVector sum(DoubleVector a, DoubleVector b) {
    return first(a.add(b), a, b, b);
  }

  static DoubleVector product(DoubleVector a, DoubleVector b) {
    return first(a.mul(b), a, b, b);
  }

  static DoubleVector fma(DoubleVector a, DoubleVector b, DoubleVector c) {
    return first(a.fma(b, c), a, b, c);
  }

  /** A result; if it is NaN, the first source that is NaN, made quiet. */
  static float first(float result, float a, float b, float c) {
    if (!Float.isNaN(result)) {
      return result;
    }
    float nan = Float.isNaN(a) ? a : Float.isNaN(b) ? b : c;
    return Float.isNaN(nan) ? Floats.quiet(nan) : Float.intBitsToFloat(NONE);
  }

  private static double first(double result, double a, double b, double c) {
    if (!Double.isNaN(result)) {
      return result;
    }
    double nan = Double.isNaN(a) ? a : Double.isNaN(b) ? b : c;
    return Double.isNaN(nan) ? Doubles.quiet(nan) : Double.longBitsToDouble(NONE_WIDE);
  }

  private static FloatVector first(
      FloatVector result, FloatVector a, FloatVector b, FloatVector c) {
    VectorMask<Float> nan = result.test(IS_NAN);
    if (!nan.anyTrue()) {
      return result;
    }
    return result
        .reinterpretAsInts()
        .blend(NONE, nan.cast(result.reinterpretAsInts().species()))
        .reinterpretAsFloats()
        .blend(quiet(c), c.test(IS_NAN))
        .blend(quiet(b), b.test(IS_NAN))
        .blend(quiet(a), a.test(IS_NAN));
  }

  private static DoubleVector first(
      DoubleVector result, DoubleVector a, DoubleVector b, DoubleVector c) {
    VectorMask<Double> nan = result.test(IS_NAN);
    if (!nan.anyTrue()) {
      return result;
    }
    return result
        .reinterpretAsLongs()
        .blend(NONE_WIDE, nan.cast(result.reinterpretAsLongs().species()))
        .reinterpretAsDoubles()
        .blend(quiet(c), c.test(IS_NAN))
        .blend(quiet(b), b.test(IS_NAN))
        .blend(quiet(a), a.test(IS_NAN));
  }

  /** NaNs made quiet; what is no NaN becomes another value. */
  static FloatVector quiet(FloatVector nan) {
    return nan.reinterpretAsInts().or(QUIET).reinterpretAsFloats();
  }

  private static DoubleVector quiet(DoubleVector nan) {
    return nan.reinterpretAsLongs().or(QUIET_WIDE).reinterpretAsDoubles();
  }
}
