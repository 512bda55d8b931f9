package dev.rocport.buildsystem.autotools;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses M4 as autoconf uses it: square brackets quote; {@code dnl} and {@code #} begin comments.
 */
final class M4 {
  private static final Pattern COMMENT = Pattern.compile("(?m)\\bdnl\\b[^\n]*|^[ \t]*#[^\n]*");

  private M4() {}

  /** A macro call: name and arguments, without quotes around whole arguments. */
  record Call(String name, List<String> arguments, int start) {
    String argument(int i) {
      return i < arguments.size() ? arguments.get(i) : "";
    }
  }

  /** Returns the text with comments blanked, at the same offsets. */
  static String code(String text) {
    StringBuilder s = new StringBuilder(text);
    Matcher m = COMMENT.matcher(text);
    while (m.find()) {
      for (int i = m.start(); i < m.end(); i++) {
        if (s.charAt(i) != '\r') {
          s.setCharAt(i, ' ');
        }
      }
    }
    return s.toString();
  }

  /** Returns all calls of macros with these names, at any depth. */
  static List<Call> calls(String code, String names) {
    List<Call> calls = new ArrayList<>();
    Matcher m = Pattern.compile("\\b(" + names + ")\\b").matcher(code);
    while (m.find()) {
      boolean arguments = m.end() < code.length() && code.charAt(m.end()) == '(';
      calls.add(new Call(m.group(1), arguments ? arguments(code, m.end()) : List.of(), m.start()));
    }
    return calls;
  }

  /**
   * Returns the arguments in the brackets that open at {@code open}; empty if they are not closed.
   */
  private static List<String> arguments(String code, int open) {
    List<String> list = new ArrayList<>();
    int quotes = 0;
    int brackets = 0;
    int from = open + 1;
    for (int i = open; i < code.length(); i++) {
      char c = code.charAt(i);
      if (c == '[') {
        quotes++;
      } else if (c == ']') {
        quotes--;
      } else if (quotes == 0 && c == '(') {
        brackets++;
      } else if (quotes == 0 && c == ')' && --brackets == 0) {
        list.add(unquoted(code.substring(from, i)));
        return list;
      } else if (quotes == 0 && brackets == 1 && c == ',') {
        list.add(unquoted(code.substring(from, i)));
        from = i + 1;
      }
    }
    return List.of();
  }

  private static String unquoted(String argument) {
    String s = argument.strip();
    if (!s.startsWith("[") || !s.endsWith("]")) {
      return s;
    }
    int depth = 0;
    for (int i = 0; i < s.length(); i++) {
      depth += s.charAt(i) == '[' ? 1 : s.charAt(i) == ']' ? -1 : 0;
      if (depth == 0 && i < s.length() - 1) {
        return s; // [a][b]
      }
    }
    return s.substring(1, s.length() - 1).strip();
  }
}
