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
 * What repositories cost: a constant for each, and an amount for each byte of a class of files;
 * what each worker process costs in addition while it loads and compiles its classes; and what each
 * part of a large repository costs in addition.
 *
 * @param classes of files, in the order of the coefficients after the constant
 * @param milliseconds of processor time, for each repository and each byte
 * @param tables bytes of tables, for each repository and each byte
 * @param start milliseconds of processor time, for each worker process
 * @param part milliseconds of processor time, for each part of a repository that is divided
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record CostModel(
    List<String> classes, double[] milliseconds, double[] tables, double start, double part) {
  /** After so many commands, a worker process is as fast as it becomes. */
  private static final int WARM = 16;

  /** With fewer warm repositories for each coefficient, all of them count. */
  private static final int ENOUGH = 4;

  /**
   * What one repository cost.
   *
   * @param bytes of its files, by class
   * @param milliseconds of processor time
   * @param tables bytes of its tables
   * @param age commands that its worker process had run before
   * @param parts 0 if it is not divided
   * @param starts worker processes that began with it
   */
  record Sample(
      Map<String, Long> bytes,
      double milliseconds,
      double tables,
      long age,
      long parts,
      long starts) {
    Sample {
      bytes = Map.copyOf(bytes);
    }

    /** A repository that is not divided. */
    Sample(Map<String, Long> bytes, double milliseconds, double tables, long age) {
      this(bytes, milliseconds, tables, age, 0, age == 0 ? 1 : 0);
    }

    boolean isWhole() {
      return parts == 0;
    }

    boolean isWarm() {
      return isWhole() && age >= WARM;
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
    List<Sample> whole = samples.stream().filter(Sample::isWhole).toList();
    List<Sample> warm = whole.stream().filter(Sample::isWarm).toList();
    boolean isEnough = warm.size() > ENOUGH * (classes.size() + 1);
    List<Sample> timed = isEnough ? warm : whole.isEmpty() ? List.copyOf(samples) : whole;
    double[] times = fit(classes, timed, Sample::milliseconds);
    double more = 0;
    for (Sample s : whole) {
      more += s.isWarm() ? 0 : s.milliseconds() - product(times, row(classes, s.bytes()));
    }
    double start = Math.max(0, more) / Math.max(1, processes(whole));
    double ofParts = 0;
    long parts = 0;
    for (Sample s : samples) {
      if (!s.isWhole()) {
        double one = product(times, row(classes, s.bytes())) + start * s.starts();
        ofParts += s.milliseconds() - one;
        parts += s.parts();
      }
    }
    double part = Math.max(0, ofParts) / Math.max(1, parts);
    return new CostModel(classes, times, fit(classes, samples, Sample::tables), start, part);
  }

  /** Returns the number of worker processes. */
  static long processes(Collection<Sample> samples) {
    return samples.stream().mapToLong(Sample::starts).sum();
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
    return product(milliseconds, row(classes, sample.bytes())) + part * sample.parts();
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
   * repositories as the oldest of its processes, and as many parts for its size.
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
    double parts = part * factor * like.stream().mapToLong(Sample::parts).sum();
    return new Sample(scaled, product(milliseconds, row) + starts + parts, product(tables, row), 0);
  }
}
