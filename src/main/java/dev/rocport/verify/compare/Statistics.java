package dev.rocport.verify.compare;

import dev.rocport.verify.tensor.Tensor;

/**
 * Statistics of the elements of a tensor.
 *
 * @param nan elements that are no numbers
 * @param infinite elements
 * @param zero elements of either sign
 * @param least over the finite elements; NaN where there are none, and so the following
 * @param rms root of the mean square
 */
public record Statistics(
    long nan, long infinite, long zero, double least, double greatest, double mean, double rms) {

  public static Statistics of(Tensor tensor) {
    long nan = 0;
    long infinite = 0;
    long zero = 0;
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    double sum = 0;
    double squares = 0;
    for (long i = 0; i < tensor.count(); i++) {
      double v = tensor.value(i);
      if (Double.isNaN(v)) {
        nan++;
      } else if (Double.isInfinite(v)) {
        infinite++;
      } else {
        zero += v == 0 ? 1 : 0;
        least = Math.min(least, v);
        greatest = Math.max(greatest, v);
        sum += v;
        squares += v * v;
      }
    }
    long finite = tensor.count() - nan - infinite;
    return finite == 0
        ? new Statistics(nan, infinite, zero, Double.NaN, Double.NaN, Double.NaN, Double.NaN)
        : new Statistics(
            nan, infinite, zero, least, greatest, sum / finite, Math.sqrt(squares / finite));
  }
}
