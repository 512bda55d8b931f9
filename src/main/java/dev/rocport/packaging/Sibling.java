package dev.rocport.packaging;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Builds a modified copy of a file: replaces parts of the original, adds comments before lines, and
 * keeps every other line. Works on one char per byte, so offsets are those of the file.
 */
final class Sibling {
  private final String text;
  private final String newline;
  private final List<Change> changes = new ArrayList<>();

  private record Change(int start, int end, String with) {}

  Sibling(String text, String newline) {
    this.text = text;
    this.newline = newline;
  }

  /** Replaces a span; a span that overlaps an earlier one is kept. */
  boolean replace(int start, int end, String with) {
    for (Change c : changes) {
      if (start < c.end && c.start < end) {
        return false;
      }
    }
    changes.add(new Change(start, end, with));
    return true;
  }

  /** Adds a comment on a separate line before the line of an offset, with the same indentation. */
  void note(int at, String comment) {
    int line = lineStart(at);
    int i = line;
    while (i < text.length() && (text.charAt(i) == ' ' || text.charAt(i) == '\t')) {
      i++;
    }
    insert(line, text.substring(line, i) + "# rocport: " + comment.replaceAll("\\s+", " ").strip());
  }

  /** Adds a line before the line of an offset. */
  void insert(int at, String line) {
    int start = lineStart(at);
    changes.add(new Change(start, start, line + newline));
  }

  /** Adds lines before the line of an offset and before all lines added there. */
  void insertFirst(int at, List<String> lines) {
    int start = lineStart(at);
    changes.addFirst(new Change(start, start, String.join(newline, lines) + newline));
  }

  /** Comments out the lines between two offsets. */
  void comment(int from, int to) {
    int line = lineStart(from);
    while (line < to) {
      int end = text.indexOf('\n', line);
      end = end < 0 ? text.length() : end;
      int code = line;
      while (code < end && (text.charAt(code) == ' ' || text.charAt(code) == '\t')) {
        code++;
      }
      if (code < end && text.charAt(code) != '#' && text.charAt(code) != '\r') {
        replace(code, code, "# ");
      }
      line = end + 1;
    }
  }

  /** Returns true if any line differs. */
  boolean isChanged() {
    return !changes.isEmpty();
  }

  int lineStart(int at) {
    return at == 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  }

  /** Returns the text before an offset on its line. */
  String before(int at) {
    return text.substring(lineStart(at), at);
  }

  /** Returns the start of a text with one character per byte: after a UTF-8 byte order mark. */
  static int start(String text) {
    return text.startsWith("\u00ef\u00bb\u00bf") ? 3 : 0;
  }

  /** Returns the copy, with a header as the first line. */
  String build(String header) {
    return build(start(text), header);
  }

  /** Returns the copy, with a header line at an offset. */
  String build(int at, String header) {
    List<Change> all = new ArrayList<>();
    all.add(new Change(at, at, "# " + header + newline));
    all.addAll(changes);
    List<Change> sorted = new ArrayList<>(all);
    sorted.sort(
        Comparator.comparingInt(Change::start).thenComparing(c -> c.start == c.end ? 0 : 1));
    StringBuilder s = new StringBuilder();
    int done = 0;
    for (Change c : sorted) {
      s.append(text, done, c.start).append(c.with);
      done = c.end;
    }
    return s.append(text, done, text.length()).toString();
  }
}
