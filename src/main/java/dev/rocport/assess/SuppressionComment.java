package dev.rocport.assess;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.Optional;

/** Where a comment that suppresses a finding can go. */
public final class SuppressionComment {
  private SuppressionComment() {}

  /** Whether a text fits: after a backslash at its end, the next line would join the comment. */
  public static boolean isReason(String text) {
    return !text.isBlank()
        && text.chars().noneMatch(Character::isISOControl)
        && !text.stripTrailing().endsWith("\\");
  }

  /**
   * Returns the comment for the line above a line of code, with its indent and line end; empty if
   * the line begins inside of a token, a comment or a directive.
   *
   * @param file a source in C, C++ or CUDA
   * @param line 1-based
   */
  public static Optional<String> above(SourceFile file, int line, String rule, String reason) {
    int at = file.lineStart(line);
    Tokens tokens = Lexer.lex(file);
    int before = tokens.at(at) - 1;
    boolean inToken = before >= 0 && tokens.end(before) > at;
    if (inToken || continues(file, line) || isInComment(tokens, at)) {
      return Optional.empty();
    }
    int code = at;
    int end = file.lineEnd(line);
    while (code < end && (file.bytes()[code] == ' ' || file.bytes()[code] == '\t')) {
      code++;
    }
    String text = "// rocport: ignore " + rule + " " + reason;
    return Optional.of(file.text(at, code) + text + file.newline());
  }

  /** Returns whether the line before ends in a backslash. */
  private static boolean continues(SourceFile file, int line) {
    if (line == 1) {
      return false;
    }
    int end = file.lineEnd(line - 1);
    while (end > file.lineStart(line - 1) && file.bytes()[end - 1] == ' ') {
      end--; // compilers accept blanks after the backslash
    }
    return end > file.lineStart(line - 1) && file.bytes()[end - 1] == '\\';
  }

  private static boolean isInComment(Tokens tokens, int at) {
    for (int i = 0; i < tokens.commentCount(); i++) {
      if (tokens.commentStart(i) < at && tokens.commentEnd(i) > at) {
        return true;
      }
    }
    return false;
  }
}
