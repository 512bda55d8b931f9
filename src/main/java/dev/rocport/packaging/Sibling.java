package dev.rocport.packaging;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A copy of a file in the making: stretches of the original are replaced, comments are put in front
 * of lines, every other line stays as it is. Works on one char a byte, so offsets are the file's.
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

  /** Puts other text in the place of a stretch; stretches that overlap an earlier one are kept. */
  boolean replace(int start, int end, String with) {
    for (Change c : changes) {
      if (start < c.end && c.start < end) {
        return false;
      }
    }
    changes.add(new Change(start, end, with));
    return true;
  }

  /** Puts a comment on lines of its own in front of the line of a place, indented like it. */
  void note(int at, String comment) {
    int line = lineStart(at);
    int i = line;
    while (i < text.length() && (text.charAt(i) == ' ' || text.charAt(i) == '\t')) {
      i++;
    }
    insert(line, text.substring(line, i) + "# rocport: " + comment.replaceAll("\\s+", " ").strip());
  }

  /** Puts a line in front of the line of a place. */
  void insert(int at, String line) {
    int start = lineStart(at);
    changes.add(new Change(start, start, line + newline));
  }

  /** Puts lines in front of the line of a place and of all that was put there. */
  void insertFirst(int at, List<String> lines) {
    int start = lineStart(at);
    changes.addFirst(new Change(start, start, String.join(newline, lines) + newline));
  }

  /** Makes the lines from one place to another comments. */
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

  /** True if some line differs. */
  boolean isChanged() {
    return !changes.isEmpty();
  }

  int lineStart(int at) {
    return at == 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  }

  /** What stands in front of a place on its line. */
  String before(int at) {
    return text.substring(lineStart(at), at);
  }

  /** Where a text of one character a byte starts: behind the mark of UTF-8. */
  static int start(String text) {
    return text.startsWith("\u00ef\u00bb\u00bf") ? 3 : 0;
  }

  /** The copy, with a first line of its own. */
  String build(String header) {
    return build(start(text), header);
  }

  /** The copy, with a line of its own at a place. */
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
