package dev.rocport.buildsystem.command;

import java.util.ArrayList;
import java.util.List;

/** What becomes of a file's command lines; filled while it is read. */
public final class Outcome {
  private final List<Change> changes = new ArrayList<>();
  private final List<Remark> remarks = new ArrayList<>();

  /** A stretch that becomes another text. */
  public record Change(int start, int end, String text, Topic topic) {}

  /** How much a remark matters. */
  public enum Level {
    /** Something that was left out. */
    NOTE,
    /** Something to look at. */
    DOUBT,
    /** Something that was not ported. */
    PROBLEM
  }

  /** Something to say about a stretch. */
  public record Remark(int start, int end, String message, Topic topic, Level level) {}

  public List<Change> changes() {
    return changes;
  }

  public List<Remark> remarks() {
    return remarks;
  }

  void change(int start, int end, String text, Topic topic) {
    changes.add(new Change(start, end, text, topic));
  }

  void remark(int start, int end, String message, Topic topic, Level level) {
    remarks.add(new Remark(start, end, message, topic, level));
  }

  /** A stretch of the text with the changes in it. */
  String applied(String text, int from, int to) {
    StringBuilder s = new StringBuilder();
    int at = from;
    List<Change> sorted = new ArrayList<>(changes);
    sorted.sort(java.util.Comparator.comparingInt(Change::start));
    for (Change c : sorted) {
      if (c.start() >= at && c.end() <= to) {
        s.append(text, at, c.start()).append(c.text());
        at = c.end();
      }
    }
    return s.append(text, at, to).toString();
  }
}
