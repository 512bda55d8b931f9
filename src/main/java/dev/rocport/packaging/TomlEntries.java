package dev.rocport.packaging;

import java.util.ArrayList;
import java.util.List;

/** The strings of a TOML file, each with its key path and offset. */
final class TomlEntries {
  private final String text;
  private final List<Entry> entries = new ArrayList<>();
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
        table = key() + (list ? "[]" : "");
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

  private void pair(String under) {
    String key = key();
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

  /** Parses a dotted key without quotes. */
  private String key() {
    StringBuilder key = new StringBuilder();
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '"' || c == '\'') {
        int end = text.indexOf(c, at + 1);
        if (end < 0) {
          at = text.length();
          break;
        }
        key.append(text, at + 1, end);
        at = end + 1;
      } else if (c == ' ' || c == '\t') {
        at++;
      } else if (c == '=' || c == ']' || c == '\n' || c == '\r' || c == ',' || c == '}') {
        break;
      } else {
        key.append(c);
        at++;
      }
    }
    return key.toString();
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
    String three = String.valueOf(quote).repeat(3);
    boolean multi = text.startsWith(three, at);
    int start = at + (multi ? 3 : 1);
    int i = start;
    while (i < text.length()
        && (multi
            ? !text.startsWith(three, i)
            : text.charAt(i) != quote && text.charAt(i) != '\n')) {
      i += quote == '"' && text.charAt(i) == '\\' ? 2 : 1;
    }
    i = Math.min(i, text.length());
    entries.add(new Entry(path, text.substring(start, i).replace("\\\"", "\""), start, i));
    at = Math.min(text.length(), i + (multi ? 3 : 1));
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
