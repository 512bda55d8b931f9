package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Stmt;
import dev.rocport.rules.Rule;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Ports settings whose value differs on ROCm. Each rule of {@code analysis: python-setting} lists
 * some by qualified name in {@code functions} and gives the value in {@code rewrite}.
 */
final class SettingPass {
  static final String INDUCTOR = "torch._inductor.config";

  private final PythonWork w;
  private final Map<String, Rule> rules = new HashMap<>();

  SettingPass(PythonWork w) {
    this.w = w;
    for (Rule r : w.rules("python-setting")) {
      r.functions().forEach(f -> rules.put(f, r));
    }
  }

  void run() {
    for (At at : w.tree().all()) {
      switch (at.node()) {
        case Stmt.Assign a when a.value().isPresent() && a.op().equals("=") -> assign(a, at);
        case Expr.Call c -> call(c, at);
        default -> {}
      }
    }
  }

  private void assign(Stmt.Assign a, At at) {
    for (Expr target : a.targets()) {
      if (target instanceof Expr.Attribute) {
        String name = w.qualified(target, at);
        if (rules.containsKey(name)) {
          if (a.targets().size() == 1) {
            value(name, a.value().get());
          } else {
            w.review(
                a,
                rules.get(name).id(),
                name + " is set together with other settings, so it is not gated");
          }
        }
      }
    }
  }

  private void call(Expr.Call c, At at) {
    String function = w.qualified(c.function(), at);
    if (function.equals("setattr")) {
      Argument object = PythonWork.positional(c, 0);
      Argument name = PythonWork.positional(c, 1);
      Argument value = PythonWork.positional(c, 2);
      if (object != null && name != null && value != null) {
        String owner = w.qualified(object.value(), at);
        Optional<String> said = w.tree().string(name.value(), at.scope());
        said.ifPresent(n -> value(owner + "." + n, value.value()));
        if (said.isEmpty() && owner.equals(INDUCTOR)) {
          Rule rule = rules.get(INDUCTOR + ".triton.cudagraphs");
          if (rule != null) {
            w.review(
                c,
                rule.id(),
                "the name of this Inductor setting is not known statically, so the setting is not"
                    + " gated");
          }
        }
      }
    } else if (function.equals(INDUCTOR + ".patch")) {
      Argument first = PythonWork.positional(c, 0);
      Argument second = PythonWork.positional(c, 1);
      if (first != null && second != null) {
        PythonTree.literal(first.value()).ifPresent(n -> option(n, second.value()));
      } else if (first != null) {
        options(first.value(), at);
      }
      for (Argument a : c.arguments()) {
        if (a.name().equals("**")) {
          options(a.value(), at);
        } else if (!a.name().isEmpty()) {
          option(a.name(), a.value());
        }
      }
    }
  }

  /**
   * The entries of a dictionary of Inductor settings, or of a name that is set to one.
   *
   * @return false if they are not seen
   */
  boolean options(Expr x, At at) {
    Expr known = w.tree().resolved(x, at.scope());
    if (known instanceof Expr.Dict d) {
      boolean all = true;
      for (Expr.Entry e : d.entries()) {
        Optional<String> key = e.key().flatMap(PythonTree::literal);
        if (key.isPresent()) {
          option(key.get(), e.value());
        } else {
          all &= e.key().isEmpty() && options(e.value(), at);
        }
      }
      return all;
    }
    if (known instanceof Expr.Call c && w.qualified(c.function(), at).equals("dict")) {
      boolean all = true;
      for (Argument a : c.arguments()) {
        if (a.name().isEmpty() || a.name().equals("**")) {
          all &= options(a.value(), at);
        } else {
          option(a.name(), a.value());
        }
      }
      return all;
    }
    return known instanceof Expr.Constant;
  }

  private void option(String key, Expr value) {
    value(INDUCTOR + "." + key.replace('-', '_'), value);
  }

  private void value(String name, Expr value) {
    Rule rule = rules.get(name);
    if (rule == null || w.tree().text(value).equals(rule.rewrite())) {
      return;
    }
    Optional<String> said = PythonTree.literal(value);
    if (said.isPresent() && rule.rewrite().equals("\"" + said.get() + "\"")) {
      return;
    }
    w.gate(value, rule.rewrite(), rule.id(), name);
  }
}
