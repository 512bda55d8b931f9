package dev.rocport.buildsystem.cmake;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.SpanSet;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.rules.Changes;
import java.util.ArrayList;
import java.util.List;

/** Collects the edits of one file; they do not overlap. */
final class CMakeDraft {
  private final CMakeFile file;
  private final Changes changes;
  private final SpanSet covered = new SpanSet();
  private final List<String> following = new ArrayList<>();

  CMakeDraft(CMakeFile file, Changes changes) {
    this.file = file;
    this.changes = changes;
  }

  boolean isCovered(int start, int end) {
    return covered.touches(start, end);
  }

  /** Marks a span as handled. */
  void cover(int start, int end) {
    covered.add(start, end);
  }

  void replace(int start, int end, String text, String rule) {
    if (changes.allows(rule) && !isCovered(start, end)) {
      cover(start, end);
      changes.edit(
          text.isEmpty() ? Edit.delete(start, end, rule) : Edit.replace(start, end, text, rule));
    }
  }

  void insert(int at, String text, String rule) {
    if (changes.allows(rule)) {
      changes.edit(Edit.before(at, text, rule));
    }
  }

  /** Deletes an argument and the white space before it, or after it if it is the first one. */
  void delete(CMakeCommand.Argument a, String rule) {
    String text = file.text();
    int from = a.start();
    int to = a.end();
    if (text.charAt(from - 1) == '(') {
      while (Character.isWhitespace(text.charAt(to)) && !isCovered(to, to + 1)) {
        to++;
      }
    }
    while (Character.isWhitespace(text.charAt(from - 1)) && !isCovered(from - 1, from)) {
      from--;
    }
    replace(from, to, "", rule);
  }

  /** Inserts commands, one per line, before a command. */
  void before(CMakeCommand c, List<String> lines, String rule) {
    if (changes.allows(rule) && !lines.isEmpty()) {
      String indent = file.indentation(c);
      String nl = file.source().newline();
      changes.edit(Edit.before(c.start(), String.join(nl + indent, lines) + nl + indent, rule));
    }
  }

  /** Queues a command to be written after the current one. */
  void after(String line, String rule) {
    if (changes.allows(rule)) {
      following.add(line);
    }
  }

  /** Writes the commands queued by {@link #after}. */
  void flush(CMakeCommand c, String rule) {
    if (!following.isEmpty()) {
      String start = file.source().newline() + file.indentation(c);
      StringBuilder text = new StringBuilder();
      following.forEach(line -> text.append(start).append(line));
      changes.edit(Edit.after(file.after(c), text.toString(), rule));
      following.clear();
    }
  }

  /** Ports nvcc flags in a span; returns true if they request relocatable device code. */
  boolean flags(int from, int to, FlagText.Form form, boolean plain) {
    FlagText flags = FlagText.of(file.text(), from, to, form, plain);
    for (FlagText.Change c : flags.changes()) {
      replace(c.start(), c.end(), c.text(), ListPort.FLAG);
    }
    report(flags);
    return flags.isRelocatable();
  }

  void report(FlagText flags) {
    for (FlagText.Remark r : flags.remarks()) {
      if (r.problem()) {
        problem(r.start(), r.end(), r.message());
      } else {
        note(r.arch() ? ListPort.ARCH : ListPort.FLAG, r.start(), r.end(), r.message());
      }
    }
  }

  void note(String rule, int start, int end, String message) {
    changes.finding(rule, Disposition.PORTED, start, end, message);
  }

  /** Reports something that needs a review. */
  void doubt(String rule, int start, int end, String message) {
    doubt(rule, start, end, message, "Check its value.");
  }

  void doubt(String rule, int start, int end, String message, String advice) {
    changes.finding(rule, Severity.WARNING, Disposition.REVIEW, start, end, message, advice);
  }

  void problem(int start, int end, String message) {
    cover(start, end);
    changes.finding(ListPort.UNKNOWN, Disposition.UNPORTED, start, end, message);
  }
}
