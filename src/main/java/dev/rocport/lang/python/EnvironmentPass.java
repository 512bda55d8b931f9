package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import dev.rocport.lang.python.syntax.Stmt;
import dev.rocport.rules.Rule;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Ports environment variables that a program sets. Each rule of {@code analysis:
 * python-environment} lists some in {@code functions}; {@code rewrite} is their value on ROCm, and
 * without it they are findings. A rewrite that ends in {@code -} removes that entry from a list of
 * {@code key:value} pairs.
 */
final class EnvironmentPass {
  private static final Set<String> SETTERS = Set.of("setdefault", "putenv", "setenv");

  private final PythonWork w;
  private final Map<String, Rule> rules = new HashMap<>();

  EnvironmentPass(PythonWork w) {
    this.w = w;
    for (Rule r : w.rules("python-environment")) {
      r.functions().forEach(f -> rules.put(f, r));
    }
  }

  void run() {
    for (At at : w.tree().all()) {
      switch (at.node()) {
        case Stmt.Assign a when a.value().isPresent() && a.op().equals("=") -> {
          if (a.targets().size() == 1 && a.targets().getFirst() instanceof Expr.Subscript s) {
            set(s.index(), a.value().get(), at, w.tree().text(s.base()));
          }
        }
        case Expr.Dict d ->
            d.entries().forEach(e -> e.key().ifPresent(k -> set(k, e.value(), at, "")));
        case Expr.Call c -> call(c, at);
        default -> {}
      }
    }
  }

  private void call(Expr.Call c, At at) {
    if (c.function() instanceof Expr.Attribute a && SETTERS.contains(a.name())) {
      Argument key = PythonWork.positional(c, 0);
      Argument value = PythonWork.positional(c, 1);
      if (key != null && value != null) {
        String environment = a.name().equals("setdefault") ? w.tree().text(a.base()) : "";
        set(key.value(), value.value(), at, environment);
      }
    }
    for (Argument a : c.arguments()) {
      if (rules.containsKey(a.name())) {
        value(a.name(), a.value(), at, "");
      }
    }
  }

  private void set(Expr key, Expr value, At at, String environment) {
    w.tree()
        .string(key, at.scope())
        .filter(rules::containsKey)
        .ifPresent(k -> value(k, value, at, environment));
  }

  /**
   * @param environment the mapping that is set, if the statement does nothing else
   */
  private void value(String name, Expr value, At at, String environment) {
    Rule rule = rules.get(name);
    if (rule == null) {
      return;
    }
    if (rule.rewrite().isEmpty()) {
      w.review(at.node(), rule.id(), name + " is set: " + rule.title());
      return;
    }
    Optional<String> said = w.tree().string(value, at.scope());
    if (rule.rewrite().endsWith("-")) {
      String entry = rule.rewrite().substring(0, rule.rewrite().length() - 1);
      if (said.isEmpty()) {
        String helper = "alloc_conf(" + w.tree().text(value) + ")";
        w.gate(value, helper, "", "alloc_conf", rule.id(), name);
      } else if (!without(said.get(), entry).equals(said.get())) {
        gate(name, value, "\"" + without(said.get(), entry) + "\"", at, environment, rule);
      }
    } else if (said.isEmpty() || !said.get().equals(rule.rewrite())) {
      gate(name, value, "\"" + rule.rewrite() + "\"", at, environment, rule);
    }
  }

  private static String without(String list, String entry) {
    return Arrays.stream(list.split(","))
        .filter(e -> !e.strip().startsWith(entry + ":"))
        .collect(Collectors.joining(","));
  }

  /** What is set before torch is imported is set again after that import. */
  private void gate(String name, Expr value, String rocm, At at, String environment, Rule rule) {
    At place = w.tree().at(value);
    if (w.tree().isDecided(place)) {
      return;
    }
    String why = w.gates().expression(place, rocm, "", "", rule.id());
    Node statement = at.statement().node();
    boolean alone =
        statement == at.node()
            || (statement instanceof Stmt.Expression e && e.value() == at.node());
    if (!why.isEmpty() && isSetElsewhere(name)) {
      return;
    }
    if (!why.isEmpty() && alone && environment.equals("os.environ") && at.scope().isAtImport()) {
      String line = environment + "[\"" + name + "\"] = " + rocm;
      why = w.gates().afterTorch(at, List.of(line), rule.id());
    }
    if (!why.isEmpty()) {
      w.review(at.node(), rule.id(), name + " is not gated: " + why);
    }
  }

  /** True if the program sets the variable in code that checks the platform. */
  private boolean isSetElsewhere(String name) {
    return w.tree().all().stream()
        .anyMatch(
            a ->
                a.node() instanceof Stmt.Assign s
                    && s.targets().getFirst() instanceof Expr.Subscript x
                    && w.tree().string(x.index(), a.scope()).filter(name::equals).isPresent()
                    && w.tree().isDecided(a));
  }
}
