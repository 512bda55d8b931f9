package dev.rocport.buildsystem.meson;

import dev.rocport.buildsystem.calls.Call;
import dev.rocport.buildsystem.calls.CallParser;
import dev.rocport.buildsystem.calls.Dialect;
import dev.rocport.buildsystem.calls.Part;
import dev.rocport.buildsystem.calls.Statement;
import dev.rocport.core.source.SourceFile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * A file of Meson's as statements over its bytes.
 *
 * @param text its bytes, one character each, so that offsets are those of the file
 */
record MesonFile(SourceFile source, String text, List<Statement> statements) {
  MesonFile {
    statements = List.copyOf(statements);
  }

  /** The file's statements; empty if it is not Meson's language. */
  static Optional<MesonFile> of(SourceFile source) {
    String text = new String(source.bytes(), StandardCharsets.ISO_8859_1);
    return CallParser.parse(Dialect.MESON, text).map(s -> new MesonFile(source, text, s));
  }

  /** The folder of the file with its slash; empty for the tree's root. */
  String folder() {
    return source.path().substring(0, source.path().lastIndexOf('/') + 1);
  }

  String text(int start, int end) {
    return text.substring(start, end);
  }

  /** The text of an expression. */
  String text(List<Part> parts) {
    return parts.isEmpty() ? "" : text(parts.getFirst().start(), parts.getLast().end());
  }

  /** The white space that a statement's line begins with. */
  String indentation(Statement s) {
    return text(s.start() - s.indentation(), s.start());
  }

  /** The call of a function that the file begins with; empty for files of subfolders. */
  Optional<Call> project() {
    return statements.isEmpty()
        ? Optional.empty()
        : statements.getFirst().call().filter(c -> c.is("project"));
  }
}
