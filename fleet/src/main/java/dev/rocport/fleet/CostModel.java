package dev.rocport.fleet;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * What repositories cost: a constant for each, and an amount for each byte of a class of files; and
 * what each worker process costs in addition while it loads and compiles its classes.
 *
 * @param classes of files, in the order of the coefficients after the constant
 * @param milliseconds of processor time, for each repository and each byte
 * @param tables bytes of tables, for each repository and each byte
 * @param start milliseconds of processor time, for each worker process
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record CostModel(List<String> classes, double[] milliseconds, double[] tables, double start) {
  /** After so many commands, a worker process is as fast as it becomes. */
  private static final int WARM = 16;

  /**
   * What one repository cost.
   *
   * @param bytes of its files, by class
   * @param milliseconds of processor time
   * @param tables bytes of its tables
   * @param age commands that its worker process had run before
   */
  record Sample(Map<String, Long> bytes, double milliseconds, double tables, long age) {
    Sample {
      bytes = Map.copyOf(bytes);
    }

    boolean isWarm() {
      return age >= WARM;
    }

    long allBytes() {
      return bytes.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /**
   * Fits a model. Small repositories count as much as large ones: errors grow with the size. The
   * times are fitted to repositories of processes that are warm, if there are enough of them; what
   * the others took longer is the start of the processes.
   */
  static CostModel of(Collection<Sample> samples) {
    SortedSet<String> names = new TreeSet<>();
    samples.forEach(s -> names.addAll(s.bytes().keySet()));
    List<String> classes = List.copyOf(names);
    List<Sample> warm = samples.stream().filter(Sample::isWarm).toList();
    boolean isEnough = warm.size() > WARM * (classes.size() + 1);
    double[] times = fit(classes, isEnough ? warm : samples, Sample::milliseconds);
    double more = 0;
    for (Sample s : samples) {
      more += s.isWarm() ? 0 : s.milliseconds() - product(times, row(classes, s.bytes()));
    }
    double start = Math.max(0, more) / Math.max(1, processes(samples));
    return new CostModel(classes, times, fit(classes, samples, Sample::tables), start);
  }

  /** Returns the number of worker processes. */
  static long processes(Collection<Sample> samples) {
    return samples.stream().filter(s -> s.age() == 0).count();
  }

  private static double[] fit(
      List<String> classes, Collection<Sample> samples, ToDoubleFunction<Sample> value) {
    List<Sample> all = List.copyOf(samples);
    double[][] x = new double[all.size()][];
    double[] y = new double[all.size()];
    double[] w = new double[all.size()];
    for (int i = 0; i < x.length; i++) {
      x[i] = row(classes, all.get(i).bytes());
      y[i] = value.applyAsDouble(all.get(i));
      w[i] = 1 / Math.max(y[i], 1);
    }
    return LeastSquares.fit(x, y, w);
  }

  private static double[] row(List<String> classes, Map<String, Long> bytes) {
    double[] row = new double[classes.size() + 1];
    row[0] = 1;
    for (int i = 0; i < classes.size(); i++) {
      row[i + 1] = bytes.getOrDefault(classes.get(i), 0L).doubleValue();
    }
    return row;
  }

  /** Returns the milliseconds of processor time that a repository takes in a warm process. */
  double predictedMilliseconds(Sample sample) {
    return product(milliseconds, row(classes, sample.bytes()));
  }

  /** Returns the milliseconds of processor time that repositories take, with all processes. */
  double predictedMilliseconds(Collection<Sample> samples) {
    return samples.stream().mapToDouble(this::predictedMilliseconds).sum()
        + start * processes(samples);
  }

  /** Returns the bytes of tables that a repository makes. */
  double predictedTables(Sample sample) {
    return product(tables, row(classes, sample.bytes()));
  }

  private static double product(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  /** Returns the median of the relative errors of the predicted times, in percent. */
  long medianError(Collection<Sample> samples) {
    List<Double> errors = new ArrayList<>();
    List<Sample> warm = samples.stream().filter(Sample::isWarm).toList();
    for (Sample s : warm.isEmpty() ? samples : warm) {
      double measured = Math.max(s.milliseconds(), 1);
      errors.add(Math.abs(predictedMilliseconds(s) - measured) / measured);
    }
    errors.sort(Double::compare);
    return errors.isEmpty() ? 0 : Math.round(errors.get(errors.size() / 2) * 100);
  }

  /** Returns the bytes of some repositories, by class. */
  static Map<String, Long> bytes(Collection<Sample> samples) {
    Map<String, Long> all = new TreeMap<>();
    samples.forEach(s -> s.bytes().forEach((c, n) -> all.merge(c, n, Long::sum)));
    return all;
  }

  /**
   * Returns a fleet with the classes of files of another one, and with processes that do as many
   * repositories as the oldest of its processes.
   *
   * @param like that fleet
   * @param repositories their number
   * @param size bytes of all
   * @return what all of its repositories together cost
   */
  Sample extrapolated(Collection<Sample> like, long repositories, double size) {
    Map<String, Long> bytes = bytes(like);
    double factor = size / Math.max(1, like.stream().mapToLong(Sample::allBytes).sum());
    Map<String, Long> scaled = new TreeMap<>();
    bytes.forEach((c, n) -> scaled.put(c, Math.round(n * factor)));
    double[] row = row(classes, scaled);
    row[0] = (double) repositories;
    long perProcess = 1 + like.stream().mapToLong(Sample::age).max().orElse(0);
    double starts = start * Math.ceil((double) repositories / perProcess);
    return new Sample(scaled, product(milliseconds, row) + starts, product(tables, row), 0);
  }
}
