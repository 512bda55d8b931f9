package dev.rocport.lang.cuda.lex;

import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Keeps the comments between tokens that an edit replaces. */
public final class Comments {
  private static final Pattern COMMENT =
      Pattern.compile("/\\*.*?\\*/|//[^\\n]*\\n", Pattern.DOTALL);

  private Comments() {}

  /**
   * The comments of a gap, each with what separates it from the next token.
   *
   * @param gap text without string literals
   */
  public static String of(String gap) {
    return COMMENT
        .matcher(gap)
        .results()
        .map(m -> m.group().startsWith("//") ? m.group() : m.group() + " ")
        .collect(Collectors.joining());
  }

  /** The first byte after a token that is not a blank: the next token's, or a comment's. */
  public static int behindBlanks(Tokens t, int i) {
    byte[] bytes = t.file().bytes();
    int at = t.end(i);
    while (at < t.start(i + 1) && bytes[at] <= ' ' && bytes[at] >= 0) {
      at++;
    }
    return at;
  }
}
