package dev.rocport.device.op.vector;

/**
 * Functions of binary64 by the first terms of their series, with an error of about one unit, for
 * results that are rounded to 32 bits or fewer. Every engine takes the same steps, so that all give
 * the same bits.
 */
public final class Series {
  /** Adding it leaves a whole number in the low bits. */
  public static final double TO_WHOLE = 0x1.8p52;

  /** The bits of the square root of 1/2: mantissas that are below it count twice. */
  public static final long ROOT_OF_HALF = 0x3fe6_a09e_667f_3bcdL;

  private static final double LN_2 = Math.log(2);

  private Series() {}

  /** The series of e^x: factors of its powers, the highest first. */
  public static double[] exponential() {
    return factorials(0, 1, 14, 1);
  }

  /** The series of sin(x) / x, in powers of x^2. */
  public static double[] sine() {
    return factorials(1, 2, 9, -1);
  }

  /** The series of cos(x), in powers of x^2. */
  public static double[] cosine() {
    return factorials(0, 2, 9, -1);
  }

  /** The series of log2((1 + z) / (1 - z)) / z, in powers of z^2. */
  public static double[] logarithm() {
    int count = 11;
    double[] terms = new double[count];
    for (int k = 0; k < count; k++) {
      terms[count - 1 - k] = 2 / LN_2 / (2 * k + 1);
    }
    return terms;
  }

  /** 1 / (first + k * step)!, times a sign that alternates where it is -1. */
  private static double[] factorials(int first, int step, int count, int sign) {
    double[] terms = new double[count];
    double factorial = 1;
    double factor = 1;
    for (int k = 0; k < count; k++) {
      terms[count - 1 - k] = factor / factorial;
      for (int i = 1; i <= step; i++) {
        factorial *= Math.max(1, first + k * step + i);
      }
      factor *= sign;
    }
    return terms;
  }

  static double sum(double[] terms, double x) {
    double sum = terms[0];
    for (int k = 1; k < terms.length; k++) {
      sum = Math.fma(sum, x, terms[k]);
    }
    return sum;
  }
}
