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
    String aware = w.eightBits().aware();
    String named = w.eightBits().named();
    List<At> uses =
        w.tree().all().stream()
            .filter(
                at ->
                    at.node() instanceof Expr x
                        && PythonWork.names(x, at)
                        && helpers.containsKey(w.qualified(x, at))
                        && !isTarget(at))
            .toList();
    // One half of a program must not make what the other half does not know.
    for (At at : uses) {
      Expr x = (Expr) at.node();
      String name = w.qualified(x, at);
      String helper = helpers.getOrDefault(name, "");
      if (!aware.isEmpty()) {
        w.review(
            x,
            rule.id(),
            name
                + " is kept: the program already uses a type such as float8_e4m3fnuz ("
                + aware
                + ")");
      } else if (EightBits.isName(at)) {
        w.review(x, rule.id(), name + " is kept: here it identifies the type of existing data");
      } else if (!named.isEmpty()) {
        w.review(
            x,
            rule.id(),
            name
                + " is kept: elsewhere in this program, a type of this kind identifies the type of"
                + " existing data ("
                + named
                + ")");
      } else {
        w.gate(x, helper + "()", "", helper, rule.id(), name);
      }
    }
    if (!uses.isEmpty() && aware.isEmpty()) {
      numbers();
    }
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
