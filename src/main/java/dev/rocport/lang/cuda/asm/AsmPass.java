package dev.rocport.lang.cuda.asm;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.MacroParameters;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.ptx.Code;
import dev.rocport.lang.ptx.Item;
import dev.rocport.lang.ptx.PtxException;
import dev.rocport.lang.ptx.PtxParser;
import dev.rocport.lang.ptx.Statement;
import dev.rocport.lang.ptx.Translation;
import dev.rocport.lang.ptx.Translator;
import dev.rocport.lang.ptx.find.AsmLanguage;
import dev.rocport.rules.PtxRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Ports inline assembly: in device code it is PTX, which no AMD compiler accepts. A statement
 * becomes C++ if every instruction has a form in {@code rules/ptx/}; otherwise a finding describes
 * what the statement does and why it is not translated.
 */
public final class AsmPass {
  public static final String RULE = "PTX-INLINE";
  private static final int LONGEST = 400;

  /**
   * Constraints of PTX registers and constants; x86 has other constraints, and names registers by
   * letter.
   */
  private static final Pattern PTX_CONSTRAINT = Pattern.compile("[=+]?&?[hrlfdnqC]");

  private static final Pattern FIRST_INSTRUCTION =
      Pattern.compile(
          "(?:^|[;{}:\\n])\\s*(?:@!?%*\\w+\\s+)?([a-z]\\w*(?:\\.[a-z]\\w*)?)(?=[.;\\s])");

  private static final List<String> DEVICE = List.of("__device__", "__global__");

  private AsmPass() {}

  /** True if an asm statement begins at token {@code i} that stays without a counterpart. */
  public static boolean isMissing(CudaFile f, int i) {
    AsmStatement asm = f.t.isIdentifier(i) ? read(f, i) : null;
    return asm != null
        && !asm.isAmd()
        && !asm.isBarrier()
        && !isForHost(f, asm)
        && !(translate(f, asm, group(f, asm) > 1) instanceof Translation.Hip hip && allowed(f, hip))
        && variants(f, asm) == null;
  }

  public static void run(CudaFile f) {
    Tokens t = f.t;
    if (!t.mentions(AsmStatement.KEYWORDS)) {
      return;
    }
    // Elsewhere only what no processor's assembler takes: the device is asked for by macros, say.
    boolean device = f.isCudaSource() || t.mentions(DEVICE);
    int groupEnd = -1;
    Set<PtxRow> told = new HashSet<>();
    for (int i = 0; i < t.count(); i++) {
      AsmStatement asm = t.isIdentifier(i) ? read(f, i) : null;
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
   * The statement that begins at token {@code i}, or null. Where conditions select parts of it, the
   * first selection if all have the same translation, as they have if they differ in hints.
   */
  private static @Nullable AsmStatement read(CudaFile f, int i) {
    AsmStatement asm = AsmStatement.at(f.t, i);
    if (asm == null || !asm.odd().equals(AsmStatement.CONDITIONS)) {
      return asm;
    }
    Set<List<Code>> translations = new HashSet<>();
    Set<List<String>> operands = new HashSet<>();
    List<AsmStatement> selections = AsmConditions.selections(f.t, f.regions, asm);
    for (AsmStatement s : selections) {
      if (!(translated(f, s, false) instanceof Translation.Hip hip)) {
        return asm;
      }
      translations.add(hip.code());
      operands.add(
          Objects.requireNonNull(s.operands()).stream()
              .map(o -> o.constraint() + f.t.text(o.span().first(), o.span().last()))
              .toList());
    }
    return translations.size() == 1 && operands.size() == 1 ? selections.getFirst() : asm;
  }

  /**
   * Ports one statement.
   *
   * @param told the forms whose notes this file has had
   */
  private static void statement(CudaFile f, AsmStatement asm, boolean carry, Set<PtxRow> told) {
    int start = f.t.start(asm.first());
    int end = f.t.end(asm.last());
    AsmVariants variants = carry ? null : variants(f, asm);
    if (variants != null) {
      AsmWriter.write(f, asm, variants);
      variants.hip().values().forEach(hip -> tell(f, asm, hip, told));
      return;
    }
    switch (translate(f, asm, carry)) {
      case Translation.Hip hip when allowed(f, hip) -> {
        AsmWriter.write(f, asm, hip);
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
        f.changes.findingAbout(
            row != null && row.isRegister() ? row.form() : no.instruction(),
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

  /** Reports the notes of the forms that were used. */
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

  /** The instruction of a form, up to its first alternative. */
  private static String head(PtxRow row) {
    String form = row.form();
    int end = 0;
    while (end < form.length() && " [{".indexOf(form.charAt(end)) < 0) {
      end++;
    }
    return form.substring(0, end).replaceAll("\\.$", "");
  }

  /** The line of the instruction in a statement of several lines. */
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

  private static @Nullable AsmVariants variants(CudaFile f, AsmStatement asm) {
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
    return new AsmVariants(macro, all);
  }

  /** Conditions are selected by what can be translated, so most statements are queried twice. */
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
          "the statement only keeps values alive: for AMD GPUs, replace the constraints \"r\","
              + " \"l\" and \"f\" with \"v\"",
          null);
    }
    if (!carry && LooseCarries.leaves(asm) && hasLooseCarries(f)) {
      return new Translation.Refused(0, "asm", LooseCarries.WHY, null);
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
            0, "asm", "the constraint \"" + c + "\" is not a PTX constraint", null);
      }
      char letter = c.charAt(c.length() - 1);
      if (letter == 'q' || letter == 'C') {
        return new Translation.Refused(
            0, "asm", "the constraint \"" + c + "\" is not supported", null);
      }
      String text = f.source.text(f.t.start(o.span().first()), f.t.end(o.span().last()));
      outers.add(
          new Statement.Outer(
              letter,
              text,
              output,
              !output || c.startsWith("+"),
              AsmOperands.known(f, o.span(), letter)));
    }
    try {
      List<Item> items = PtxParser.template(asm.text());
      Translation made =
          f.api
              .translator()
              .translate(new Statement(items, outers, f.t.inDirective(asm.first())), carry);
      String taken = made instanceof Translation.Hip hip ? parameterIn(f, asm, hip) : "";
      return taken.isEmpty()
          ? made
          : new Translation.Refused(
              0,
              "asm",
              "its translation contains " + taken + ", which is a parameter of the enclosing macro",
              null);
    } catch (PtxException e) {
      return new Translation.Refused(
          e.offset(), "asm", "it cannot be parsed: " + e.getMessage(), null);
    }
  }

  private static boolean hasLooseCarries(CudaFile f) {
    if (f.looseCarries == null) {
      f.looseCarries = LooseCarries.in(f.t);
    }
    return f.looseCarries;
  }

  /** A parameter of the macro around a statement that would replace a word of its translation. */
  private static String parameterIn(CudaFile f, AsmStatement asm, Translation.Hip hip) {
    int d = f.t.directiveOf(asm.first());
    List<String> parameters = d < 0 ? List.of() : MacroParameters.of(f.t, f.t.directives().get(d));
    List<String> words = List.of(Code.text(hip.code(), " ", "").split("\\W+"));
    return parameters.stream().filter(words::contains).findFirst().orElse("");
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
}
