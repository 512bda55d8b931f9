package dev.rocport.lang.python.syntax;

import dev.rocport.core.source.SourceFile;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** The lines of a Python file. */
public final class PythonLines {
  /** The encoding is in a comment in one of the first lines. */
  private static final int HEAD = 2;

  private PythonLines() {}

  /**
   * Returns the 1-based lines above which a line with a comment has no effect: not those that begin
   * in a string or after a backslash, and not the comments at the head of the file.
   *
   * @return empty if the file is not valid
   */
  public static Optional<BitSet> free(SourceFile file) {
    List<SyntaxProblem> problems = new ArrayList<>();
    PythonTokens tokens = Lexer.file(file.bytes(), problems);
    if (!problems.isEmpty()) {
      return Optional.empty();
    }
    BitSet free = new BitSet();
    free.set(1, file.lines() + 1);
    for (int i = 0; i < tokens.count(); i++) {
      if (tokens.kind(i) == PythonTokens.STRING) {
        int first = file.line(tokens.start(i));
        free.clear(first + 1, Math.max(first, file.line(tokens.end(i) - 1)) + 1);
      }
    }
    for (int line = 1; line <= file.lines(); line++) {
      String text = file.text(file.lineStart(line), file.lineEnd(line)).strip();
      if (line <= HEAD && text.startsWith("#")) {
        free.clear(line);
      }
      if (text.endsWith("\\")) {
        free.clear(line + 1);
      }
    }
    return Optional.of(free);
  }
}
