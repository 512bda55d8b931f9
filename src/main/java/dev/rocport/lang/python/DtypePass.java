package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Stmt;
import dev.rocport.rules.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Ports types whose format depends on the architecture. The rule of {@code analysis: python-dtype}
 * names them as {@code NAME=HELPER}, the helper being one of the module {@code _rocm}, and numbers
 * that are valid for one format only.
 */
final class DtypePass {
  private final PythonWork w;
  private final Rule rule;
  private final Map<String, String> helpers = new HashMap<>();

  DtypePass(PythonWork w, Rule rule) {
    this.w = w;
    this.rule = rule;
    for (String f : rule.functions()) {
      int sign = f.indexOf('=');
      if (sign > 0) {
        helpers.put(f.substring(0, sign), f.substring(sign + 1));
      }
    }
  }

  void run() {
    boolean aware =
        w.tree().all().stream()
            .anyMatch(a -> a.node() instanceof Expr.Attribute x && x.name().endsWith("fnuz"));
    List<At> uses =
        w.tree().all().stream()
            .filter(
                at ->
                    at.node() instanceof Expr x
                        && w.names(x, at)
                        && helpers.containsKey(w.qualified(x, at))
                        && !isTarget(at))
            .toList();
    // One half of a file must not make what the other half does not know.
    boolean known = uses.stream().anyMatch(DtypePass::isName);
    for (At at : uses) {
      Expr x = (Expr) at.node();
      String name = w.qualified(x, at);
      String helper = helpers.getOrDefault(name, "");
      if (aware) {
        w.review(
            x, rule.id(), name + " is kept: this file already uses a type such as float8_e4m3fnuz");
      } else if (isName(at)) {
        w.review(x, rule.id(), name + " is kept: here it identifies the type of existing data");
      } else if (known) {
        w.review(
            x,
            rule.id(),
            name
                + " is kept: elsewhere in this file, a type of this kind identifies the type of"
                + " existing data");
      } else {
        w.gate(x, helper + "()", "", helper, rule.id(), name);
      }
    }
    if (!uses.isEmpty() && !aware) {
      numbers();
    }
  }

  /**
   * What is compared, listed or looked up is the type that some data has, not one to compute with.
   */
  private static boolean isName(At at) {
    return at.parent() != null
        && switch (at.parent().node()) {
          case Expr.Comparison c -> true;
          case Expr.TupleOf t -> true;
          case Expr.ListOf l -> true;
          case Expr.SetOf s -> true;
          case Expr.Dict d -> true;
          default -> false;
        };
  }

  private static boolean isTarget(At at) {
    return at.parent() != null
        && at.parent().node() instanceof Stmt.Assign a
        && a.targets().contains(at.node());
  }

  private void numbers() {
    for (At at : w.tree().all()) {
      if (at.node() instanceof Expr.Constant c && rule.functions().contains(c.text())) {
        w.review(
            c,
            rule.id(),
            c.text() + " is the largest value of float8_e4m3fn; that of float8_e4m3fnuz is 240");
      }
    }
  }
}
