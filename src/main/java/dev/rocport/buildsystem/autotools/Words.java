package dev.rocport.buildsystem.autotools;

import java.util.ArrayList;
import java.util.List;

/** Splits a line of shell or make in words; quotes and {@code $(...)} do not split words. */
final class Words {
  private Words() {}

  /**
   * A word.
   *
   * @param start offset in the text
   */
  record Word(int start, String text) {
    int end() {
      return start + text.length();
    }
  }

  static List<Word> of(String text) {
    List<Word> words = new ArrayList<>();
    int i = 0;
    while (i < text.length()) {
      if (isBlank(text, i)) {
        i++;
        continue;
      }
      int end = end(text, i);
      words.add(new Word(i, text.substring(i, end)));
      i = end;
    }
    return words;
  }

  /** Returns true for white space and line continuations. */
  private static boolean isBlank(String text, int i) {
    char c = text.charAt(i);
    return Character.isWhitespace(c)
        || (c == '\\'
            && (i + 1 == text.length()
                || text.charAt(i + 1) == '\n'
                || text.charAt(i + 1) == '\r'));
  }

  private static int end(String text, int from) {
    char quote = 0;
    int depth = 0;
    int i = from;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '$' && i + 1 < text.length() && "({".indexOf(text.charAt(i + 1)) >= 0) {
        depth++;
        i++;
      } else if (depth > 0 && (c == ')' || c == '}')) {
        depth--;
      } else if (depth == 0 && isBlank(text, i)) {
        return i;
      }
      i++;
    }
    return i;
  }
}
