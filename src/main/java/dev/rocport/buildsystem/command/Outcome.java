package dev.rocport.buildsystem.command;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.rules.Changes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the changes and remarks for the command lines of a file. */
public final class Outcome {
  private final List<Change> changes = new ArrayList<>();
  private final List<Remark> remarks = new ArrayList<>();

  /** A replaced span. */
  public record Change(int start, int end, String text, Topic topic) {}

  /** Severity of a remark. */
  public enum Level {
    /** Something that was left out. */
    NOTE,
    /** Something that needs a review. */
    DOUBT,
    /** Something that was not ported. */
    PROBLEM
  }

  /** A remark about a span. */
  public record Remark(int start, int end, String message, Topic topic, Level level) {
    /**
     * Adds the remark to the findings of a file.
     *
     * @param prefix what the rule ids of the build system begin with, such as {@code MAKE-}
     */
    public void report(Changes to, String prefix) {
      String rule = prefix + topic;
      switch (level) {
        case NOTE -> to.finding(rule, Disposition.PORTED, start, end, message);
        case DOUBT ->
            to.finding(
                rule,
                Severity.WARNING,
                Disposition.REVIEW,
                start,
                end,
                message,
                "Check what depends on it.");
        case PROBLEM -> to.finding(prefix + "UNKNOWN", Disposition.UNPORTED, start, end, message);
      }
    }
  }

  public List<Change> changes() {
    return changes;
  }

  public List<Remark> remarks() {
    return remarks;
  }

  /**
   * Adds the changes and remarks to a file whose text has one character per byte.
   *
   * @param prefix what the rule ids of the build system begin with, such as {@code MAKE-}
   * @return the new texts, one per line
   */
  public String report(Changes to, String prefix) {
    StringBuilder now = new StringBuilder();
    for (Change c : changes) {
      String rule = prefix + c.topic();
      if (to.allows(rule)) {
        String text =
            new String(c.text().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        to.edit(
            c.start() == c.end()
                ? Edit.before(c.start(), text, rule)
                : text.isEmpty()
                    ? Edit.delete(c.start(), c.end(), rule)
                    : Edit.replace(c.start(), c.end(), text, rule));
        now.append(text).append('\n');
      }
    }
    remarks.forEach(r -> r.report(to, prefix));
    return now.toString();
  }

  void change(int start, int end, String text, Topic topic) {
    changes.add(new Change(start, end, text, topic));
  }

  void remark(int start, int end, String message, Topic topic, Level level) {
    remarks.add(new Remark(start, end, message, topic, level));
  }

  /** Returns a span of the text with the changes applied. */
  String applied(String text, int from, int to) {
    StringBuilder s = new StringBuilder();
    int at = from;
    List<Change> sorted = new ArrayList<>(changes);
    sorted.sort(Comparator.comparingInt(Change::start));
    for (Change c : sorted) {
      if (c.start() >= at && c.end() <= to) {
        s.append(text, at, c.start()).append(c.text());
        at = c.end();
      }
    }
    return s.append(text, at, to).toString();
  }
}
