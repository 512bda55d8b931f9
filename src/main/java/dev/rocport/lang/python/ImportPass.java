package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Stmt;
import dev.rocport.rules.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Replaces modules that have no ROCm build but a rocport stand-in. Each rule of {@code analysis:
 * python-import} lists modules in {@code functions} and the stand-in in {@code rewrite}.
 */
final class ImportPass {
  private final PythonWork w;

  ImportPass(PythonWork w) {
    this.w = w;
  }

  void run() {
    for (Rule rule : w.rules("python-import")) {
      for (At at : w.tree().all()) {
        switch (at.node()) {
          case Stmt.ImportFrom f when f.level() == 0 && rule.functions().contains(f.module()) ->
              from(f, at, rule);
          case Stmt.ImportFrom f
              when f.level() == 0 && rule.functions().contains(PythonProject.root(f.module())) ->
              unknown(f, rule);
          case Stmt.Import i -> plain(i, at, rule);
          default -> {}
        }
      }
    }
  }

  private void from(Stmt.ImportFrom f, At at, Rule rule) {
    Set<String> offered = RuntimeModules.names(rule.rewrite());
    List<String> names = new ArrayList<>();
    for (Stmt.Alias n : f.names()) {
      if (!n.name().equals("*") && !offered.contains(n.name())) {
        w.review(
            f,
            rule.id(),
            f.module()
                + "."
                + n.name()
                + " has no replacement on ROCm, so the import is not gated");
        return;
      }
      names.add(n.as().isEmpty() ? n.name() : n.name() + " as " + n.as());
    }
    gate(at, rule, names, "");
  }

  private void plain(Stmt.Import i, At at, Rule rule) {
    for (Stmt.Alias n : i.names()) {
      if (rule.functions().contains(PythonProject.root(n.name()))) {
        boolean whole = rule.functions().contains(n.name());
        if (i.names().size() == 1 && whole && (!n.as().isEmpty() || n.name().indexOf('.') < 0)) {
          gate(at, rule, List.of(), n.bound());
        } else {
          unknown(i, rule);
        }
        return;
      }
    }
  }

  private void gate(At at, Rule rule, List<String> names, String as) {
    if (w.tree().isDecided(at)) {
      return;
    }
    String line = w.gates().companion(rule.rewrite(), names, as);
    String why =
        w.hasTorch() || RuntimeModules.hasGate(rule.rewrite())
            ? w.gates().statement(at, List.of(line), rule.id())
            : w.gates().byDrivers(at, List.of(line), rule.id());
    if (why.isEmpty()) {
      w.gates().needs(rule.rewrite());
    } else {
      w.review(at.node(), rule.id(), "the import is not gated: " + why);
    }
  }

  private void unknown(Stmt s, Rule rule) {
    w.review(s, rule.id(), "this form of import is not gated: " + w.tree().text(s));
  }
}
