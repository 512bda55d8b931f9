package dev.rocport.lang.python.syntax;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The value of a string literal. */
final class StringValue {
  private StringValue() {}

  /**
   * The value of one literal; empty for bytes, for f-strings and where an escape is none of {@code
   * \\ \' \" \n \r \t} and a line end.
   */
  static Optional<String> of(byte[] b, int start, int end) {
    boolean raw = false;
    int i = start;
    for (; b[i] != '"' && b[i] != '\''; i++) {
      int letter = b[i] | 32;
      if (letter == 'b' || letter == 'f' || letter == 't') {
        return Optional.empty();
      }
      raw |= letter == 'r';
    }
    int quotes = end - i >= 6 && b[i + 1] == b[i] && b[i + 2] == b[i] ? 3 : 1;
    if (end - i < 2 * quotes || b[end - 1] != b[i]) {
      return Optional.empty();
    }
    String text = new String(b, i + quotes, end - i - 2 * quotes, StandardCharsets.UTF_8);
    if (raw || text.indexOf('\\') < 0) {
      return Optional.of(text);
    }
    StringBuilder value = new StringBuilder();
    for (int k = 0; k < text.length(); k++) {
      char c = text.charAt(k);
      if (c != '\\') {
        value.append(c);
        continue;
      }
      if (++k == text.length()) {
        return Optional.empty();
      }
      switch (text.charAt(k)) {
        case '\\', '\'', '"' -> value.append(text.charAt(k));
        case 'n' -> value.append('\n');
        case 'r' -> value.append('\r');
        case 't' -> value.append('\t');
        case '\n' -> {}
        default -> {
          return Optional.empty();
        }
      }
    }
    return Optional.of(value.toString());
  }
}
