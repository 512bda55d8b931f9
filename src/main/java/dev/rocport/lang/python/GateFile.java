package dev.rocport.lang.python;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import dev.rocport.lang.python.syntax.Stmt;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Holds what a file that may get a gate has already: its torch, its gate, its names. */
final class GateFile {
  private final SourceFile file;
  private final PythonTree tree;
  private final PythonLines lines;
  private final Home home;
  private final String name;
  private final String unit;
  private final boolean build;
  private final @Nullable Stmt anchor;
  private final int given;
  private final Inspections inspections;
  private final Map<String, Boolean> taken = new HashMap<>();

  GateFile(SourceFile file, PythonTree tree, Home home) {
    this.file = file;
    this.tree = tree;
    this.lines = new PythonLines(file);
    this.build = !tree.imports("torch") && SetupPass.isBuild(tree);
    this.home = build ? new Home.Own(false) : home;
    this.given = given(tree);
    this.name = given < 0 && isTaken(tree) ? Gate.OTHER_NAME : Gate.GATE;
    this.unit = findUnit();
    this.anchor = findAnchor();
    this.inspections = new Inspections(tree);
  }

  SourceFile file() {
    return file;
  }

  PythonTree tree() {
    return tree;
  }

  PythonLines lines() {
    return lines;
  }

  Home home() {
    return home;
  }

  Inspections inspections() {
    return inspections;
  }

  /** Returns the name of the gate in this file. */
  String name() {
    return name;
  }

  /** Returns one level of indentation. */
  String unit() {
    return unit;
  }

  /** Returns whether this is a build without PyTorch, which has its own gate. */
  boolean isBuild() {
    return build;
  }

  /** Returns the statement of the module after which torch is there; null if there is none. */
  @Nullable Stmt anchor() {
    return anchor;
  }

  /** Returns where the file has the gate already; -1 if it has not. */
  int given() {
    return given;
  }

  /** Returns whether the file has a gate already that the drivers of the machine decide about. */
  boolean isByDrivers() {
    return tree.module().single(Gate.GATE) instanceof Scope.Value v
        && tree.text(v.value()).equals(BareGate.DRIVERS.definition());
  }

  /** Returns whether the name torch means PyTorch wherever the gate is known. */
  boolean hasTorch() {
    return tree.isOnlyTorch()
        && (home instanceof Home.Own || !tree.module().own("torch").isEmpty());
  }

  /** Returns whether the project has a module {@code _rocm} of its own. */
  boolean isAlone() {
    return home instanceof Home.Own o && o.alone();
  }

  /** Returns whether the file binds a name. */
  boolean isTakenByFile(String helper) {
    return taken.computeIfAbsent(
        helper, h -> tree.all().stream().anyMatch(a -> !a.scope().own(h).isEmpty()));
  }

  /** Returns whether an expression can be put in parentheses. */
  boolean canBeWrapped(Expr x) {
    return switch (x) {
      case Expr.Starred s -> false;
      case Expr.Yield y -> false;
      case Expr.Walrus w -> false;
      case Expr.TupleOf t -> t.end() > t.start() && file.bytes()[t.start()] == '(' && isOneTuple(t);
      case Expr.Comprehension c -> c.kind() != '(';
      default -> true;
    };
  }

  /** Returns whether the first parenthesis of a tuple is its own. */
  private boolean isOneTuple(Expr.TupleOf t) {
    return t.items().isEmpty() || t.items().getFirst().start() > t.start();
  }

  /** Returns the line after the imports at the beginning of the file. */
  int behindImports() {
    int at = -1;
    for (Stmt s : tree.body()) {
      if (!ImportStatements.isImport(s)
          && !(s instanceof Stmt.Expression e && e.value() instanceof Expr.Text)) {
        return at < 0 ? file.lineStart(file.line(startWithDecorators(s))) : at;
      }
      at = lines.next(s.end());
    }
    return file.length();
  }

  /** Returns the start of a definition with its decorators. */
  static int startWithDecorators(Node n) {
    List<Expr> decorators =
        switch (n) {
          case Stmt.Function f -> f.decorators();
          case Stmt.ClassOf c -> c.decorators();
          default -> List.of();
        };
    return decorators.isEmpty() ? n.start() : decorators.getFirst().start();
  }

  /** Returns the module {@code _rocm} as this file imports it. */
  String module() {
    return home instanceof Home.Module m ? m.module("_rocm") : "_rocm";
  }

  /** Returns the path of a module in the folder of the file. */
  String beside(String module) {
    int slash = file.path().lastIndexOf('/');
    return file.path().substring(0, slash + 1) + module + ".py";
  }

  private static int given(PythonTree tree) {
    Scope.Binding b = tree.module().single(Gate.GATE);
    if (b == null) {
      return -1;
    }
    boolean ours =
        switch (b) {
          case Scope.Imported i ->
              ("." + i.qualified()).endsWith("._rocm." + Gate.GATE) && tree.body().contains(b.at());
          case Scope.Value v ->
              Gate.isDefinition(tree.text(v.value())) && tree.body().contains(b.at());
          case Scope.Other o -> false;
        };
    return ours ? b.at().end() : -1;
  }

  private static boolean isTaken(PythonTree tree) {
    return tree.all().stream()
        .anyMatch(
            a ->
                (a.node() instanceof Expr.Name n && n.id().equals(Gate.GATE))
                    || !a.scope().own(Gate.GATE).isEmpty());
  }

  private String findUnit() {
    for (At a : tree.all()) {
      if (a.node() instanceof Stmt && a.parent() != null && lines.isFirst(a.node().start())) {
        String outer = lines.indentation(a.parent().statement().node().start());
        String inner = lines.indentation(a.node().start());
        if (inner.length() > outer.length() && inner.startsWith(outer)) {
          return inner.substring(outer.length());
        }
      }
    }
    return "    ";
  }

  private @Nullable Stmt findAnchor() {
    for (Stmt s : tree.body()) {
      if (ImportStatements.importsTorch(s)) {
        return s;
      }
      if (home instanceof Home.Module
          && s instanceof Stmt.Try t
          && t.body().stream().anyMatch(ImportStatements::importsTorch)) {
        return s;
      }
    }
    return null;
  }
}
