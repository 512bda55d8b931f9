package dev.rocport.device.op.vector;

import java.math.BigDecimal;

/** Sums and products rounded in a direction: exact, and slow. */
final class Directed {
  private Directed() {}

  static Definition.Rounded floats(Lane.Double3 near, Exact exact) {
    return (a, b, c, rounding) -> {
      float x = Float.intBitsToFloat((int) a);
      float y = Float.intBitsToFloat((int) b);
      float z = Float.intBitsToFloat((int) c);
      double value = near.apply(x, y, z);
      if (Double.isNaN(value) || Double.isInfinite(value)) {
        return Float.floatToRawIntBits((float) value);
      }
      BigDecimal result = exact.apply(new BigDecimal(x), new BigDecimal(y), new BigDecimal(z));
      if (result.signum() == 0) {
        return Float.floatToRawIntBits((float) zero(value, rounding));
      }
      return Float.floatToRawIntBits(toFloat(result, rounding));
    };
  }

  static Definition.Rounded doubles(Lane.Double3 near, Exact exact) {
    return (a, b, c, rounding) -> {
      double x = Double.longBitsToDouble(a);
      double y = Double.longBitsToDouble(b);
      double z = Double.longBitsToDouble(c);
      double value = near.apply(x, y, z);
      if (!Double.isFinite(x) || !Double.isFinite(y) || !Double.isFinite(z)) {
        return Double.doubleToRawLongBits(value);
      }
      BigDecimal result = exact.apply(new BigDecimal(x), new BigDecimal(y), new BigDecimal(z));
      if (result.signum() == 0) {
        return Double.doubleToRawLongBits(zero(value, rounding));
      }
      return Double.doubleToRawLongBits(toDouble(result, rounding));
    };
  }

  static Definition.Rounded halves(Lane.Double3 near, Exact exact) {
    return (a, b, c, rounding) -> {
      float x = Half.value(a);
      float y = Half.value(b);
      float z = Half.value(c);
      double value = near.apply(x, y, z);
      if (Double.isNaN(value) || Double.isInfinite(value)) {
        return Half.bits(value);
      }
      BigDecimal result = exact.apply(new BigDecimal(x), new BigDecimal(y), new BigDecimal(z));
      return result.signum() == 0 ? Half.bits(zero(value, rounding)) : Half.bits(result, rounding);
    };
  }

  /** The exact result of finite sources. */
  @FunctionalInterface
  interface Exact {
    BigDecimal apply(BigDecimal a, BigDecimal b, BigDecimal c);
  }

  /**
   * A sum of opposite numbers is -0 when rounding down. Where rounding to nearest gave -0, all
   * signs were negative, and it stays.
   */
  private static double zero(double near, int rounding) {
    return rounding == 2 && near == 0 ? -0.0 : near;
  }

  static float toFloat(BigDecimal value, int rounding) {
    float near = value.floatValue();
    if (Float.isInfinite(near)) {
      return overflows(value, rounding) ? near : Math.copySign(Float.MAX_VALUE, near);
    }
    int order = new BigDecimal(near).compareTo(value);
    return switch (rounding) {
      case 1 -> order < 0 ? Math.nextUp(near) : near;
      case 2 -> order > 0 ? Math.nextDown(near) : near;
      case 3 -> order == 0 || order < 0 == value.signum() > 0 ? near : inwards(near);
      default -> near;
    };
  }

  static double toDouble(BigDecimal value, int rounding) {
    double near = value.doubleValue();
    if (Double.isInfinite(near)) {
      return overflows(value, rounding) ? near : Math.copySign(Double.MAX_VALUE, near);
    }
    int order = new BigDecimal(near).compareTo(value);
    return switch (rounding) {
      case 1 -> order < 0 ? Math.nextUp(near) : near;
      case 2 -> order > 0 ? Math.nextDown(near) : near;
      case 3 ->
          order == 0 || order < 0 == value.signum() > 0
              ? near
              : Double.longBitsToDouble(Double.doubleToRawLongBits(near) - 1);
      default -> near;
    };
  }

  private static float inwards(float value) {
    return Float.intBitsToFloat(Float.floatToRawIntBits(value) - 1);
  }

  private static boolean overflows(BigDecimal value, int rounding) {
    return rounding == 0 || rounding == (value.signum() > 0 ? 1 : 2);
  }
}
