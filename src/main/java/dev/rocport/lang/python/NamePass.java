package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Stmt;
import dev.rocport.rules.Rule;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reports names without editing them. Rules of {@code analysis: python-name} list names to report
 * at each use, fields with a leading dot in files that {@code where} selects, {@code
 * python-keyword} arguments of a Triton kernel or configuration, and {@code python-string} patterns
 * for strings.
 */
final class NamePass {
  private final PythonWork w;

  NamePass(PythonWork w) {
    this.w = w;
  }

  void run() {
    names(w.rules("python-name"));
    w.rules("python-keyword").forEach(this::keywords);
    w.rules("python-string").forEach(this::strings);
  }

  private void names(List<Rule> rules) {
    for (At at : w.tree().all()) {
      boolean ported = at.parent() != null && w.gates().isGated(at.parent().node());
      if (at.node() instanceof Expr x && PythonWork.names(x, at) && !ported) {
        String name = w.qualified(x, at);
        for (Rule rule : rules) {
          if (!name.isEmpty() && rule.functions().contains(name)) {
            w.review(x, rule.id(), name + ": " + rule.title());
          } else if (name.isEmpty()
              && x instanceof Expr.Attribute a
              && rule.functions().contains("." + a.name())
              && mentions(rule)) {
            w.review(x, rule.id(), w.tree().text(x) + ": " + rule.title());
          }
        }
      }
    }
  }

  /** A field is reported only in a file that uses its owner. */
  private boolean mentions(Rule rule) {
    return rule.where().stream()
        .anyMatch(
            name ->
                w.tree().all().stream()
                    .anyMatch(a -> a.node() instanceof Expr.Attribute x && x.name().equals(name)));
  }

  private void keywords(Rule rule) {
    for (At at : w.tree().all()) {
      if (at.node() instanceof Expr.Call c
          && (c.function() instanceof Expr.Subscript
              || w.qualified(c.function(), at).equals("triton.Config"))) {
        for (Argument a : c.arguments()) {
          if (rule.functions().contains(a.name())) {
            w.review(a, rule.id(), w.tree().text(a) + ": " + rule.title());
            break;
          }
        }
      }
    }
  }

  private void strings(Rule rule) {
    Pattern pattern = Pattern.compile(String.join("|", rule.functions()));
    for (At at : w.tree().all()) {
      if (at.node() instanceof Expr.Text t && !isDoc(at)) {
        Optional<String> said = t.value();
        if (said.isPresent() && pattern.matcher(said.get()).find()) {
          w.review(t, rule.id(), w.tree().text(t) + ": " + rule.title());
        }
      }
    }
  }

  /** A string that is a separate statement has no effect. */
  private static boolean isDoc(At at) {
    return at.parent() != null && at.parent().node() instanceof Stmt.Expression;
  }
}
