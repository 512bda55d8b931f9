package dev.rocport.cuda;

import dev.rocport.report.Disposition;
import dev.rocport.rules.Rule;
import dev.rocport.source.Edit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds inline assembly. What stands in device code is PTX, which no AMD compiler takes; single
 * instructions that a rule with {@code analysis: asm-register} knows become C++.
 */
final class AsmPass {
  static final String RULE = "PTX-INLINE";
  private static final int LONGEST = 400;

  private AsmPass() {}

  /** True if an asm statement begins at token {@code i} that stays without a counterpart. */
  static boolean isMissing(CudaFile f, int i) {
    AsmStatement asm = AsmStatement.at(f.t, i);
    return asm != null && !asm.isAmd() && replacement(f, asm) == null;
  }

  static void run(CudaFile f) {
    Tokens t = f.t;
    if (!f.isCudaSource() && !mentionsDevice(t)) {
      return;
    }
    for (int i = 0; i < t.count(); i++) {
      AsmStatement asm = t.isIdentifier(i) ? AsmStatement.at(t, i) : null;
      if (asm != null && !asm.isAmd() && !f.regions.isDead(i)) {
        statement(f, asm);
      }
    }
  }

  private static void statement(CudaFile f, AsmStatement asm) {
    int start = f.t.start(asm.first());
    int end = f.t.end(asm.last());
    ApiTable.Register register = replacement(f, asm);
    if (register != null) {
      Rule rule = register.rule();
      f.changes.edit(Edit.replace(start, end, written(f, asm, register.expression()), rule.id()));
      String shim = f.api.shim(rule.id());
      if (shim != null) {
        f.shims.add(shim);
      }
      f.needsRuntime = true;
      return;
    }
    String text = asm.text();
    f.changes.finding(
        RULE,
        Disposition.UNPORTED,
        start,
        end,
        "inline PTX: " + (text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text));
  }

  private static String written(CudaFile f, AsmStatement asm, String expression) {
    List<Arguments.Span> outputs = Objects.requireNonNull(asm.outputs());
    String text = expression;
    int operand = outputs.size();
    for (Arguments.Span input : Objects.requireNonNull(asm.inputs())) {
      text = text.replace("%" + operand++, source(f, input));
    }
    return outputs.isEmpty() ? text : source(f, outputs.getFirst()) + " = " + text;
  }

  private static String source(CudaFile f, Arguments.Span span) {
    return f.source.text(f.t.start(span.first()), f.t.end(span.last()));
  }

  /** What the statement's value is called under HIP; null for those that no rule knows. */
  private static ApiTable.@Nullable Register replacement(CudaFile f, AsmStatement asm) {
    boolean simple = asm.outputs() != null && asm.inputs() != null && asm.outputs().size() <= 1;
    ApiTable.Register register = simple ? f.api.register(asm.normal()) : null;
    return register != null && f.changes.allows(register.rule().id()) ? register : null;
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
