package dev.rocport.buildsystem.calls;

import dev.rocport.report.Disposition;
import dev.rocport.report.Severity;
import dev.rocport.rules.Changes;
import dev.rocport.source.Edit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;

/** The edits of one file in the making; parts of it can be read as they will be. */
public final class Draft {
  private final String text;
  private final Changes changes;
  private final String unknown;
  private final List<Change> made = new ArrayList<>();

  /**
   * @param text the file's bytes, one character each
   * @param unknown the rule about what is not ported
   */
  public Draft(String text, Changes changes, String unknown) {
    this.text = text;
    this.changes = changes;
    this.unknown = unknown;
  }

  private record Change(int start, int end, String text, String rule) {
    boolean touches(int from, int to) {
      return start < to && from < end;
    }
  }

  /** Whether the stretch is changed already. */
  public boolean isChanged(int start, int end) {
    return made.stream().anyMatch(c -> c.touches(start, end));
  }

  /** What stands there becomes another text; a stretch that is changed already stays as it is. */
  public void replace(int start, int end, String text, String rule) {
    if (changes.allows(rule) && !isChanged(start, end)) {
      made.add(new Change(start, end, text, rule));
    }
  }

  /** The same, and what was changed inside of it counts no more. */
  public void replaceAll(int start, int end, String text, String rule) {
    if (changes.allows(rule)) {
      made.removeIf(c -> c.touches(start, end) && c.start() >= start && c.end() <= end);
      replace(start, end, text, rule); // not where more than this is changed already
    }
  }

  public void insert(int at, String text, String rule) {
    if (changes.allows(rule)) {
      made.add(new Change(at, at, text, rule));
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
    for (Change c : sorted()) {
      if (c.start() >= start && c.end() <= end && c.start() >= at) {
        s.append(text, at, c.start()).append(c.text());
        at = c.end();
      }
    }
    return s.append(text, at, end).toString();
  }

  private List<Change> sorted() {
    return made.stream()
        .sorted(Comparator.comparingInt(Change::start).thenComparingInt(Change::end))
        .toList();
  }

  /** Hands all edits over. */
  public void finish() {
    for (Change c : sorted()) {
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
