package dev.rocport.buildsystem.calls;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.rules.Changes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** Collects the edits of one file and renders spans of it with the edits applied. */
public final class CallDraft {
  private final String text;
  private final Changes changes;
  private final String unknown;

  /** Replaced spans by their starts; they do not overlap. */
  private final NavigableMap<Integer, Change> replaced = new TreeMap<>();

  private final NavigableMap<Integer, List<Change>> inserted = new TreeMap<>();

  /**
   * @param text the file's bytes, one character each
   * @param unknown id of the rule for constructs that are not ported
   */
  public CallDraft(String text, Changes changes, String unknown) {
    this.text = text;
    this.changes = changes;
    this.unknown = unknown;
  }

  private record Change(int start, int end, String text, String rule) {}

  /** Returns whether an edit already touches the span. */
  public boolean isChanged(int start, int end) {
    Map.Entry<Integer, Change> last = replaced.lowerEntry(end);
    return (last != null && last.getValue().end() > start)
        || (start < end && !inserted.subMap(start, false, end, false).isEmpty());
  }

  /** Replaces a span, unless an edit already touches it. */
  public void replace(int start, int end, String text, String rule) {
    if (start == end) {
      insert(start, text, rule);
    } else if (changes.allows(rule) && !isChanged(start, end)) {
      replaced.put(start, new Change(start, end, text, rule));
    }
  }

  /** Replaces a span and discards earlier edits inside it. */
  public void replaceAll(int start, int end, String text, String rule) {
    if (changes.allows(rule)) {
      replaced.subMap(start, true, end, false).values().removeIf(c -> c.end() <= end);
      inserted.subMap(start, false, end, false).clear();
      replace(start, end, text, rule); // no effect if an earlier edit reaches beyond this span
    }
  }

  /** Returns whether the offset is strictly inside a replaced span. */
  public boolean isReplaced(int at) {
    Map.Entry<Integer, Change> last = replaced.lowerEntry(at);
    return last != null && last.getValue().end() > at;
  }

  private boolean isDeleted(int at) {
    Map.Entry<Integer, Change> last = replaced.lowerEntry(at);
    return last != null && last.getValue().end() > at && last.getValue().text().isEmpty();
  }

  /** Inserts a text, unless the offset is inside a replaced span. */
  public void insert(int at, String text, String rule) {
    if (changes.allows(rule) && !isReplaced(at)) {
      inserted.computeIfAbsent(at, a -> new ArrayList<>()).add(new Change(at, at, text, rule));
    }
  }

  /** Deletes items of a list together with their commas; those deleted before stay so. */
  public void delete(Group group, SortedSet<Integer> indices, String rule) {
    List<Item> items = group.items();
    int i = 0;
    while (i < items.size()) {
      int first = i;
      boolean more = false;
      while (i < items.size() && (indices.contains(i) || isDeleted(items.get(i).start()))) {
        more |= indices.contains(i);
        i++;
      }
      if (more) {
        if (first > 0) {
          replaceAll(items.get(first - 1).end(), items.get(i - 1).end(), "", rule);
        } else if (i < items.size()) {
          replaceAll(items.get(first).start(), items.get(i).start(), "", rule);
        } else {
          replaceAll(group.start() + 1, group.end() - 1, "", rule);
        }
      }
      i++;
    }
  }

  /** Returns a span with the edits applied. */
  public String render(int start, int end) {
    StringBuilder s = new StringBuilder();
    int at = start;
    for (Change c : sorted(start, end)) {
      if (c.end() <= end && c.start() >= at) {
        s.append(text, at, c.start()).append(c.text());
        at = c.end();
      }
    }
    return s.append(text, at, end).toString();
  }

  /** Returns the changes that begin in a span or at its end, in order. */
  private List<Change> sorted(int start, int end) {
    List<Change> all = new ArrayList<>(replaced.subMap(start, true, end, true).values());
    inserted.subMap(start, true, end, true).values().forEach(all::addAll);
    all.sort(Comparator.comparingInt(Change::start).thenComparingInt(Change::end));
    return all;
  }

  /** Adds all edits to the changes of the file. */
  public void finish() {
    for (Change c : sorted(0, text.length())) {
      String text =
          new String(c.text().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
      changes.edit(
          c.start() == c.end()
              ? Edit.after(c.start(), text, c.rule())
              : text.isEmpty()
                  ? Edit.delete(c.start(), c.end(), c.rule())
                  : Edit.replace(c.start(), c.end(), text, c.rule()));
    }
  }

  public void note(String rule, int start, int end, String message) {
    changes.finding(rule, Disposition.PORTED, start, end, message);
  }

  /** Reports something that needs a review. */
  public void doubt(String rule, int start, int end, String message, String advice) {
    changes.finding(rule, Severity.WARNING, Disposition.REVIEW, start, end, message, advice);
  }

  public void problem(int start, int end, String message) {
    changes.finding(unknown, Disposition.UNPORTED, start, end, message);
  }
}
