package dev.rocport.lang.cuda.lex;

/** Finds matching template brackets, which tokens alone do not distinguish from comparisons. */
public final class Angles {
  private Angles() {}

  /**
   * The token that closes the template bracket at {@code open}, or -1 if it is a comparison. Looks
   * no further than {@code limit}.
   */
  public static int close(Tokens t, int open, int limit) {
    int depth = 0;
    int i = open;
    while (i < limit) {
      int partner = t.match(i);
      if (partner > i) {
        i = partner + 1;
        continue;
      }
      if (t.is(i, '<')) {
        if (i > open && t.is(i + 1, '<') && t.touches(i)) {
          return -1; // a shift
        }
        depth++;
      } else if (t.is(i, '>')) {
        depth--;
        if (depth == 0) {
          return follows(t, i + 1, limit) ? i : -1;
        }
      } else if (t.is(i, ';') || t.is(i, '{') || t.is(i, '}') || t.is(i, ')')) {
        return -1;
      } else if (t.is(i, '&') && t.is(i + 1, '&') && t.touches(i) && !t.is(i + 2, ',')) {
        return -1;
      } else if (t.is(i, '|') && t.is(i + 1, '|')) {
        return -1;
      }
      i++;
    }
    return -1;
  }

  private static boolean follows(Tokens t, int i, int limit) {
    return i >= limit
        || t.is(i, '(')
        || t.isPair(i, ':')
        || t.is(i, '{')
        || t.is(i, '>')
        || t.is(i, ',')
        || t.is(i, ')')
        || t.is(i, '*')
        || t.is(i, '&');
  }

  /**
   * The token that closes the bracket at {@code open}, which is one of a template for certain and
   * may be followed by anything; or -1.
   */
  public static int closeOfTemplate(Tokens t, int open) {
    int depth = 0;
    for (int i = open; i < t.count(); i++) {
      if (t.match(i) > i) {
        i = t.match(i);
      } else if (t.is(i, ';') || t.is(i, '{') || t.is(i, ')')) {
        return -1;
      } else {
        depth += t.is(i, '<') ? 1 : t.is(i, '>') ? -1 : 0;
        if (depth == 0) {
          return i;
        }
      }
    }
    return -1;
  }

  /**
   * The token that opens the template bracket closed at {@code close}, or -1. Looks back no further
   * than the last {@code ;}, brace or unbalanced bracket.
   */
  public static int open(Tokens t, int close) {
    int depth = 0;
    int i = close;
    while (i >= 0) {
      int partner = t.match(i);
      if (partner >= 0 && partner < i) {
        i = partner - 1;
        continue;
      }
      if (t.is(i, '>')) {
        depth++;
      } else if (t.is(i, '<')) {
        depth--;
        if (depth == 0) {
          return i;
        }
      } else if (t.is(i, ';') || t.is(i, '{') || t.is(i, '}') || t.is(i, '(')) {
        return -1;
      }
      i--;
    }
    return -1;
  }
}
