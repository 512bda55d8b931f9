package dev.rocport.packaging;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The strings of a TOML file, each with its key path and offset. A file with errors is read as far
 * as possible.
 */
final class TomlEntries {
  /** Starts a line that cannot be an element: the array above it is not closed. */
  private static final Pattern NEXT =
      Pattern.compile("[\\w.-]+[ \\t]*=|\\[\\[?[A-Za-z_][\\w. -]*\\]\\]?[ \\t]*(?:#|\\r?\\n|\\z)");

  private final String text;
  private final List<Entry> entries = new ArrayList<>();

  /** Paths of the arrays of tables so far. */
  private final Set<String> lists = new HashSet<>();

  private String table = "";
  private int at;

  private TomlEntries(String text) {
    this.text = text;
  }

  /**
   * Returns all strings in order, as far as the file can be read.
   *
   * @param text text with one character per byte
   */
  static List<Entry> of(String text) {
    TomlEntries t = new TomlEntries(text);
    t.at = Sibling.start(text);
    t.file();
    return t.entries;
  }

  private void file() {
    while (at < text.length()) {
      blanks(true);
      if (at >= text.length()) {
        return;
      }
      int before = at;
      if (text.charAt(at) == '[') {
        boolean list = text.startsWith("[[", at);
        at += list ? 2 : 1;
        table = header(key(), list);
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else {
        pair(table);
      }
      if (at == before) {
        return;
      }
    }
  }

  /** The path of a table. A key that is an array of tables means the last of these tables. */
  private String header(List<String> keys, boolean list) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < keys.size(); i++) {
      path.append(i == 0 ? "" : ".").append(keys.get(i));
      if (list && i == keys.size() - 1) {
        lists.add(path.toString());
      }
      path.append(lists.contains(path.toString()) ? "[]" : "");
    }
    return path.toString();
  }

  private void pair(String under) {
    String key = String.join(".", key());
    blanks(false);
    if (at < text.length() && text.charAt(at) == '=') {
      at++;
      blanks(false);
      value(under.isEmpty() ? key : under + "." + key);
    } else {
      int end = text.indexOf('\n', at);
      at = end < 0 ? text.length() : end;
    }
  }

  /** Parses a dotted key into its parts, without quotes. */
  private List<String> key() {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '"' || c == '\'') {
        int end = end(c, at + 1, false);
        part.append(TomlEscapes.decode(text.substring(at + 1, end), c, false));
        at = text.startsWith(String.valueOf(c), end) ? end + 1 : end;
      } else if (c == ' ' || c == '\t') {
        at++;
      } else if (c == '=' || c == ']' || c == '\n' || c == '\r' || c == ',' || c == '}') {
        break;
      } else {
        if (c == '.') {
          parts.add(part.toString());
          part.setLength(0);
        } else {
          part.append(c);
        }
        at++;
      }
    }
    parts.add(part.toString());
    return parts;
  }

  private void value(String path) {
    if (at >= text.length()) {
      return;
    }
    char c = text.charAt(at);
    if (c == '"' || c == '\'') {
      string(path, c);
    } else if (c == '[') {
      at++;
      while (at < text.length()) {
        blanks(true);
        if (at >= text.length() || text.charAt(at) == ']') {
          at++;
          return;
        }
        if (startsLine() && NEXT.matcher(text).region(at, text.length()).lookingAt()) {
          return;
        }
        int before = at;
        value(path + "[]");
        blanks(true);
        at += at < text.length() && text.charAt(at) == ',' ? 1 : 0;
        at += at == before ? 1 : 0;
      }
    } else if (c == '{') {
      at++;
      while (at < text.length()) {
        blanks(true);
        if (at >= text.length() || text.charAt(at) == '}') {
          at++;
          return;
        }
        int before = at;
        pair(path);
        blanks(true);
        at += at < text.length() && text.charAt(at) == ',' ? 1 : 0;
        at += at == before ? 1 : 0;
      }
    } else {
      while (at < text.length() && ",]}\n#".indexOf(text.charAt(at)) < 0) {
        at++;
      }
    }
  }

  private void string(String path, char quote) {
    boolean multi = text.startsWith(three(quote), at);
    int start = at + (multi ? 3 : 1);
    int end = end(quote, start, multi);
    String value = TomlEscapes.decode(text.substring(start, end), quote, multi);
    entries.add(new Entry(path, value, start, end));
    at = Math.min(text.length(), end + (multi ? 3 : 1));
  }

  /** Where the text of a string ends; at the end of the line or file if no quote closes it. */
  private int end(char quote, int start, boolean multi) {
    String three = three(quote);
    int i = start;
    while (i < text.length()
        && (multi
            ? !text.startsWith(three, i)
            : text.charAt(i) != quote && text.charAt(i) != '\n')) {
      i += quote == '"' && text.charAt(i) == '\\' ? 2 : 1;
    }
    // Up to two quotes before the closing three belong to the text.
    for (int n = 0; multi && n < 2 && text.startsWith(three, i + 1); n++) {
      i++;
    }
    return Math.min(i, text.length());
  }

  private static String three(char quote) {
    return String.valueOf(quote).repeat(3);
  }

  private boolean startsLine() {
    int i = at;
    while (i > 0 && (text.charAt(i - 1) == ' ' || text.charAt(i - 1) == '\t')) {
      i--;
    }
    return i == 0 || text.charAt(i - 1) == '\n';
  }

  private void blanks(boolean lines) {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '#') {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (c == ' ' || c == '\t' || (lines && (c == '\n' || c == '\r'))) {
        at++;
      } else {
        return;
      }
    }
  }
}
