package dev.rocport.packaging;

import java.nio.charset.StandardCharsets;

/** Decodes the text between the quotes of a TOML string. */
final class TomlEscapes {
  private TomlEscapes() {}

  /**
   * The value of a string; an unknown escape sequence is kept.
   *
   * @param raw one character per byte, like the result
   * @param quote the kind of string: only one in double quotes has escapes
   * @param multi whether it is in three quotes
   */
  static String decode(String raw, char quote, boolean multi) {
    String text = multi ? raw.substring(newline(raw)) : raw;
    if (quote != '"' || text.indexOf('\\') < 0) {
      return text;
    }
    StringBuilder value = new StringBuilder();
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i++);
      if (c != '\\' || i == text.length()) {
        value.append(c);
        continue;
      }
      char kind = text.charAt(i++);
      int digits = kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
      int line = multi ? lineEnd(text, i - 1) : -1;
      int plain = "btnfre\"\\".indexOf(kind);
      if (digits > 0 && isCodePoint(text, i, digits)) {
        value.append(bytes(Integer.parseInt(text.substring(i, i + digits), 16)));
        i += digits;
      } else if (plain >= 0) {
        value.append("\b\t\n\f\r\u001b\"\\".charAt(plain));
      } else if (line >= 0) {
        i = line;
        while (i < text.length() && Character.isWhitespace(text.charAt(i))) {
          i++;
        }
      } else {
        value.append(c).append(kind);
      }
    }
    return value.toString();
  }

  private static int newline(String text) {
    return text.startsWith("\n") ? 1 : text.startsWith("\r\n") ? 2 : 0;
  }

  /** The end of a line that has only blanks from here on; -1 if it has more. */
  private static int lineEnd(String text, int from) {
    int i = from;
    while (i < text.length() && " \t\r".indexOf(text.charAt(i)) >= 0) {
      i++;
    }
    return i < text.length() && text.charAt(i) == '\n' ? i : -1;
  }

  private static boolean isCodePoint(String text, int from, int digits) {
    return text.length() - from >= digits
        && text.substring(from, from + digits)
            .matches("[0-9A-Fa-f]{2,4}|00(?:0[0-9A-Fa-f]|10)[0-9A-Fa-f]{4}");
  }

  /** A code point in UTF-8, one character per byte. */
  private static String bytes(int codePoint) {
    byte[] utf8 = Character.toString(codePoint).getBytes(StandardCharsets.UTF_8);
    return new String(utf8, StandardCharsets.ISO_8859_1);
  }
}
