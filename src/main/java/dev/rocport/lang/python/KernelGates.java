package dev.rocport.lang.python;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Stmt;
import dev.rocport.rules.Changes;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Writes gates in Triton kernels, where the gate is a constant. */
final class KernelGates {
  private final GateFile in;
  private final SourceFile file;
  private final PythonTree tree;
  private final PythonLines lines;
  private final Home home;
  private final Changes changes;

  /** The functions that kernels call. */
  private final Set<String> called = new TreeSet<>();

  /** Where the file imports what kernels need; -1 if nothing is needed. */
  private int place = -1;

  private String rule = "";

  KernelGates(GateFile in, Changes changes) {
    this.in = in;
    this.file = in.file();
    this.tree = in.tree();
    this.lines = in.lines();
    this.home = in.home();
    this.changes = changes;
  }

  /**
   * Makes an expression of a Triton kernel another one on ROCm. Triton reads the function's text
   * and evaluates only the side that a constant chooses.
   *
   * @param helper the function of the module {@code _rocm_triton} that {@code rocm} calls
   * @return empty if done, else why it cannot be
   */
  String expression(At at, String rocm, String helper, String rule) {
    if (!(home instanceof Home.Module)) {
      return "the file is not in a package to which rocport can add a module";
    }
    if (!(at.node() instanceof Expr x) || at.isInText() || !in.canBeWrapped(x)) {
      return "it is not an expression that can be put in parentheses";
    }
    if (in.inspections().looksAtGlobals()) {
      return "the program inspects its own globals, where the gate would be visible";
    }
    for (String name : List.of(Gate.IN_KERNELS, helper)) {
      if (in.isTakenByFile(name)) {
        return "the file uses the name " + name + " for something else";
      }
    }
    int line = behindTriton(GateFile.startWithDecorators(at.top()));
    if (line < 0) {
      return "the file does not import triton before it";
    }
    called.add(helper);
    place = place < 0 ? line : Math.min(place, line);
    this.rule = this.rule.isEmpty() ? rule : this.rule;
    changes.edit(Edit.before(x.start(), "(" + rocm + " if " + Gate.IN_KERNELS + " else ", rule));
    changes.alsoEdit(Edit.after(x.end(), ")", rule));
    return "";
  }

  /**
   * Returns the line after the imports that follow the first one of triton; -1 if none comes
   * before.
   */
  private int behindTriton(int use) {
    Stmt last = null;
    for (Stmt s : tree.body()) {
      boolean more = last != null && (s instanceof Stmt.Import || s instanceof Stmt.ImportFrom);
      if (s.start() >= use || (last != null && !more)) {
        break;
      }
      if (more || ImportStatements.importsTriton(s)) {
        last = s;
      }
    }
    return last == null || lines.next(last.end()) > use ? -1 : lines.next(last.end());
  }

  /** Writes the import of what kernels need. */
  void finish() {
    if (place >= 0 && home instanceof Home.Module m) {
      Set<String> names = new TreeSet<>(called);
      names.add(Gate.GATE + " as " + Gate.IN_KERNELS);
      String line = "from " + m.module(Gate.TRITON) + " import " + String.join(", ", names);
      changes.alsoEdit(Edit.before(place, line + file.newline(), rule));
      changes.needsModule(m.path(Gate.TRITON));
    }
  }
}
