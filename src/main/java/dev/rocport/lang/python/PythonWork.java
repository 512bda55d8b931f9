package dev.rocport.lang.python;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.ptx.find.Lexicon;
import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import dev.rocport.lang.python.syntax.Stmt;
import dev.rocport.rules.Changes;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of one file during the passes.
 *
 * @param eightBits what this file, and those that it belongs together with, do with 8-bit types
 * @param modules this file and those that are analyzed with it
 * @param copies the folders with copies of libraries
 */
record PythonWork(
    SourceFile file,
    PythonTree tree,
    PythonGateWriter gates,
    Changes changes,
    RuleCatalog catalog,
    Lexicon lexicon,
    EightBits.Uses eightBits,
    PythonModules modules,
    CopiedFolders copies) {
  /** The rules in force that an analysis works for. */
  List<Rule> rules(String analysis) {
    return catalog.rules().stream()
        .filter(r -> r.analysis().equals(analysis) && changes.allows(r.id()))
        .toList();
  }

  boolean allows(String rule) {
    return changes.allows(rule);
  }

  /** True if the file imports torch, or a package that does. */
  boolean hasTorch() {
    return tree.imports("torch")
        || tree.all().stream()
            .anyMatch(a -> a.node() instanceof Stmt s && ImportStatements.importsTorch(s));
  }

  String qualified(Expr x, At at) {
    return tree.qualified(x, at.scope());
  }

  /** True for what names something of another module here, not by way of a variable. */
  static boolean names(Expr x, At at) {
    return switch (x) {
      case Expr.Attribute a -> true;
      case Expr.Name n ->
          at.scope().lookup(n.id()).stream().anyMatch(b -> b instanceof Scope.Imported);
      default -> false;
    };
  }

  /** Makes an expression another one on ROCm, or reports that it cannot. */
  void gate(Expr x, String rocm, String rule, String what) {
    gate(x, rocm, "", "", rule, what);
  }

  /**
   * The same.
   *
   * @param condition what must hold too; empty for nothing
   * @param helper what the text needs of the module {@code _rocm}; empty for nothing
   */
  void gate(Expr x, String rocm, String condition, String helper, String rule, String what) {
    At at = tree.at(x);
    if (!allows(rule) || tree.isDecided(at)) {
      return;
    }
    String why = gates.expression(at, rocm, condition, helper, rule);
    if (!why.isEmpty()) {
      review(x, rule, what + " is not gated: " + why);
    }
  }

  /** A finding about code that stays as it is. */
  void review(Node x, String rule, String message) {
    if (allows(rule) && !tree.isDecided(tree.at(x))) {
      changes.finding(rule, Disposition.REVIEW, x.start(), x.end(), message);
    }
  }

  /** True for names and what hangs on them, which can be read twice. */
  static boolean isSimple(Expr x) {
    return switch (x) {
      case Expr.Name n -> true;
      case Expr.Attribute a -> isSimple(a.base());
      case Expr.Subscript s ->
          isSimple(s.base())
              && (s.index() instanceof Expr.Text || s.index() instanceof Expr.Constant);
      default -> false;
    };
  }

  /** The positional argument at an index; null after a spread list or if there are fewer. */
  static @Nullable Argument positional(Expr.Call call, int index) {
    int seen = 0;
    for (Argument a : call.arguments()) {
      if (!a.name().isEmpty()) {
        continue;
      }
      if (!a.isPositional()) {
        return null;
      }
      if (seen++ == index) {
        return a;
      }
    }
    return null;
  }
}
