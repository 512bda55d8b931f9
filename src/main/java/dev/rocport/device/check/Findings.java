package dev.rocport.device.check;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.stream.Stream;

/** The findings of one program, each kept once with the number of occurrences. Thread-safe. */
public final class Findings {
  /** More different ones than this are counted, not kept; the same for notes. */
  private static final int MOST = 200;

  /**
   * A finding and how often it was seen.
   *
   * @param times 1 or more
   * @param kernels in which it was seen, in order; none if it is about the host
   */
  public record Seen(Finding finding, long times, List<String> kernels) {
    public Seen {
      kernels = List.copyOf(kernels);
    }

    private Seen and(Finding again) {
      SequencedSet<String> all = new LinkedHashSet<>(kernels);
      all.addAll(named(again));
      return new Seen(finding, times + 1, List.copyOf(all));
    }

    private static List<String> named(Finding finding) {
      String kernel = finding.site().kernel();
      return kernel.isEmpty() ? List.of() : List.of(kernel);
    }
  }

  private final Map<String, Seen> defects = new LinkedHashMap<>();
  private final Map<String, Seen> notes = new LinkedHashMap<>();
  private final List<Finding> fresh = new ArrayList<>();
  private long beyond;

  /** Takes in a finding; whether it is the first of its kind. */
  public synchronized boolean add(Finding finding) {
    Map<String, Seen> seen = finding.isBenign() ? notes : defects;
    String key = finding.key();
    Seen before = seen.get(key);
    if (before != null) {
      seen.put(key, before.and(finding));
      return false;
    }
    if (seen.size() >= MOST) {
      beyond += finding.isBenign() ? 0 : 1;
      return false;
    }
    seen.put(key, new Seen(finding, 1, Seen.named(finding)));
    fresh.add(finding);
    return true;
  }

  /** Returns the new findings since the last call, each once. */
  public synchronized List<Finding> fresh() {
    List<Finding> all = List.copyOf(fresh);
    fresh.clear();
    return all;
  }

  /** All, in the order in which they were first seen; notes after the defects. */
  public synchronized List<Seen> all() {
    return Stream.concat(defects.values().stream(), notes.values().stream()).toList();
  }

  /** How many different ones there are, without notes. */
  public synchronized int count() {
    return defects.size();
  }

  /** How many were seen that are not in {@link #all}, without notes. */
  public synchronized long beyond() {
    return beyond;
  }
}
