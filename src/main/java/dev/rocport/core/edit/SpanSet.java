package dev.rocport.core.edit;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** A set of spans of a file, with a fast test for overlap. */
public final class SpanSet {
  /** Ends by their starts; no two of these stretches share a byte. */
  private final NavigableMap<Integer, Integer> ends = new TreeMap<>();

  /** Takes a stretch in; an empty one shares no byte with any. */
  public void add(int start, int end) {
    if (end <= start) {
      return;
    }
    int from = start;
    int to = end;
    Map.Entry<Integer, Integer> e = ends.lowerEntry(to);
    while (e != null && e.getValue() > from) {
      ends.remove(e.getKey());
      from = Math.min(from, e.getKey());
      to = Math.max(to, e.getValue());
      e = ends.lowerEntry(to);
    }
    ends.put(from, to);
  }

  /** True if some stretch shares a byte with this one, or is around it. */
  public boolean touches(int start, int end) {
    Map.Entry<Integer, Integer> e = ends.lowerEntry(end);
    return e != null && e.getValue() > start;
  }
}
