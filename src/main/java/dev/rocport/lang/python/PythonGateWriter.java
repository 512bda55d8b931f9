package dev.rocport.lang.python;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.python.syntax.Clause;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import dev.rocport.lang.python.syntax.Stmt;
import dev.rocport.rules.Changes;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Writes text behind the gate {@code is_rocm}, and defines the gate where needed. Everything that
 * it writes can be removed again, see {@link PythonView}. If it cannot write, it returns the
 * reason.
 */
final class PythonGateWriter {
  private static final String ALONE = "the project already has a module _rocm";

  private final GateFile in;
  private final SourceFile file;
  private final PythonLines lines;
  private final Home home;
  private final Changes changes;
  private final GatePlaces places;
  private final KernelGates kernels;

  private final Set<Node> gated = Collections.newSetFromMap(new IdentityHashMap<>());

  PythonGateWriter(SourceFile file, PythonTree tree, Home home, Changes changes) {
    this.in = new GateFile(file, tree, home);
    this.file = file;
    this.lines = in.lines();
    this.home = in.home();
    this.changes = changes;
    this.places = new GatePlaces(in, changes);
    this.kernels = new KernelGates(in, changes);
  }

  /**
   * Makes an expression another one on ROCm: {@code (rocm if is_rocm else original)}.
   *
   * @param condition what must hold too, as {@code x in y}; empty for nothing
   * @param helper the name of the module {@code _rocm} that {@code rocm} uses; empty for none
   * @return empty if done, else why it cannot be
   */
  String expression(At at, String rocm, String condition, String helper, String rule) {
    if (gated.contains(at.node())) {
      return "";
    }
    if (in.isBuild() && !helper.isEmpty()) {
      return "the file does not import torch";
    }
    if (at.isInText()) {
      return "it is inside an f-string";
    }
    if (isPattern(at)) {
      return "it is a pattern of a case clause";
    }
    if (!(at.node() instanceof Expr x) || !in.canBeWrapped(x)) {
      return "it is not an expression that can be put in parentheses";
    }
    String why = need(at, helper, rule);
    if (!why.isEmpty()) {
      return why;
    }
    gated.add(at.node());
    String and = condition.isEmpty() ? "" : " and " + condition;
    changes.edit(Edit.before(x.start(), "(" + rocm + " if " + in.name() + and + " else ", rule));
    changes.alsoEdit(Edit.after(x.end(), ")", rule));
    return "";
  }

  /** Makes sure that the gate and a helper are defined at a place; returns why they cannot be. */
  private String need(At at, String helper, String rule) {
    if (!helper.isEmpty() && in.isAlone()) {
      return ALONE;
    }
    if (!helper.isEmpty() && in.isTakenByFile(helper)) {
      return "the file uses the name " + helper + " for something else";
    }
    String why = places.need(at, rule);
    if (why.isEmpty() && !helper.isEmpty()) {
      places.helper(at, helper);
    }
    return why;
  }

  /** Returns whether an expression is another one on ROCm by now. */
  boolean isGated(Node x) {
    return gated.contains(x);
  }

  /**
   * Makes an expression of a Triton kernel another one on ROCm. Triton reads the function's text
   * and evaluates only the side that a constant chooses.
   *
   * @param helper the function of the module {@code _rocm_triton} that {@code rocm} calls
   * @return empty if done, else why it cannot be
   */
  String kernel(At at, String rocm, String helper, String rule) {
    String why = kernels.expression(at, rocm, helper, rule);
    if (why.isEmpty()) {
      gated.add(at.node());
    }
    return why;
  }

  /** Returns whether the name torch means PyTorch wherever the gate is known. */
  boolean hasTorch() {
    return in.hasTorch();
  }

  /** Returns whether a place is in the pattern of a {@code case}, which takes no expression. */
  private static boolean isPattern(At at) {
    for (At a = at; a.parent() != null && !(a.node() instanceof Stmt); a = a.parent()) {
      if (a.parent().node() instanceof Clause.Case c) {
        return c.guard().isEmpty() || c.guard().get() != a.node();
      }
    }
    return false;
  }

  /**
   * Makes a statement another one on ROCm.
   *
   * @param rocm lines without indentation; none to leave it out there
   */
  String statement(At at, List<String> rocm, String rule) {
    return statement(at, rocm, rule, places::need);
  }

  /** The same, in a file without torch: the drivers of the machine decide. */
  String byDrivers(At at, List<String> rocm, String rule) {
    return statement(at, rocm, rule, places::needByDrivers);
  }

  private String statement(
      At at, List<String> rocm, String rule, BiFunction<At, String, String> gate) {
    Node s = at.node();
    int start = s.start();
    if (!lines.isFirst(start) || lines.isContinued(start) || !lines.endsLine(s.end())) {
      return "other statements are on its line";
    }
    String why = in.isAlone() && !rocm.isEmpty() ? ALONE : gate.apply(at, rule);
    if (!why.isEmpty()) {
      return why;
    }
    String indent = lines.indentation(start);
    String nl = file.newline();
    StringBuilder text = new StringBuilder();
    if (rocm.isEmpty()) {
      text.append("if not ").append(in.name()).append(":").append(nl);
    } else {
      text.append("if ").append(in.name()).append(":").append(nl);
      rocm.forEach(l -> text.append(indent).append(in.unit()).append(l).append(nl));
      text.append(indent).append("else:").append(nl);
    }
    text.append(indent).append(in.unit());
    changes.edit(Edit.before(start, text.toString(), rule));
    for (int line = file.line(start) + 1; line <= file.line(s.end() - 1); line++) {
      int at0 = file.lineStart(line);
      if (at0 < file.lineEnd(line) && !lines.isBlank(line) && !isInString(at0, s)) {
        changes.alsoEdit(Edit.before(at0, in.unit(), rule));
      }
    }
    return "";
  }

  /**
   * Adds lines that run on ROCm directly after a statement.
   *
   * @param condition what must hold too; empty for nothing
   * @param helper the name of the module {@code _rocm} that the lines use; empty for none
   * @return empty if done, else why it cannot be
   */
  String behind(At at, String condition, String helper, List<String> rocm, String by) {
    Node s = at.node();
    int next = lines.next(s.end());
    boolean open = next == file.length() && file.bytes()[next - 1] != '\n';
    if (open || !lines.isFirst(s.start()) || !lines.endsLine(s.end()) || isInnerComment(next, s)) {
      return "no line can be inserted after it";
    }
    String why = need(at, helper, by);
    if (!why.isEmpty()) {
      return why;
    }
    String indent = lines.indentation(s.start());
    String nl = file.newline();
    StringBuilder text = new StringBuilder(indent);
    String and = condition.isEmpty() ? "" : " and " + condition;
    text.append("if ").append(in.name()).append(and).append(":").append(nl);
    rocm.forEach(l -> text.append(indent).append(in.unit()).append(l).append(nl));
    changes.edit(Edit.before(next, text.toString(), by));
    return "";
  }

  /** A comment after a block that is indented like it would seem to belong to the lines added. */
  private boolean isInnerComment(int next, Node s) {
    int at = next;
    while (at < file.length() && Character.isWhitespace(file.bytes()[at])) {
      at++;
    }
    return at < file.length()
        && file.bytes()[at] == '#'
        && lines.indentation(at).length() > lines.indentation(s.start()).length();
  }

  /**
   * Adds lines that run on ROCm directly after the import of torch.
   *
   * @param at the code before that import that these lines correct
   */
  String afterTorch(At at, List<String> rocm, String by) {
    Stmt anchor = in.anchor();
    if (anchor == null || anchor.start() < at.node().end()) {
      return "the file does not import torch after this line";
    }
    StringBuilder text = new StringBuilder("if " + in.name() + ":" + file.newline());
    rocm.forEach(l -> text.append(in.unit()).append(l).append(file.newline()));
    places.block(text.toString(), by);
    return "";
  }

  /**
   * Returns the statement that binds a name to a module that is beside {@code _rocm}, on ROCm.
   *
   * @param names what to import of it; empty for the module itself
   * @param as what the file calls the module
   */
  String companion(String module, List<String> names, String as) {
    String from = home instanceof Home.Module m ? m.from() : "";
    if (names.isEmpty()) {
      String bound = as.isEmpty() || as.equals(module) ? module : module + " as " + as;
      return from.isEmpty() ? "import " + bound : "from " + from + " import " + bound;
    }
    String dot = from.isEmpty() || from.endsWith(".") ? "" : ".";
    return "from " + from + dot + module + " import " + String.join(", ", names);
  }

  /** Has a module added to the ported tree, and {@code _rocm} if it imports that. */
  void needs(String module) {
    for (String name :
        RuntimeModules.hasGate(module) ? List.of(module, "_rocm") : List.of(module)) {
      changes.needsModule(home instanceof Home.Module m ? m.path(name) : in.beside(name));
    }
  }

  private boolean isInString(int offset, Node statement) {
    for (At a : in.tree().all()) {
      if (a.node() instanceof Expr.Text t
          && t.start() < offset
          && offset < t.end()
          && statement.start() <= t.start()) {
        return true;
      }
    }
    return false;
  }

  /** Writes the lines that the gates need; call it once, at the end. */
  void finish() {
    kernels.finish();
    places.finish();
  }
}
