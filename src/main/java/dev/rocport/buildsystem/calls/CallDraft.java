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

/** The edits of one file in the making; parts of it can be read as they will be. */
public final class CallDraft {
  private final String text;
  private final Changes changes;
  private final String unknown;

  /** Stretches that become another text, by their starts; no two of them share a byte. */
  private final NavigableMap<Integer, Change> replaced = new TreeMap<>();

  private final NavigableMap<Integer, List<Change>> inserted = new TreeMap<>();

  /**
   * @param text the file's bytes, one character each
   * @param unknown the rule about what is not ported
   */
  public CallDraft(String text, Changes changes, String unknown) {
    this.text = text;
    this.changes = changes;
    this.unknown = unknown;
  }

  private record Change(int start, int end, String text, String rule) {}

  /** Whether the stretch is changed already. */
  public boolean isChanged(int start, int end) {
    Map.Entry<Integer, Change> last = replaced.lowerEntry(end);
    return (last != null && last.getValue().end() > start)
        || (start < end && !inserted.subMap(start, false, end, false).isEmpty());
  }

  /** What stands there becomes another text; a stretch that is changed already stays as it is. */
  public void replace(int start, int end, String text, String rule) {
    if (start == end) {
      insert(start, text, rule);
    } else if (changes.allows(rule) && !isChanged(start, end)) {
      replaced.put(start, new Change(start, end, text, rule));
    }
  }

  /** The same, and what was changed inside of it counts no more. */
  public void replaceAll(int start, int end, String text, String rule) {
    if (changes.allows(rule)) {
      replaced.subMap(start, true, end, false).values().removeIf(c -> c.end() <= end);
      inserted.subMap(start, false, end, false).clear();
      replace(start, end, text, rule); // not where more than this is changed already
    }
  }

  /** Whether the offset is inside of a stretch that becomes another text, not at its ends. */
  public boolean isReplaced(int at) {
    Map.Entry<Integer, Change> last = replaced.lowerEntry(at);
    return last != null && last.getValue().end() > at;
  }

  /** Puts a text there; a stretch that is changed already stays as it is. */
  public void insert(int at, String text, String rule) {
    if (changes.allows(rule) && !isReplaced(at)) {
      inserted.computeIfAbsent(at, a -> new ArrayList<>()).add(new Change(at, at, text, rule));
    }
  }

  /** Takes items out of a list, with the commas behind them. */
  public void delete(Group group, SortedSet<Integer> indices, String rule) {
    List<Item> items = group.items();
    int i = 0;
    while (i < items.size()) {
      int first = i;
      while (i < items.size() && indices.contains(i)) {
        i++;
      }
      if (i > first) {
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

  /** A stretch as it will be. */
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

  /** The changes that begin in a stretch, or at its end, in order. */
  private List<Change> sorted(int start, int end) {
    List<Change> all = new ArrayList<>(replaced.subMap(start, true, end, true).values());
    inserted.subMap(start, true, end, true).values().forEach(all::addAll);
    all.sort(Comparator.comparingInt(Change::start).thenComparingInt(Change::end));
    return all;
  }

  /** Hands all edits over. */
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

  /** Something that a person should look at. */
  public void doubt(String rule, int start, int end, String message, String advice) {
    changes.finding(rule, Severity.WARNING, Disposition.REVIEW, start, end, message, advice);
  }

  public void problem(int start, int end, String message) {
    changes.finding(unknown, Disposition.UNPORTED, start, end, message);
  }
}
