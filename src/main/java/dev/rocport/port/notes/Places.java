package dev.rocport.port.notes;

import dev.rocport.buildsystem.cmake.CMakeCommand;
import dev.rocport.buildsystem.make.MakeFile;
import dev.rocport.buildsystem.shared.BuildFileNames;
import dev.rocport.core.source.Encoding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.python.syntax.PythonLines;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Where a line with a comment changes nothing.
 *
 * @param free 1-based numbers of the lines above which it does; not above a line that begins in a
 *     string, a comment or a continued line
 */
record Places(Syntax syntax, BitSet free) {
  /** A backslash in the oldest character sets. */
  private static final String SPLICE = "??/";

  /**
   * Returns the places in a file.
   *
   * @param language as in {@code TreeEntry}
   * @return empty if the language has no such places, or the file is not valid
   */
  static Optional<Places> of(SourceFile file, String language) {
    Optional<Places> places =
        switch (language) {
          case "cuda", "c++" -> code(file).map(free -> new Places(Syntax.SLASHES, free));
          case "c" -> code(file).map(free -> new Places(Syntax.STARS, free));
          case "python" ->
              file.path().endsWith(".py")
                  ? PythonLines.free(file).map(free -> new Places(Syntax.HASH, free))
                  : Optional.empty();
          case "build" -> build(file);
          default -> Optional.empty();
        };
    // A byte order mark is the first thing in a file.
    places.filter(p -> file.encoding() == Encoding.UTF8_BOM).ifPresent(p -> p.free.clear(1));
    return places;
  }

  private static Optional<Places> build(SourceFile file) {
    String path = file.path();
    if (BuildFileNames.isCMake(path) && !path.endsWith(".in")) {
      return cmake(file).map(free -> new Places(Syntax.HASH, free));
    }
    return BuildFileNames.isMakefile(path)
        ? MakeFile.beginnings(file).map(free -> new Places(Syntax.HASH_AT_START, free))
        : Optional.empty();
  }

  private static Optional<BitSet> code(SourceFile file) {
    Tokens tokens = Lexer.lex(file);
    if (!tokens.problems().isEmpty()) {
      return Optional.empty();
    }
    BitSet free = all(file);
    for (int i = 0; i < tokens.count(); i++) {
      cut(free, file, tokens.start(i), tokens.end(i));
    }
    for (int i = 0; i < tokens.commentCount(); i++) {
      cut(free, file, tokens.commentStart(i), tokens.commentEnd(i));
    }
    for (int line = 2; line <= file.lines(); line++) {
      String before = file.text(file.lineStart(line - 1), file.lineEnd(line - 1)).stripTrailing();
      if (before.endsWith("\\") || before.endsWith(SPLICE)) {
        free.clear(line);
      }
    }
    return Optional.of(free);
  }

  /** A comment in brackets, {@code #[[}, would end at brackets in the text of another comment. */
  private static Optional<BitSet> cmake(SourceFile file) {
    String text = new String(file.bytes(), StandardCharsets.ISO_8859_1);
    Optional<List<CMakeCommand>> commands = CMakeCommand.of(text);
    if (commands.isEmpty() || text.contains("#[")) {
      return Optional.empty();
    }
    BitSet free = all(file);
    for (CMakeCommand command : commands.get()) {
      command.arguments().forEach(a -> cut(free, file, a.start(), a.end()));
    }
    return Optional.of(free);
  }

  private static BitSet all(SourceFile file) {
    BitSet free = new BitSet();
    free.set(1, file.lines() + 1);
    return free;
  }

  /** Takes out the lines that begin inside a stretch. */
  private static void cut(BitSet free, SourceFile file, int start, int end) {
    int first = file.line(start);
    int last = file.line(Math.max(start, end - 1));
    if (last > first) {
      free.clear(first + 1, last + 1);
    }
  }

  /** Returns the nearest free line at or above a line; 0 if there is none. */
  int above(int line) {
    return Math.max(0, free.previousSetBit(line));
  }
}
