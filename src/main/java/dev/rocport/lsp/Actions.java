package dev.rocport.lsp;

import dev.rocport.assess.SuppressionComment;
import dev.rocport.core.result.FileFix;
import dev.rocport.core.result.Replacement;
import dev.rocport.port.LiveTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.eclipse.lsp4j.CodeAction;
import org.eclipse.lsp4j.CodeActionKind;
import org.eclipse.lsp4j.CodeActionParams;
import org.eclipse.lsp4j.Command;
import org.eclipse.lsp4j.Diagnostic;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.TextDocumentEdit;
import org.eclipse.lsp4j.TextEdit;
import org.eclipse.lsp4j.VersionedTextDocumentIdentifier;
import org.eclipse.lsp4j.WorkspaceEdit;
import org.eclipse.lsp4j.jsonrpc.messages.Either;

/** The changes that an editor offers at a place: those of a port, and suppressions. */
final class Actions {
  /** The changes of a port in some lines. Clients ask for these kinds by name. */
  static final String PORT_LINES = CodeActionKind.QuickFix + ".rocport.port";

  static final String SUPPRESS = CodeActionKind.QuickFix + ".rocport.suppress";
  static final String EXPLAIN = CodeActionKind.QuickFix + ".rocport.explain";
  static final String PORT_FILE = CodeActionKind.Source + ".rocport.port";

  private final String uri;
  private final TextBuffer buffer;
  private final LiveTree.Answer answer;
  private final boolean isSource;
  private final boolean hasParts;
  private final List<Either<Command, CodeAction>> actions = new ArrayList<>();

  Actions(String uri, Analyst.Found found) {
    this.uri = uri;
    this.buffer = found.buffer();
    this.answer = found.answer();
    this.isSource = found.isSource();
    this.hasParts = found.hasParts();
  }

  List<Either<Command, CodeAction>> at(CodeActionParams params) {
    Range range = params.getRange();
    int first = range.getStart().getLine();
    boolean toStart = range.getEnd().getCharacter() == 0 && range.getEnd().getLine() > first;
    int last = toStart ? range.getEnd().getLine() - 1 : range.getEnd().getLine();
    List<Diagnostic> here =
        Findings.of(answer, buffer).stream()
            .filter(
                d ->
                    d.getRange().getStart().getLine() <= last
                        && d.getRange().getEnd().getLine() >= first)
            .toList();
    List<TextEdit> whole = edits(answer.fix().map(FileFix::replacements).orElse(List.of()));
    List<TextEdit> inside = whole.stream().filter(e -> touches(e, first, last)).toList();
    if (hasParts && !inside.isEmpty()) {
      List<TextEdit> part =
          whole.stream().filter(e -> touches(e, first, last) || isInclude(e)).toList();
      String title = first == last ? "Port this line" : "Port this selection";
      List<Diagnostic> fixed = here.stream().filter(d -> isCovered(d, inside)).toList();
      add(PORT_LINES, title, part, fixed);
    }
    for (Diagnostic d : here) {
      suppress(d);
    }
    if (!whole.isEmpty()) {
      add(PORT_FILE, title(whole.size()), whole, List.of());
    }
    explain(here);
    List<String> only = params.getContext().getOnly();
    if (only != null && !only.isEmpty()) {
      actions.removeIf(a -> only.stream().noneMatch(k -> isKind(a, k)));
    }
    return actions;
  }

  private String title(int count) {
    String needs = String.join(", ", answer.fix().map(FileFix::needs).orElse(List.of()));
    return "Port this file ("
        + count
        + (count == 1 ? " change" : " changes")
        + (needs.isEmpty() ? ")" : "; it needs " + needs + ")");
  }

  private static boolean isKind(Either<Command, CodeAction> a, String kind) {
    String own = a.isRight() && a.getRight().getKind() != null ? a.getRight().getKind() : "";
    return own.equals(kind) || own.startsWith(kind + ".");
  }

  private void add(String kind, String title, List<TextEdit> edits, List<Diagnostic> diagnostics) {
    CodeAction action = new CodeAction(title);
    action.setKind(kind);
    action.setDiagnostics(diagnostics);
    action.setEdit(workspace(edits));
    actions.add(Either.forRight(action));
  }

  /** Returns edits of the text that was analyzed; a client refuses them for another text. */
  WorkspaceEdit workspace(List<TextEdit> edits) {
    List<Either<TextEdit, org.eclipse.lsp4j.SnippetTextEdit>> all = new ArrayList<>();
    edits.forEach(e -> all.add(Either.forLeft(e)));
    TextDocumentEdit edit =
        new TextDocumentEdit(new VersionedTextDocumentIdentifier(uri, buffer.version()), all);
    return new WorkspaceEdit(List.of(Either.forLeft(edit)));
  }

  /** The comment has no reason yet, which is a finding until somebody writes one. */
  private void suppress(Diagnostic d) {
    String rule = d.getCode().getLeft();
    suppression(d.getRange().getStart().getLine(), rule, "")
        .ifPresent(
            comment ->
                add(
                    SUPPRESS,
                    "Suppress " + rule + " here (write the reason after it)",
                    List.of(comment),
                    List.of(d)));
  }

  /**
   * Returns the comment that suppresses a finding with a reason; empty if the line has no such
   * finding, or no place for a comment.
   *
   * @param line 0-based
   */
  Optional<TextEdit> suppressing(int line, String rule, String reason) {
    return Findings.of(answer, buffer).stream()
        .filter(d -> d.getRange().getStart().getLine() == line)
        .filter(d -> d.getCode().getLeft().equals(rule))
        .findFirst()
        .flatMap(d -> suppression(line, rule, reason));
  }

  private Optional<TextEdit> suppression(int line, String rule, String reason) {
    if (!isSource
        || rule.startsWith("SUPPRESS-")
        || answer.source().withLineFeeds() != answer.source()) {
      return Optional.empty();
    }
    Position start = position(line + 1, 1, isMarked());
    return SuppressionComment.above(answer.source(), line + 1, rule, reason)
        .map(comment -> new TextEdit(new Range(start, start), comment));
  }

  private void explain(List<Diagnostic> here) {
    TreeSet<String> rules = new TreeSet<>();
    here.forEach(d -> rules.add(d.getCode().getLeft()));
    for (String rule : rules) {
      CodeAction action = new CodeAction("Explain " + rule);
      action.setKind(EXPLAIN);
      action.setCommand(
          new Command("Explain " + rule, RocportServer.EXPLAIN, List.of((Object) rule)));
      actions.add(Either.forRight(action));
    }
  }

  private List<TextEdit> edits(List<Replacement> replacements) {
    boolean marked = isMarked();
    List<TextEdit> edits = new ArrayList<>();
    for (Replacement r : replacements) {
      Range range =
          new Range(
              position(r.line(), r.column(), marked), position(r.endLine(), r.endColumn(), marked));
      edits.add(new TextEdit(range, r.text()));
    }
    return edits;
  }

  private boolean isMarked() {
    return buffer.text().startsWith("\ufeff");
  }

  /** Columns of a replacement exclude a byte order mark. */
  private static Position position(int line, int column, boolean marked) {
    return new Position(line - 1, column - 1 + (marked && line == 1 ? 1 : 0));
  }

  private static boolean touches(TextEdit e, int first, int last) {
    Range r = e.getRange();
    boolean endsAtStart =
        r.getEnd().getCharacter() == 0 && r.getEnd().getLine() > r.getStart().getLine();
    int end = endsAtStart ? r.getEnd().getLine() - 1 : r.getEnd().getLine();
    return r.getStart().getLine() <= last && end >= first;
  }

  /** Whether an edit changes or adds an include, which the other edits may need. */
  private boolean isInclude(TextEdit e) {
    return e.getNewText().contains("#include")
        || buffer.line(e.getRange().getStart().getLine()).stripLeading().startsWith("#include");
  }

  /** Whether an edit changes what a finding marks, so that it may end the finding. */
  private boolean isCovered(Diagnostic d, List<TextEdit> edits) {
    int start = buffer.offset(d.getRange().getStart());
    int end = buffer.offset(d.getRange().getEnd());
    return edits.stream()
        .anyMatch(
            e ->
                buffer.offset(e.getRange().getStart()) <= end
                    && buffer.offset(e.getRange().getEnd()) >= start);
  }
}
