package dev.rocport.lsp;

import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.port.LiveTree;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.lsp4j.Diagnostic;
import org.eclipse.lsp4j.DiagnosticSeverity;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;

/** Findings as an editor shows them. */
final class Findings {
  static final String SOURCE = "rocport";

  private Findings() {}

  static List<Diagnostic> of(LiveTree.Answer answer, TextBuffer buffer) {
    SourceFile lines = answer.source().withLineFeeds();
    List<Diagnostic> all = new ArrayList<>();
    for (Finding f : answer.result().findings()) {
      String message = f.advice().isEmpty() ? f.message() : f.message() + "\n" + f.advice();
      Diagnostic d =
          new Diagnostic(range(f, lines, buffer), message, severity(f.severity()), SOURCE);
      d.setCode(f.rule());
      all.add(d);
    }
    return all;
  }

  /** A finding about the whole file is at its first line. */
  private static Range range(Finding f, SourceFile lines, TextBuffer buffer) {
    if (f.line() == 0 || f.line() > lines.lines()) {
      return new Range(new Position(0, 0), buffer.position(buffer.lineEnd(0)));
    }
    int start = buffer.index(lines.lineStart(f.line()) + f.column() - 1);
    int endLine = Math.clamp(f.endLine(), f.line(), lines.lines());
    int end = buffer.index(lines.lineStart(endLine) + Math.max(0, f.endColumn() - 1));
    return new Range(buffer.position(start), buffer.position(Math.max(start, end)));
  }

  private static DiagnosticSeverity severity(Severity severity) {
    return switch (severity) {
      case ERROR -> DiagnosticSeverity.Error;
      case WARNING -> DiagnosticSeverity.Warning;
      case NOTE -> DiagnosticSeverity.Information;
    };
  }
}
