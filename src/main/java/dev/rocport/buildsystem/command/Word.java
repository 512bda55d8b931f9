package dev.rocport.buildsystem.command;

import java.util.ArrayList;
import java.util.List;

/**
 * A word of a command line; quoted text and references do not split words.
 *
 * @param start offset in the text
 * @param operator whether it separates commands
 */
public record Word(int start, int end, String text, boolean operator) {

  /** Returns the words of a span without command separators, such as the value of a variable. */
  public static List<Word> of(Syntax syntax, String text, int from, int to) {
    return of(syntax, text, from, to, false);
  }

  /**
   * Returns the words of a span.
   *
   * @param commands whether {@code ;}, {@code &&} and similar operators are separate words
   */
  public static List<Word> of(Syntax syntax, String text, int from, int to, boolean commands) {
    List<Word> words = new ArrayList<>();
    int i = from;
    while (i < to) {
      int blank = blank(text, i, to);
      if (blank > i && !(commands && syntax == Syntax.SHELL && text.charAt(i) == '\n')) {
        i = blank;
        continue;
      }
      int operator = commands ? operator(syntax, text, i, to) : i;
      if (operator > i) {
        words.add(new Word(i, operator, text.substring(i, operator), true));
        i = operator;
        continue;
      }
      int end = Math.max(i + 1, end(syntax, text, i, to, commands));
      words.add(new Word(i, end, text.substring(i, end), false));
      i = end;
    }
    return words;
  }

  /** Splits words at operators. */
  static List<List<Word>> commands(List<Word> words) {
    List<List<Word>> commands = new ArrayList<>();
    List<Word> one = new ArrayList<>();
    for (Word word : words) {
      if (word.operator()) {
        commands.add(one);
        one = new ArrayList<>();
      } else {
        one.add(word);
      }
    }
    commands.add(one);
    commands.removeIf(List::isEmpty);
    return commands;
  }

  /** Returns the word without enclosing quotes. */
  String bare() {
    return text.replaceAll("^[\"']|[\"']$", "");
  }

  /** Returns the program name of a command's first word: without quotes and make prefixes. */
  String program() {
    return text.replaceAll("^[@+-]*[\"']?|[\"']$", "");
  }

  /**
   * Returns the offset after white space and line continuations; the same offset if there are none.
   */
  private static int blank(String text, int i, int to) {
    char c = text.charAt(i);
    if (Character.isWhitespace(c)) {
      return i + 1;
    }
    if (c == '\\' && i + 1 < to && (text.charAt(i + 1) == '\n' || text.charAt(i + 1) == '\r')) {
      return text.startsWith("\r\n", i + 1) ? i + 3 : i + 2;
    }
    return c == '\\' && i + 1 == to ? to : i;
  }

  private static int operator(Syntax syntax, String text, int i, int to) {
    char c = text.charAt(i);
    if (syntax == Syntax.SHELL && c == '\n') {
      return i + 1;
    }
    if (";|()".indexOf(c) >= 0 || (c == '&' && !isRedirection(text, i, to))) {
      boolean twice = i + 1 < to && text.charAt(i + 1) == c && c != '(' && c != ')';
      return i + (twice ? 2 : 1);
    }
    return i;
  }

  private static boolean isRedirection(String text, int i, int to) {
    return (i > 0 && text.charAt(i - 1) == '>') || (i + 1 < to && text.charAt(i + 1) == '>');
  }

  private static int end(Syntax syntax, String text, int from, int to, boolean commands) {
    int i = from;
    char quote = 0;
    while (i < to) {
      char c = text.charAt(i);
      int reference = quote == '\'' && syntax == Syntax.SHELL ? i : syntax.reference(text, i);
      if (reference > i) {
        i = Math.min(reference, to);
        continue;
      }
      if (quote == 0
          && (blank(text, i, to) > i || (commands && operator(syntax, text, i, to) > i))) {
        return i;
      }
      if (c == '\\' && quote != '\'' && i + 1 < to) {
        i += 2;
        continue;
      }
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '"' || c == '\'') {
        quote = c;
      }
      i++;
    }
    return Math.min(i, to);
  }
}
