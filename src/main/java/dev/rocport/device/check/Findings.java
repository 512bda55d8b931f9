package dev.rocport.device.check;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The findings of one program, each kept once with the number of occurrences. Thread-safe. */
public final class Findings {
  /** More different ones than this are counted, not kept. */
  private static final int MOST = 200;

  /**
   * A finding and how often it was seen.
   *
   * @param times 1 or more
   */
  public record Seen(Finding finding, long times) {}

  private final Map<String, Seen> seen = new LinkedHashMap<>();
  private final List<Finding> fresh = new ArrayList<>();
  private long beyond;

  /** Takes in a finding; whether it is the first of its kind. */
  public synchronized boolean add(Finding finding) {
    String key = finding.key();
    Seen before = seen.get(key);
    if (before != null) {
      seen.put(key, new Seen(before.finding(), before.times() + 1));
      return false;
    }
    if (seen.size() >= MOST) {
      beyond++;
      return false;
    }
    seen.put(key, new Seen(finding, 1));
    fresh.add(finding);
    return true;
  }

  /** Returns the new findings since the last call, each once. */
  public synchronized List<Finding> fresh() {
    List<Finding> all = List.copyOf(fresh);
    fresh.clear();
    return all;
  }

  /** All, in the order in which they were first seen. */
  public synchronized List<Seen> all() {
    return List.copyOf(seen.values());
  }

  /** How many were seen that are not in {@link #all}. */
  public synchronized long beyond() {
    return beyond;
  }
}
