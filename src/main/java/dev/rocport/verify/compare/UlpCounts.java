package dev.rocport.verify.compare;

import java.util.LinkedHashMap;
import java.util.Map;

/** How many steps apart elements are: exact counts up to 1024, then by powers of two. */
final class UlpCounts {
  private static final int EXACT = 1024;
  private static final int[] STEPS = {0, 1, 2, 4, 16, 256, EXACT};

  private final long[] few = new long[EXACT + 1];
  private final long[] many = new long[64];
  private long total;
  private long most;

  void add(long distance) {
    total++;
    most = Math.max(most, distance);
    if (distance <= EXACT) {
      few[(int) distance]++;
    } else {
      many[63 - Long.numberOfLeadingZeros(distance)]++;
    }
  }

  long most() {
    return most;
  }

  /** The least distance that 99 of 100 elements do not exceed; beyond 1024 an upper bound of it. */
  long percentile99() {
    long needed = total - total / 100;
    long seen = 0;
    for (int d = 0; d <= EXACT; d++) {
      seen += few[d];
      if (seen >= needed) {
        return d;
      }
    }
    for (int k = 10; k < 63; k++) {
      seen += many[k];
      if (seen >= needed) {
        return Math.min(most, k == 62 ? Long.MAX_VALUE : (2L << k) - 1);
      }
    }
    return most;
  }

  /** Elements by distance, empty ranges left out: {@code 0}, {@code 1}, {@code 3-4}, ... */
  Map<String, Long> histogram() {
    Map<String, Long> histogram = new LinkedHashMap<>();
    int from = 0;
    for (int to : STEPS) {
      long n = 0;
      for (int d = from; d <= to; d++) {
        n += few[d];
      }
      put(histogram, from == to ? String.valueOf(to) : from + "-" + to, n);
      from = to + 1;
    }
    long more = 0;
    for (long n : many) {
      more += n;
    }
    put(histogram, ">" + EXACT, more);
    return histogram;
  }

  private static void put(Map<String, Long> histogram, String range, long n) {
    if (n > 0) {
      histogram.put(range, n);
    }
  }
}
