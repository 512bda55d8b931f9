package dev.rocport.device.op.vector;

/**
 * Sums in double precision that are rounded to odd, so that a second rounding to a shorter format
 * decides as one rounding would have done.
 */
public final class OddSum {
  private OddSum() {}

  /** The sum; NaN and infinity as in {@code a + b}. */
  public static double of(double a, double b) {
    double sum = a + b;
    if (!Double.isFinite(sum)) {
      return sum;
    }
    // What the sum lost, exactly.
    double t = sum - a;
    double lost = (a - (sum - t)) + (b - t);
    long bits = Double.doubleToRawLongBits(sum);
    if (lost == 0 || (bits & 1) != 0) {
      return sum;
    }
    boolean away = (lost > 0) == (sum > 0);
    return Double.longBitsToDouble(away ? bits + 1 : bits - 1);
  }
}
