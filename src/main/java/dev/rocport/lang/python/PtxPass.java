package dev.rocport.lang.python;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.asm.AsmTexts;
import dev.rocport.lang.ptx.find.AsmLanguage;
import dev.rocport.lang.ptx.find.Findings;
import dev.rocport.lang.ptx.find.Literals;
import dev.rocport.lang.ptx.find.PtxText;
import dev.rocport.lang.ptx.find.Signal;
import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import dev.rocport.lang.python.syntax.Stmt;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds PTX in Python: Triton templates {@code inline_asm_elementwise} and of LLVM's {@code
 * InlineAsm}, asm statements of CUDA source in strings (CuPy's kernels, {@code load_inline},
 * NVRTC), modules and instructions in strings.
 */
final class PtxPass {
  private static final String RULE = Findings.PYTHON;

  private final PythonWork w;
  private final Findings findings;

  /** Strings that are dealt with. */
  private final Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  PtxPass(PythonWork w) {
    this.w = w;
    this.findings = new Findings(w.catalog(), w.lexicon(), w.changes());
  }

  void run() {
    for (At at : w.tree().all()) {
      if (at.node() instanceof Expr.Call c) {
        call(c, at);
      }
    }
    for (At at : w.tree().all()) {
      if (at.node() instanceof Expr.Text t
          && !isDoc(at)
          && seen.add(t)
          && !w.tree().isDecided(at)) {
        string(t);
      }
    }
  }

  private void call(Expr.Call c, At at) {
    String name = name(c, at);
    switch (name) {
      case "inline_asm_elementwise" -> template(c, at, 0, name);
      case "InlineAsm" -> template(c, at, 1, name);
      case "asm" -> {
        // IRBuilder.asm of llvmlite; other functions of that name get no such text.
        Argument a = argument(c, 1);
        if (a != null
            && w.tree().resolved(a.value(), at.scope()) instanceof Expr.Text t
            && AsmLanguage.of(text(t).text()) == AsmLanguage.PTX) {
          template(c, at, 1, "IRBuilder.asm");
        }
      }
      case "declare_device" -> {
        if (w.tree().imports("numba") && !w.tree().isDecided(at)) {
          w.changes()
              .finding(
                  RULE,
                  Disposition.UNPORTED,
                  c.start(),
                  c.end(),
                  "declare_device: a function whose PTX or CUDA source is linked to the kernel");
        }
      }
      default -> {}
    }
  }

  /** The last part of what is called. */
  private String name(Expr.Call c, At at) {
    String name =
        switch (c.function()) {
          case Expr.Attribute a -> a.name();
          case Expr.Name n -> {
            String full = w.qualified(n, at);
            yield full.isEmpty() ? n.id() : full;
          }
          default -> "";
        };
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static @Nullable Argument argument(Expr.Call c, int position) {
    Argument named = PythonTree.keyword(c, "asm");
    return named != null ? named : PythonWork.positional(c, position);
  }

  private void template(Expr.Call c, At at, int position, String holder) {
    Argument given = argument(c, position);
    if (given == null || w.tree().isDecided(at)) {
      return;
    }
    if (!(constant(given.value(), at) instanceof Expr.Text t)) {
      String said = holder + ": the assembly text is built at run time, so it is not checked";
      w.review(given.value(), RULE, said);
      return;
    }
    boolean first = seen.add(t); // a template may serve several calls
    PtxText text = text(t);
    if (AsmLanguage.of(text.text()) == AsmLanguage.PTX) {
      if (!signal(c, at, position, text, holder) && first) {
        findings.inline(RULE, text, holder);
      }
    }
  }

  /** The value of an expression; a global of kernels is in a {@code tl.constexpr}. */
  private Expr constant(Expr x, At at) {
    Expr found = w.tree().resolved(x, at.scope());
    return found instanceof Expr.Call c
            && c.arguments().size() == 1
            && w.qualified(c.function(), at).equals("triton.language.constexpr")
        ? w.tree().resolved(c.arguments().getFirst().value(), at.scope())
        : found;
  }

  /**
   * Calls the function that does the same on ROCm, or names it, if the template is a signal between
   * GPUs.
   *
   * @return true if the call is written
   */
  private boolean signal(Expr.Call c, At at, int position, PtxText text, String holder) {
    Argument named = PythonTree.keyword(c, "constraints");
    Argument given = named != null ? named : PythonWork.positional(c, position + 1);
    Optional<String> constraints =
        given == null ? Optional.empty() : w.tree().string(given.value(), at.scope());
    if (constraints.isEmpty()
        || !holder.equals("inline_asm_elementwise")
        || !w.allows(Findings.SIGNAL)) {
      return false;
    }
    String said;
    try {
      Signal signal = Signal.of(text.text(), constraints.get());
      if (signal == null) {
        return false;
      }
      String name = signal.symbol() + arguments(signal);
      String why = new SignalCalls(w).write(c, at, signal, Findings.SIGNAL);
      if (why.isEmpty()) {
        w.changes()
            .finding(
                Findings.SIGNAL,
                Disposition.PORTED,
                c.start(),
                c.end(),
                "calls " + name + " on ROCm");
        return true;
      }
      said = "the ROCm counterpart is " + name + ", but the port does not call it: " + why;
    } catch (Signal.Refused e) {
      said = "a signal that has no counterpart: " + e.getMessage();
    }
    w.changes().finding(Findings.SIGNAL, Disposition.UNPORTED, c.start(), c.end(), said);
    return false;
  }

  /** In Python words, with the arguments that the template is given. */
  private static String arguments(Signal signal) {
    return signal.arguments().stream()
        .map(n -> "args[" + n + "]")
        .collect(Collectors.joining(", ", "(", ")"));
  }

  private PtxText text(Expr.Text t) {
    return Literals.ofPython(w.file().bytes(), t.start(), t.end());
  }

  /** Any other string. */
  private void string(Expr.Text t) {
    if (t.end() - t.start() < 10) {
      return;
    }
    PtxText text = text(t);
    if (text.text().indexOf(';') < 0 && !text.text().contains(".version")) {
      return;
    }
    if (findings.module(text, "a string")) {
      return;
    }
    if (text.text().contains("asm")) {
      AsmTexts.in(text).forEach(asm -> findings.inline(RULE, asm, "inline PTX in CUDA source"));
    } else if (AsmLanguage.isInstructions(text.text())) {
      findings.inline(RULE, text, "PTX in a string");
    }
  }

  /** True for a string that is a statement: it is never compiled. */
  private static boolean isDoc(At at) {
    return at.parent() != null && at.parent().node() instanceof Stmt.Expression;
  }
}
