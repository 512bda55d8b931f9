package dev.rocport.fleet;

/**
 * Least squares with weights and without negative coefficients, by coordinate descent on the normal
 * equations; few coefficients, so that many rounds cost nothing.
 */
final class LeastSquares {
  private static final int ROUNDS = 100_000;
  private static final double SMALLEST_CHANGE = 1e-12;

  private LeastSquares() {}

  /**
   * Returns b &gt;= 0 with the smallest sum of w (y - x b)^2.
   *
   * @param x rows by coefficients
   * @param y a value for each row
   * @param w a weight for each row
   */
  static double[] fit(double[][] x, double[] y, double[] w) {
    int n = x.length == 0 ? 0 : x[0].length;
    double[][] a = new double[n][n];
    double[] c = new double[n];
    for (int row = 0; row < x.length; row++) {
      for (int i = 0; i < n; i++) {
        c[i] += w[row] * x[row][i] * y[row];
        for (int j = 0; j < n; j++) {
          a[i][j] += w[row] * x[row][i] * x[row][j];
        }
      }
    }
    double[] b = new double[n];
    for (int round = 0; round < ROUNDS; round++) {
      double change = 0;
      for (int i = 0; i < n; i++) {
        double rest = c[i];
        for (int j = 0; j < n; j++) {
          rest -= j == i ? 0 : a[i][j] * b[j];
        }
        double next = a[i][i] == 0 ? 0 : Math.max(0, rest / a[i][i]);
        change = Math.max(change, Math.abs(next - b[i]) / (Math.abs(next) + SMALLEST_CHANGE));
        b[i] = next;
      }
      if (change < SMALLEST_CHANGE) {
        break;
      }
    }
    return b;
  }
}
