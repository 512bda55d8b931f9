package dev.rocport.lang.cuda.asm;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.Piece;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.ptx.Code;
import dev.rocport.lang.ptx.Translation;
import dev.rocport.rules.PtxRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Writes the translation of inline assembly. */
final class AsmWriter {
  private static final int SHORT = 72;

  private AsmWriter() {}

  /** Writes the translation: the expressions of the operands are moved, with the edits in them. */
  static void write(CudaFile f, AsmStatement asm, Translation.Hip hip) {
    List<AsmStatement.Operand> operands = Objects.requireNonNull(asm.operands());
    int start = f.t.start(asm.first());
    int end = f.t.end(asm.last());
    boolean semicolon = f.t.is(asm.last() + 1, ';');
    String text = single(asm, hip);
    if (hip.code().isEmpty()) {
      text = semicolon ? "" : "(void)0";
    } else if (text.isEmpty()) {
      boolean macro = f.t.inDirective(asm.first()) || f.inString;
      if (macro || !semicolon) {
        text = loop(hip);
      } else {
        List<Code> code = List.of(new Code.Braces("", hip.code(), ""));
        text = Code.text(code, " ", "");
        int lineStart = f.source.lineStart(f.source.line(start));
        String before = f.source.text(lineStart, start);
        String indent = before.substring(0, before.length() - before.stripLeading().length());
        text = text.length() <= SHORT ? text : Code.text(code, f.source.newline(), indent);
        end = f.t.end(asm.last() + 1);
      }
    }
    List<Piece> pieces = new ArrayList<>();
    Set<Integer> used = new TreeSet<>();
    int from = 0;
    for (int k = 0; k < text.length(); k++) {
      int operand = Translation.operandOf(text.charAt(k));
      if (operand >= 0) {
        pieces.add(new Piece.Text(text.substring(from, k)));
        Arguments.Span span = operands.get(operand).span();
        pieces.add(new Piece.Moved(f.t.start(span.first()), f.t.end(span.last())));
        used.add(operand);
        from = k + 1;
      }
    }
    pieces.add(new Piece.Text(text.substring(from)));
    int dropped = start;
    for (int k : used) { // in the order of the operands, which is that of the file
      Arguments.Span span = operands.get(k).span();
      f.changes.dropInside(dropped, f.t.start(span.first()));
      dropped = f.t.end(span.last());
    }
    f.changes.dropInside(dropped, f.t.end(asm.last()));
    f.changes.edit(new Edit(start, end, pieces, Edit.Side.BEFORE, rule(hip)));
    need(f, hip, text);
  }

  /** The expression that a statement of one instruction is; empty if it is more. */
  private static String single(AsmStatement asm, Translation.Hip hip) {
    return hip.code().size() == 1
            && hip.code().getFirst() instanceof Code.Line(String line)
            && line.indexOf(';') < 0
            && !asm.text().contains(".reg")
        ? line
        : "";
  }

  /** A block whose semicolon is after the statement. */
  private static String loop(Translation.Hip hip) {
    String text = Code.text(List.of(new Code.Braces("do", hip.code(), "while (0)")), " ", "");
    return text.substring(0, text.length() - 1);
  }

  private static void need(CudaFile f, Translation.Hip hip, String text) {
    for (PtxRow row : hip.rows()) {
      String shim = f.api.shim(row.rule());
      if (shim != null && row.hip().contains("rocport::")) {
        f.shims.add(shim);
      }
    }
    if (text.contains("rocport::ptx::")) {
      f.shims.add("ptx_address.h");
    }
    f.needsRuntime = true;
  }

  /** Writes a macro for each, before the one that holds the statement. */
  static void write(CudaFile f, AsmStatement asm, AsmVariants variants) {
    List<AsmStatement.Operand> operands = Objects.requireNonNull(asm.operands());
    List<String> names = new ArrayList<>();
    List<Piece> pieces = new ArrayList<>();
    pieces.add(new Piece.Text(variants.macro().call() + "("));
    for (int k = 0; k < operands.size(); k++) {
      Arguments.Span span = operands.get(k).span();
      pieces.add(new Piece.Text(k == 0 ? "" : ", "));
      pieces.add(new Piece.Moved(f.t.start(span.first()), f.t.end(span.last())));
      names.add("o" + k);
    }
    pieces.add(new Piece.Text(")"));
    StringBuilder lines = new StringBuilder();
    variants
        .hip()
        .forEach(
            (use, hip) -> {
              String text = single(asm, hip).isEmpty() ? loop(hip) : single(asm, hip);
              need(f, hip, text);
              lines.append("#define ").append(variants.macro().name()).append(use);
              lines.append("(").append(String.join(", ", names)).append(") ");
              for (int k = 0; k < text.length(); k++) {
                int operand = Translation.operandOf(text.charAt(k));
                lines.append(operand >= 0 ? names.get(operand) : text.substring(k, k + 1));
              }
              lines.append(f.source.newline());
            });
    String rule = rule(variants.hip().values().iterator().next());
    int line = f.source.lineStart(f.source.line(variants.macro().directive().start()));
    f.changes.alsoEdit(Edit.before(line, lines.toString(), rule));
    f.changes.edit(
        new Edit(f.t.start(asm.first()), f.t.end(asm.last()), pieces, Edit.Side.BEFORE, rule));
  }

  /** The rule that a translation counts for: that of a register it reads, else of its beginning. */
  private static String rule(Translation.Hip hip) {
    return hip.rows().stream()
        .filter(PtxRow::isRegister)
        .findFirst()
        .or(() -> hip.rows().stream().findFirst())
        .map(PtxRow::rule)
        .orElse(AsmPass.RULE);
  }
}
