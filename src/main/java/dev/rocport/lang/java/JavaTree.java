package dev.rocport.lang.java;

import com.github.javaparser.JavaParser;
import com.github.javaparser.ParseResult;
import com.github.javaparser.ParserConfiguration;
import com.github.javaparser.ParserConfiguration.LanguageLevel;
import com.github.javaparser.Position;
import com.github.javaparser.Problem;
import com.github.javaparser.Range;
import com.github.javaparser.ast.CompilationUnit;
import com.github.javaparser.ast.Node;
import dev.rocport.core.source.Encoding;
import dev.rocport.core.source.SourceFile;

/**
 * A parsed Java file. The parser receives one character per byte, so that its columns are bytes: it
 * reads every non-ASCII byte as a letter.
 */
final class JavaTree {
  private static final int LETTERS = 0x4e00;

  private final SourceFile file;
  private final CompilationUnit unit;

  private JavaTree(SourceFile file, CompilationUnit unit) {
    this.file = file;
    this.unit = unit;
  }

  /** What is wrong with a file that is no Java. */
  static final class Broken extends Exception {
    private static final long serialVersionUID = 1;

    /** Byte offset. */
    final int at;

    Broken(int at, String message) {
      super(message);
      this.at = at;
    }
  }

  /**
   * Parses a file.
   *
   * @throws Broken if the parser rejects the file
   */
  static JavaTree parse(SourceFile file) throws Broken {
    String text = characters(file);
    ParseResult<CompilationUnit> result = parse(text, LanguageLevel.BLEEDING_EDGE);
    if (!result.isSuccessful()) {
      // Code of old releases has words as names that are no names any more.
      ParseResult<CompilationUnit> old = parse(text, LanguageLevel.RAW);
      result = old.isSuccessful() ? old : result;
    }
    if (result.isSuccessful() && result.getResult().isPresent()) {
      return new JavaTree(file, result.getResult().get());
    }
    Problem first = result.getProblems().isEmpty() ? null : result.getProblems().getFirst();
    if (first == null) {
      throw new Broken(0, "it cannot be parsed");
    }
    int at =
        first.getLocation().flatMap(r -> r.toRange()).map(r -> offset(file, r.begin)).orElse(0);
    throw new Broken(at, first.getMessage().lines().findFirst().orElse("it cannot be parsed"));
  }

  private static ParseResult<CompilationUnit> parse(String text, LanguageLevel level) {
    return new JavaParser(
            new ParserConfiguration().setLanguageLevel(level).setAttributeComments(false))
        .parse(text);
  }

  private static String characters(SourceFile file) {
    byte[] b = file.bytes();
    char[] chars = new char[b.length];
    for (int i = 0; i < b.length; i++) {
      chars[i] = b[i] >= 0 ? (char) b[i] : (char) (LETTERS + (b[i] & 0xff));
    }
    if (file.encoding() == Encoding.UTF8_BOM) {
      chars[0] = ' ';
      chars[1] = ' ';
      chars[2] = ' ';
    }
    return new String(chars);
  }

  private static int offset(SourceFile file, Position p) {
    int line = Math.clamp(p.line, 1, file.lines());
    return Math.min(file.length(), file.lineStart(line) + Math.max(0, p.column - 1));
  }

  SourceFile file() {
    return file;
  }

  CompilationUnit unit() {
    return unit;
  }

  /** Byte offset of a node's first character. */
  int start(Node n) {
    return offset(file, range(n).begin);
  }

  /** Byte offset after a node's last character. */
  int end(Node n) {
    return Math.min(file.length(), offset(file, range(n).end) + 1);
  }

  private static Range range(Node n) {
    return n.getRange().orElseThrow();
  }

  /** A node as it is written. */
  String text(Node n) {
    return file.text(start(n), end(n));
  }
}
