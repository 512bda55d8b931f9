package dev.rocport.buildsystem.cmake;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.SpanSet;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.rules.Changes;
import java.util.ArrayList;
import java.util.List;

/** The edits of one file in the making; no two of them touch the same bytes. */
final class CMakeDraft {
  private final CMakeFile file;
  private final Changes changes;
  private final SpanSet covered = new SpanSet();
  private final List<String> behind = new ArrayList<>();

  CMakeDraft(CMakeFile file, Changes changes) {
    this.file = file;
    this.changes = changes;
  }

  boolean isCovered(int start, int end) {
    return covered.touches(start, end);
  }

  /** What stands there is dealt with. */
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

  /** Takes an argument out, with the white space before it. */
  void delete(CMakeCommand.Argument a, String rule) {
    int from = a.start();
    while (Character.isWhitespace(file.text().charAt(from - 1)) && !isCovered(from - 1, from)) {
      from--;
    }
    replace(from, a.end(), "", rule);
  }

  /** Commands, a line each, that go before a command. */
  void before(CMakeCommand c, List<String> lines, String rule) {
    if (changes.allows(rule) && !lines.isEmpty()) {
      String indent = file.indentation(c);
      String nl = file.source().newline();
      changes.edit(Edit.before(c.start(), String.join(nl + indent, lines) + nl + indent, rule));
    }
  }

  /** A command that goes behind the one at hand. */
  void after(String line, String rule) {
    if (changes.allows(rule)) {
      behind.add(line);
    }
  }

  /** Writes what {@link #after} was told. */
  void flush(CMakeCommand c, String rule) {
    if (!behind.isEmpty()) {
      String start = file.source().newline() + file.indentation(c);
      StringBuilder text = new StringBuilder();
      behind.forEach(line -> text.append(start).append(line));
      changes.edit(Edit.after(file.behind(c), text.toString(), rule));
      behind.clear();
    }
  }

  /** nvcc's flags in a stretch; true if device code is linked across files with them. */
  boolean flags(int from, int to, FlagText.Form form, boolean plain) {
    FlagText flags = FlagText.of(file.text(), from, to, form, plain);
    for (FlagText.Change c : flags.changes()) {
      replace(c.start(), c.end(), c.text(), ListPort.FLAG);
    }
    tell(flags);
    return flags.isRelocatable();
  }

  void tell(FlagText flags) {
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

  /** Something that a person should look at. */
  void doubt(String rule, int start, int end, String message) {
    changes.finding(
        rule, Severity.WARNING, Disposition.REVIEW, start, end, message, "Look at what it holds.");
  }

  void problem(int start, int end, String message) {
    cover(start, end);
    changes.finding(ListPort.UNKNOWN, Disposition.UNPORTED, start, end, message);
  }
}
