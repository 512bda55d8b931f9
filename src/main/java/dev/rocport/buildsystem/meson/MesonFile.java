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
 * A Meson file as statements over its bytes.
 *
 * @param text its bytes, one character each, so that offsets are those of the file
 */
record MesonFile(SourceFile source, String text, List<Statement> statements) {
  MesonFile {
    statements = List.copyOf(statements);
  }

  /** Parses a file; empty if it is not in the Meson language. */
  static Optional<MesonFile> of(SourceFile source) {
    String text = new String(source.bytes(), StandardCharsets.ISO_8859_1);
    return CallParser.parse(Dialect.MESON, text).map(s -> new MesonFile(source, text, s));
  }

  /** Returns the folder of the file with a slash at the end; empty for the root of the tree. */
  String folder() {
    return source.path().substring(0, source.path().lastIndexOf('/') + 1);
  }

  String text(int start, int end) {
    return text.substring(start, end);
  }

  /** Returns the text of an expression. */
  String text(List<Part> parts) {
    return parts.isEmpty() ? "" : text(parts.getFirst().start(), parts.getLast().end());
  }

  /** Returns the indentation of the line of a statement. */
  String indentation(Statement s) {
    return text(s.start() - s.indentation(), s.start());
  }

  /** Returns the call of project(); empty for files of subfolders. */
  Optional<Call> project() {
    return statements.isEmpty()
        ? Optional.empty()
        : statements.getFirst().call().filter(c -> c.is("project"));
  }
}
