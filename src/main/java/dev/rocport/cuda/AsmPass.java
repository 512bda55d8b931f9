package dev.rocport.cuda;

import dev.rocport.ptx.Code;
import dev.rocport.ptx.Item;
import dev.rocport.ptx.PtxException;
import dev.rocport.ptx.PtxParser;
import dev.rocport.ptx.Statement;
import dev.rocport.ptx.Translation;
import dev.rocport.ptx.Translator;
import dev.rocport.ptx.find.AsmLanguage;
import dev.rocport.report.Disposition;
import dev.rocport.rules.PtxRow;
import dev.rocport.source.Edit;
import dev.rocport.source.Piece;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Inline assembly: what stands in device code is PTX, which no AMD compiler takes. Statements whose
 * every instruction has a form in {@code rules/ptx/} become C++; of the others each is a finding
 * that says what it does and why it stays.
 */
final class AsmPass {
  static final String RULE = "PTX-INLINE";
  private static final int LONGEST = 400;
  private static final int SHORT = 72;

  /** Constraints of PTX's registers and constants; x86 has others, and registers by letter. */
  private static final Pattern PTX_CONSTRAINT = Pattern.compile("[=+]?&?[hrlfdnqC]");

  private static final Pattern INTEGER_TYPE =
      Pattern.compile(
          "u?int(?:8|16|32|64)_t|size_t|u?intptr_t|ptrdiff_t|unsigned|signed|int|short|long|char"
              + "|u?int|uint|ulong|ushort|uchar|u(?:8|16|32|64)|CUdeviceptr|u?long64");

  private static final Pattern FIRST_INSTRUCTION =
      Pattern.compile(
          "(?:^|[;{}:\\n])\\s*(?:@!?%*\\w+\\s+)?([a-z]\\w*(?:\\.[a-z]\\w*)?)(?=[.;\\s])");

  private AsmPass() {}

  /** True if an asm statement begins at token {@code i} that stays without a counterpart. */
  static boolean isMissing(CudaFile f, int i) {
    AsmStatement asm = f.t.isIdentifier(i) ? AsmStatement.at(f.t, i) : null;
    return asm != null
        && !asm.isAmd()
        && !asm.isBarrier()
        && !isForHost(f, asm)
        && !(translate(f, asm, group(f, asm) > 1) instanceof Translation.Hip hip && allowed(f, hip))
        && variants(f, asm) == null;
  }

  static void run(CudaFile f) {
    Tokens t = f.t;
    // Elsewhere only what no processor's assembler takes: the device is asked for by macros, say.
    boolean device = f.isCudaSource() || mentionsDevice(t);
    int groupEnd = -1;
    Set<PtxRow> told = new HashSet<>();
    for (int i = 0; i < t.count(); i++) {
      AsmStatement asm = t.isIdentifier(i) ? AsmStatement.at(t, i) : null;
      if (asm == null
          || asm.isAmd()
          || asm.isBarrier()
          || f.regions.isDead(i)
          || f.regions.isForHip(i)
          || isForHost(f, asm)
          || !(device || AsmLanguage.of(asm.text()) == AsmLanguage.PTX)) {
        continue;
      }
      if (i > groupEnd && group(f, asm) > 1) {
        groupEnd = carryGroup(f, asm);
      }
      statement(f, asm, i <= groupEnd, told);
    }
  }

  /**
   * Ports one statement.
   *
   * @param told the forms whose notes this file has had
   */
  private static void statement(CudaFile f, AsmStatement asm, boolean carry, Set<PtxRow> told) {
    int start = f.t.start(asm.first());
    int end = f.t.end(asm.last());
    Variants variants = carry ? null : variants(f, asm);
    if (variants != null) {
      write(f, asm, variants);
      variants.hip().values().forEach(hip -> tell(f, asm, hip, told));
      return;
    }
    switch (translate(f, asm, carry)) {
      case Translation.Hip hip when allowed(f, hip) -> {
        write(f, asm, hip);
        tell(f, asm, hip, told);
      }
      case Translation.Hip hip ->
          f.changes.finding(
              RULE, Disposition.UNPORTED, start, end, "inline PTX: " + shown(asm.text()));
      case Translation.Refused no -> {
        PtxRow row = no.row();
        String meaning = row == null ? "" : " (" + row.meaning().replaceAll("\\.$", "") + ")";
        String effort = row == null || row.effort().equals("-") ? "" : "; effort: " + row.effort();
        int at = asm.offset(f.t, no.offset());
        f.changes.finding(
            RULE,
            Disposition.UNPORTED,
            start,
            end,
            "inline PTX: "
                + shown(asm.text())
                + place(f, start, at)
                + ": "
                + no.instruction()
                + meaning
                + ": "
                + no.why()
                + effort);
      }
    }
  }

  /** What is to be known of the forms that were used. */
  private static void tell(CudaFile f, AsmStatement asm, Translation.Hip hip, Set<PtxRow> told) {
    for (PtxRow row : hip.rows()) {
      if (!row.note().isBlank() && told.add(row)) {
        f.changes.finding(
            row.rule(),
            Disposition.PORTED,
            f.t.start(asm.first()),
            f.t.end(asm.last()),
            head(row) + ": " + row.note());
      }
    }
  }

  /** The instruction that a form is about, as far as it has no alternatives. */
  private static String head(PtxRow row) {
    String form = row.form();
    int end = 0;
    while (end < form.length() && " [{".indexOf(form.charAt(end)) < 0) {
      end++;
    }
    return form.substring(0, end).replaceAll("\\.$", "");
  }

  /** Where in a statement of several lines the instruction stands. */
  private static String place(CudaFile f, int start, int at) {
    int line = f.source.line(at);
    return line == f.source.line(start) ? "" : "; line " + line;
  }

  private static String shown(String text) {
    String line = text.strip().replaceAll("\\s+", " ");
    return line.length() > LONGEST ? line.substring(0, LONGEST) + "..." : line;
  }

  private static boolean allowed(CudaFile f, Translation.Hip hip) {
    return hip.rows().stream().allMatch(r -> f.changes.allows(r.rule()));
  }

  /** Writes the translation: the expressions of the operands are moved, with the edits in them. */
  private static void write(CudaFile f, AsmStatement asm, Translation.Hip hip) {
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
    for (int k = 0; k < operands.size(); k++) {
      if (!used.contains(k)) {
        Arguments.Span span = operands.get(k).span();
        f.changes.dropInside(f.t.start(span.first()), f.t.end(span.last()));
      }
    }
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

  /** A block whose semicolon stands behind the statement. */
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

  /** A statement of a macro by what its arguments paste together. */
  private record Variants(AsmMacro macro, Map<String, Translation.Hip> hip) {}

  private static @Nullable Variants variants(CudaFile f, AsmStatement asm) {
    AsmMacro macro = group(f, asm) > 1 ? null : AsmMacro.of(f.t, asm);
    if (macro == null) {
      return null;
    }
    Map<String, Translation.Hip> all = new LinkedHashMap<>();
    for (Map.Entry<String, AsmStatement> use : macro.uses().entrySet()) {
      if (!(translated(f, use.getValue(), false) instanceof Translation.Hip hip)
          || !allowed(f, hip)
          || hip.code().isEmpty()) {
        return null;
      }
      all.put(use.getKey(), hip);
    }
    return new Variants(macro, all);
  }

  /** Writes a macro for each, in front of the one that holds the statement. */
  private static void write(CudaFile f, AsmStatement asm, Variants variants) {
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
        .orElse(RULE);
  }

  /**
   * Conditions are chosen by what can be translated, so that most statements are asked for twice.
   */
  private static Translation translate(CudaFile f, AsmStatement asm, boolean carry) {
    Map<Integer, Translation> known = carry ? f.carried : f.translations;
    return known.computeIfAbsent(asm.first(), k -> translated(f, asm, carry));
  }

  private static Translation translated(CudaFile f, AsmStatement asm, boolean carry) {
    if (!asm.odd().isEmpty()) {
      return new Translation.Refused(0, "asm", asm.odd(), null);
    }
    if (asm.text().isBlank()) {
      return new Translation.Refused(
          0,
          "asm",
          "it only holds on to values: for AMD write the constraint v for r, l and f",
          null);
    }
    if (AsmBranches.mayMeet(f.t, asm)) {
      return new Translation.Refused(0, "asm", AsmBranches.WHY, null);
    }
    List<Statement.Outer> outers = new ArrayList<>();
    List<AsmStatement.Operand> operands = Objects.requireNonNull(asm.operands());
    for (int k = 0; k < operands.size(); k++) {
      AsmStatement.Operand o = operands.get(k);
      boolean output = k < asm.outputs();
      String c = o.constraint().strip();
      if (!PTX_CONSTRAINT.matcher(c).matches()
          || output != (c.startsWith("=") || c.startsWith("+"))) {
        return new Translation.Refused(
            0, "asm", "the constraint \"" + c + "\" is not one of PTX's", null);
      }
      char letter = c.charAt(c.length() - 1);
      if (letter == 'q' || letter == 'C') {
        return new Translation.Refused(
            0, "asm", "an operand with the constraint \"" + c + "\"", null);
      }
      String text = f.source.text(f.t.start(o.span().first()), f.t.end(o.span().last()));
      outers.add(
          new Statement.Outer(
              letter, text, output, !output || c.startsWith("+"), known(f, o.span(), letter)));
    }
    try {
      List<Item> items = PtxParser.template(asm.text());
      return f.api
          .translator()
          .translate(new Statement(items, outers, f.t.inDirective(asm.first())), carry);
    } catch (PtxException e) {
      return new Translation.Refused(
          e.offset(), "asm", "it cannot be read: " + e.getMessage(), null);
    }
  }

  /** What the declarations and casts of the file tell of an operand. */
  private static Statement.Known known(CudaFile f, Arguments.Span span, char letter) {
    Tokens t = f.t;
    Statement.Known least =
        letter == 'l' ? Statement.Known.NOTHING : Statement.Known.INTEGER; // as nvcc has it
    int i = span.first();
    if (span.last() != i) {
      boolean cast =
          (t.is(i, '(') && t.match(i) > i && isInteger(t, t.match(i) - 1))
              || (t.text(i).endsWith("_cast")
                  && t.is(i + 1, '<')
                  && isInteger(t, i + 2)
                  && t.is(i + 3, '>'));
      return cast ? Statement.Known.INTEGER : least;
    }
    if (!t.isIdentifier(i)) {
      return Statement.Known.INTEGER;
    }
    String name = t.text(i);
    return f.operandTypes.computeIfAbsent(letter + name, k -> declared(t, name, letter, least));
  }

  /** What the declarations of a name in the file say. */
  private static Statement.Known declared(
      Tokens t, String name, char letter, Statement.Known least) {
    boolean integer = false;
    boolean unsigned = true;
    int hash = Tokens.hash(name);
    for (int k = 1; k < t.count(); k++) {
      if (t.hash(k) != hash || !t.is(k, name)) {
        continue;
      }
      boolean pointer =
          (t.is(k - 1, '*') || t.is(k - 1, '&'))
              && (t.isIdentifier(k - 2) || t.is(k - 2, '>') || t.is(k - 2, '*'));
      boolean array = t.is(k + 1, '[') && t.isIdentifier(k - 1) && !t.is(k - 1, "return");
      if (array || (pointer && (letter == 'l' || !isInteger(t, k - 2)))) {
        return least;
      }
      unsigned &= !pointer;
      if (t.isIdentifier(k - 1) && !t.is(k - 1, "return")) {
        if (!isInteger(t, k - 1)) {
          return least;
        }
        integer = true;
        unsigned &= isUnsigned(t, k - 1, letter);
      } else if (t.is(k - 1, ',') && !t.is(k + 1, ')')) {
        unsigned = false; // it may be declared beside another
      }
    }
    return !integer ? least : unsigned ? Statement.Known.UNSIGNED : Statement.Known.INTEGER;
  }

  private static boolean isInteger(Tokens t, int i) {
    return t.isIdentifier(i) && INTEGER_TYPE.matcher(t.text(i)).matches();
  }

  /** Whether a type that ends at token {@code i} is the unsigned one of the constraint's size. */
  private static boolean isUnsigned(Tokens t, int i, char letter) {
    String word = t.text(i);
    return switch (letter) {
      case 'r' ->
          word.equals("uint32_t")
              || word.equals("uint")
              || word.equals("u32")
              || word.equals("unsigned")
              || (word.equals("int") && t.is(i - 1, "unsigned"));
      case 'l' ->
          word.equals("uint64_t")
              || word.equals("u64")
              || (word.equals("long") && t.is(i - 1, "long") && t.is(i - 2, "unsigned"));
      default -> false;
    };
  }

  /** How many statements from this one on stand side by side, if they hand a carry on. */
  private static int group(CudaFile f, AsmStatement asm) {
    int before = asm.first() - 1;
    boolean alone = // not the branch of a condition or the body of a loop
        before < 0 || f.t.is(before, ';') || f.t.is(before, '{') || f.t.is(before, '}');
    int n = 1;
    int carries = alone && asm.text().contains(".cc") ? 1 : 0;
    AsmStatement last = asm;
    while (carries == n) {
      int next = last.last() + 1;
      AsmStatement following = f.t.is(next, ';') ? AsmStatement.at(f.t, next + 1) : null;
      if (following == null) {
        break;
      }
      n++;
      carries += following.text().contains(".cc") ? 1 : 0;
      last = following;
    }
    return n;
  }

  /** Puts braces and a carry around statements that hand one on; the last token of the group. */
  private static int carryGroup(CudaFile f, AsmStatement first) {
    AsmStatement last = first;
    boolean all = true;
    int n = group(f, first);
    for (int k = 0; k < n; k++) {
      AsmStatement asm =
          k == 0 ? first : Objects.requireNonNull(AsmStatement.at(f.t, last.last() + 2));
      all &= translate(f, asm, true) instanceof Translation.Hip hip && allowed(f, hip);
      last = asm;
    }
    if (!all || !f.t.is(last.last() + 1, ';')) {
      return -1; // each says for itself why it stays
    }
    f.changes.alsoEdit(
        Edit.before(f.t.start(first.first()), "{ bool " + Translator.CARRY + " = false; ", RULE));
    f.changes.alsoEdit(Edit.after(f.t.end(last.last() + 1), " }", RULE));
    return last.last();
  }

  /** Whether the statement is for the host's assembler. */
  private static boolean isForHost(CudaFile f, AsmStatement asm) {
    List<AsmStatement.Operand> operands = asm.operands();
    boolean foreign =
        operands != null
            && operands.stream()
                .anyMatch(o -> !PTX_CONSTRAINT.matcher(o.constraint().strip()).matches());
    String opcode = opcode(asm.text());
    boolean known = opcode != null && (opcode.contains(".") || f.api.ptx().knows(opcode));
    if (known && !foreign) {
      return false;
    }
    return f.extension().equals("c")
        || (!f.isInDeviceFunction(asm.first()) && !f.t.inDirective(asm.first()));
  }

  /** The first word of the text that could be an instruction of PTX, with its qualifiers. */
  private static @Nullable String opcode(String text) {
    Matcher m = FIRST_INSTRUCTION.matcher(text);
    return m.find() ? m.group(1) : null;
  }

  private static boolean mentionsDevice(Tokens t) {
    for (int i = 0; i < t.count(); i++) {
      if (t.is(i, "__device__") || t.is(i, "__global__")) {
        return true;
      }
    }
    return false;
  }
}
