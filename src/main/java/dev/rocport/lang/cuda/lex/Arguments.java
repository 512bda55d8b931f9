package dev.rocport.lang.cuda.lex;

import java.util.ArrayList;
import java.util.List;

/** Splits the tokens between brackets at the top-level commas. */
public final class Arguments {
  private Arguments() {}

  /** An argument's first and last token. */
  public record Span(int first, int last) {}

  /**
   * The arguments in the round brackets that open at token {@code open}; none for {@code ()}.
   * Commas between template brackets do not split; {@link Angles} distinguishes them from
   * comparisons.
   */
  public static List<Span> of(Tokens t, int open) {
    int close = t.match(open);
    return close < 0 ? List.of() : between(t, open + 1, close);
  }

  /** The arguments from token {@code from} to token {@code to}, which is not included. */
  public static List<Span> between(Tokens t, int from, int to) {
    List<Span> spans = new ArrayList<>();
    int first = from;
    int i = from;
    while (i < to) {
      int partner = t.match(i);
      if (partner > i && partner < to) {
        i = partner + 1;
      } else if (t.is(i, '<') && t.isIdentifier(i - 1)) {
        int end = Angles.close(t, i, to);
        i = end > 0 ? end + 1 : i + 1;
      } else if (t.is(i, ',')) {
        if (i > first) {
          spans.add(new Span(first, i - 1));
        }
        first = i + 1;
        i++;
      } else {
        i++;
      }
    }
    if (to > first) {
      spans.add(new Span(first, to - 1));
    }
    return spans;
  }

  /** The first name of an expression: {@code stage} of {@code (char *)stage + offset}. */
  public static String variable(Tokens t, Span argument) {
    int i = argument.first();
    while (t.is(i, '(') && t.match(i) > 0 && t.match(i) < argument.last()) {
      i = t.match(i) + 1; // a cast
    }
    while (i <= argument.last() && !t.isIdentifier(i)) {
      i++;
    }
    return i <= argument.last() ? t.text(i) : "";
  }
}
