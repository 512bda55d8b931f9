package dev.rocport.lang.cuda.lex;

import java.util.ArrayList;
import java.util.List;

/** Finds where statements end, by their brackets. */
public final class Statements {
  private Statements() {}

  /** The statements between two braces, in order; a nested block is one statement. */
  public static List<Arguments.Span> between(Tokens t, int open, int close) {
    List<Arguments.Span> list = new ArrayList<>();
    int i = open + 1;
    while (i < close) {
      int end = end(t, i, close);
      list.add(new Arguments.Span(i, end));
      i = end + 1;
    }
    return list;
  }

  /** First token of the statement that holds a token, outside the brackets around both. */
  public static int start(Tokens t, int i) {
    int k = i;
    while (k > 0 && !t.is(k - 1, ';') && !t.is(k - 1, '{') && !t.is(k - 1, '}')) {
      k--;
    }
    return k;
  }

  /** The last token of the header of a compound statement; -1 for other statements. */
  public static int header(Tokens t, int first) {
    if (t.is(first, "do")) {
      return first;
    }
    if (!t.is(first, "if")
        && !t.is(first, "for")
        && !t.is(first, "while")
        && !t.is(first, "switch")) {
      return -1;
    }
    int open = t.is(first + 1, "constexpr") ? first + 2 : first + 1;
    return t.is(open, '(') ? Math.max(-1, t.match(open)) : -1;
  }

  /**
   * The last token of the statement that begins at a token; of more than one where that is not
   * clear.
   *
   * @param limit the token after the last that may belong to it
   */
  public static int end(Tokens t, int first, int limit) {
    if (t.is(first, '{')) {
      return Math.min(limit - 1, Math.max(first, t.match(first)));
    }
    int header = header(t, first);
    if (header >= 0 && header + 1 < limit) {
      int end = end(t, header + 1, limit);
      if (t.is(first, "if") && t.is(end + 1, "else") && end + 2 < limit) {
        return end(t, end + 2, limit);
      }
      return t.is(first, "do") ? simple(t, end + 1, limit) : end;
    }
    return simple(t, first, limit);
  }

  private static int simple(Tokens t, int first, int limit) {
    int i = first;
    while (i < limit && !t.is(i, ';')) {
      i = t.after(i);
    }
    return Math.min(i, limit - 1);
  }

  /** The token after the expression that begins at a token. */
  public static int expressionEnd(Tokens t, int first) {
    int i = first;
    while (i < t.count()
        && !t.is(i, ';')
        && !t.is(i, ',')
        && !t.is(i, ')')
        && !t.is(i, ']')
        && !t.is(i, '}')) {
      boolean template = t.is(i, '<') && t.isIdentifier(i - 1);
      int close = template ? Angles.close(t, i, t.count()) : -1;
      i = close > i ? close + 1 : t.after(i);
    }
    return i;
  }

  /** The first token of the definition that holds token {@code i}, outside function bodies. */
  public static int definitionStart(Tokens t, int i) {
    int first = i;
    while (first > 0
        && !t.inDirective(first - 1)
        && !t.is(first - 1, ';')
        && !t.is(first - 1, '{')
        && !t.is(first - 1, '}')) {
      first--;
    }
    return first;
  }
}
