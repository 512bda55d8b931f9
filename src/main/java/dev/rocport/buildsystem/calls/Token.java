package dev.rocport.buildsystem.calls;

import java.util.Locale;

/**
 * A word of the language.
 *
 * @param text its text in the file, including quotes
 */
public record Token(Kind kind, int start, int end, String text) implements Part {
  /** Kind of a token. */
  public enum Kind {
    NAME,
    NUMBER,
    STRING,
    OPERATOR
  }

  /**
   * Returns the value of a string: without quotes, with escaped quotes and backslashes resolved.
   */
  public String value() {
    int open = open();
    int quotes = text.startsWith(text.substring(open, open + 1).repeat(3), open) ? 3 : 1;
    String inner = text.substring(open + quotes, text.length() - quotes);
    return quotes == 3 ? inner : inner.replaceAll("\\\\([\"'\\\\])", "$1");
  }

  /** Returns whether the string has placeholders: {@code f'...'}. */
  public boolean isFormatted() {
    return text.substring(0, open()).toLowerCase(Locale.ROOT).contains("f");
  }

  private int open() {
    int i = 0;
    while (text.charAt(i) != '"' && text.charAt(i) != '\'') {
      i++;
    }
    return i;
  }
}
