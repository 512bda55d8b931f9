package dev.rocport.lang.python;

import dev.rocport.rules.BuiltInText;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Handles lines that are IPython syntax but not Python: magics ({@code %name}), shell commands
 * ({@code !ls}), and help requests ({@code name?}). They become comments of the same length, so
 * that the rest is Python at the same offsets.
 */
final class Magics {
  /** Magics of a whole cell under which the cell's lines stay Python. */
  private static final Set<String> PYTHON =
      BuiltInText.table("python/cell-magics.tsv", "magic\twhy").rows().stream()
          .map(r -> r.cell(0))
          .collect(Collectors.toUnmodifiableSet());

  private final byte[] text;

  /** Brackets that are open. */
  private int depth;

  /** The string that a line ended in: its quote, 0 for none. */
  private byte quote;

  /** What the line that was read last ended with: a backslash, or a question mark in code. */
  private boolean continued;

  private boolean asks;

  private Magics(byte[] text) {
    this.text = text;
  }

  /**
   * Hides them in a cell.
   *
   * @param text a cell; changed in place
   * @return the magic of a cell that is not the notebook's Python, as {@code bash}; empty for
   *     others
   */
  static String hide(byte[] text) {
    Magics m = new Magics(text);
    int at = m.firstLine();
    if (m.startsWith(at, "%%")) {
      int end = at + 2;
      while (end < text.length && text[end] > ' ') {
        end++;
      }
      String name = new String(text, at + 2, end - at - 2, java.nio.charset.StandardCharsets.UTF_8);
      if (!PYTHON.contains(name)) {
        return name.isEmpty() ? "%%" : name;
      }
      text[at] = '#';
      at = m.lineEnd(at);
    }
    while (at < text.length) {
      at = m.line(at);
    }
    return "";
  }

  /** The first line that is not blank. */
  private int firstLine() {
    int at = 0;
    for (int i = 0; i < text.length && text[i] <= ' ' && text[i] >= 0; i++) {
      at = text[i] == '\n' ? i + 1 : at;
    }
    return at;
  }

  /** Handles one line and returns the start of the next. */
  private int line(int start) {
    int end = lineEnd(start);
    boolean fresh = depth == 0 && quote == 0 && !continued;
    int first = start;
    while (first < end && (text[first] == ' ' || text[first] == '\t')) {
      first++;
    }
    if (fresh && first < end) {
      int command = text[first] == '%' || text[first] == '!' || text[first] == '?' ? first : -1;
      command = command >= 0 ? command : assigned(first, end);
      if (command >= 0) {
        return hide(command, first == start && command == first, end);
      }
    }
    scan(first, end);
    if (fresh && asks && depth == 0 && quote == 0) {
      return hide(first, first == start, end);
    }
    return end;
  }

  /** Hides a command and its continuation lines. */
  private int hide(int start, boolean whole, int end) {
    // In a block, and where a value is required, a name keeps the syntax valid.
    if (!whole) {
      text[start] = '_';
    }
    int hash = whole ? start : start + 1;
    int line = end;
    if (hash < end && text[hash] != '\n' && text[hash] != '\r') {
      text[hash] = '#';
    }
    while (line < text.length && endsWithBackslash(line)) {
      text[line] = '#';
      line = lineEnd(line);
    }
    depth = 0;
    quote = 0;
    continued = false;
    return line;
  }

  private boolean endsWithBackslash(int lineEnd) {
    int i = lineEnd - 1;
    while (i >= 0 && (text[i] == '\n' || text[i] == '\r')) {
      i--;
    }
    return i >= 0 && text[i] == '\\';
  }

  /** Where {@code !} or {@code %} is in {@code name = !command}; -1 for other lines. */
  private int assigned(int first, int end) {
    int i = first;
    while (i < end && isName(text[i])) {
      i++;
    }
    int name = i;
    while (i < end && text[i] == ' ') {
      i++;
    }
    if (name == first || i >= end || text[i] != '=') {
      return -1;
    }
    i++;
    while (i < end && text[i] == ' ') {
      i++;
    }
    return i < end && (text[i] == '!' || text[i] == '%') ? i : -1;
  }

  private static boolean isName(byte b) {
    return Character.isLetterOrDigit(b & 0xff) || b == '_' || b == '.' || b == ',' || b < 0;
  }

  /** Follows brackets and strings to the end of a line. */
  private void scan(int from, int end) {
    asks = false;
    continued = false;
    for (int i = from; i < end; i++) {
      byte b = text[i];
      if (b == '\n' || b == '\r') {
        continue;
      }
      if (quote != 0) {
        i = string(i, end);
        asks = false;
        continue;
      }
      switch (b) {
        case '#' -> {
          return;
        }
        case '(', '[', '{' -> depth++;
        case ')', ']', '}' -> depth = Math.max(0, depth - 1);
        case '"', '\'' -> {
          boolean three = i + 2 < end && text[i + 1] == b && text[i + 2] == b;
          quote = b;
          triple = three;
          i += three ? 2 : 0;
        }
        default -> {}
      }
      if (b > ' ' || b < 0) {
        asks = b == '?';
        continued = b == '\\' && isLast(i, end);
      }
    }
    if (quote != 0 && !triple && !endsWithBackslash(end)) {
      quote = 0;
    }
  }

  private boolean triple;

  /** Goes on in a string; where it ends there, at its last quote. */
  private int string(int i, int end) {
    if (text[i] == '\\') {
      return i + 1;
    }
    if (text[i] != quote) {
      return i;
    }
    if (!triple) {
      quote = 0;
      return i;
    }
    if (i + 2 < end && text[i + 1] == quote && text[i + 2] == quote) {
      quote = 0;
      return i + 2;
    }
    return i;
  }

  private boolean isLast(int i, int end) {
    int next = i + 1;
    return next >= end || text[next] == '\n' || text[next] == '\r';
  }

  private boolean startsWith(int at, String word) {
    return at + 1 < text.length && text[at] == word.charAt(0) && text[at + 1] == word.charAt(1);
  }

  /** After the line end. */
  private int lineEnd(int from) {
    int i = from;
    while (i < text.length && text[i] != '\n') {
      i++;
    }
    return Math.min(text.length, i + 1);
  }
}
