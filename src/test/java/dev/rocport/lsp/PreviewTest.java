package dev.rocport.lsp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.eclipse.lsp4j.Diagnostic;
import org.eclipse.lsp4j.DiagnosticSeverity;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;
import org.junit.jupiter.api.Test;

/** Findings of the analyses in one text, shown in the next one. */
class PreviewTest {
  private static final TextBuffer TEXT = new TextBuffer("a\nb\nc\nd\n", 1);

  private static Diagnostic at(int line, String rule) {
    Range range = new Range(new Position(line, 0), new Position(line, 1));
    Diagnostic d = new Diagnostic(range, "text", DiagnosticSeverity.Warning, "rocport");
    d.setCode(rule);
    return d;
  }

  /** In the first text, tokens show A and X; the analyses add B and C, and take X away. */
  private static List<String> next(String text, Diagnostic... tokens) {
    Preview preview =
        new Preview(
            TEXT, List.of(at(0, "A"), at(3, "X")), List.of(at(0, "A"), at(1, "B"), at(3, "C")));
    return preview.next(new TextBuffer(text, 2), List.of(tokens)).stream()
        .map(d -> d.getRange().getStart().getLine() + " " + d.getCode().getLeft())
        .toList();
  }

  @Test
  void findingsOfAnalysesMoveWithTheirLines() {
    assertThat(next("a\nb\nnew\nnew\nc\nd\n", at(0, "A"), at(5, "X")))
        .containsExactly("0 A", "1 B", "5 C");
    assertThat(next("b\nc\nd\n", at(2, "X"))).containsExactly("0 B", "2 C");
    assertThat(next("a\nb\nc\nd\n", at(0, "A"), at(3, "X"))).containsExactly("0 A", "1 B", "3 C");
  }

  @Test
  void changedLinesHaveOnlyWhatTokensShow() {
    assertThat(next("a\nbb\nc\nd\n", at(0, "A"), at(1, "N"), at(3, "X")))
        .containsExactly("0 A", "1 N", "3 C");
    assertThat(next("", at(0, "N"))).containsExactly("0 N");
  }
}
