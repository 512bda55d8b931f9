package dev.rocport.buildsystem.calls;

import java.util.Locale;

/**
 * A word of the language.
 *
 * @param text as it stands in the file, quotes included
 */
public record Token(Kind kind, int start, int end, String text) implements Part {
  /** What sort of word. */
  public enum Kind {
    NAME,
    NUMBER,
    STRING,
    OPERATOR
  }

  /** What a string holds: without its quotes, with backslashes before quotes resolved. */
  public String value() {
    int open = open();
    int quotes = text.startsWith(text.substring(open, open + 1).repeat(3), open) ? 3 : 1;
    String inner = text.substring(open + quotes, text.length() - quotes);
    return quotes == 3 ? inner : inner.replaceAll("\\\\([\"'\\\\])", "$1");
  }

  /** The string's value is not what it seems: {@code f'...'}. */
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
