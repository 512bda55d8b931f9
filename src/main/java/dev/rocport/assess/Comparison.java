package dev.rocport.assess;

import dev.rocport.assess.PastReport.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The changes between two reports.
 *
 * @param totals figures, including those that did not change
 * @param rules numbers of findings by rule, where they changed
 * @param fresh findings that only the second has, in its order
 * @param gone findings that only the first has, in its order
 * @param cells verification results that differ; an empty text if a report lacks one
 */
public record Comparison(
    SortedMap<String, Change<Long>> totals,
    SortedMap<String, Change<Long>> rules,
    List<Entry> fresh,
    List<Entry> gone,
    SortedMap<String, Change<String>> cells) {
  public Comparison {
    fresh = List.copyOf(fresh);
    gone = List.copyOf(gone);
  }

  /** A value in the first and in the second report. */
  public record Change<T>(T before, T after) {
    /** True if both are the same. */
    public boolean isSame() {
      return Objects.equals(before, after);
    }
  }

  /** Compares a report with an earlier one. */
  public static Comparison of(PastReport before, PastReport after) {
    SortedMap<String, Change<Long>> totals = changes(before.totals(), after.totals(), 0L);
    SortedMap<String, Change<Long>> rules = changes(before.byRule(), after.byRule(), 0L);
    rules.values().removeIf(Change::isSame);
    SortedMap<String, Change<String>> cells = changes(before.cells(), after.cells(), "");
    cells.values().removeIf(Change::isSame);
    return new Comparison(
        totals,
        rules,
        only(after.findings(), before.findings()),
        only(before.findings(), after.findings()),
        cells);
  }

  /** Returns the findings of one list that the other lacks; equal fingerprints count one by one. */
  private static List<Entry> only(List<Entry> of, List<Entry> other) {
    Map<String, Integer> there = new HashMap<>();
    other.forEach(e -> there.merge(e.fingerprint(), 1, Integer::sum));
    List<Entry> only = new ArrayList<>();
    for (Entry e : of) {
      int left = there.merge(e.fingerprint(), -1, Integer::sum);
      if (left < 0) {
        only.add(e);
      }
    }
    return only;
  }

  private static <T> SortedMap<String, Change<T>> changes(
      SortedMap<String, T> before, SortedMap<String, T> after, T none) {
    SortedSet<String> keys = new TreeSet<>(before.keySet());
    keys.addAll(after.keySet());
    SortedMap<String, Change<T>> changes = new TreeMap<>();
    for (String key : keys) {
      changes.put(key, new Change<>(before.getOrDefault(key, none), after.getOrDefault(key, none)));
    }
    return changes;
  }
}
