package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import dev.rocport.lang.python.syntax.Stmt;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Determines which functions run under {@code torch.compile} with Inductor. */
final class Compiled {
  private static final Set<String> DISABLE =
      Set.of("torch.compiler.disable", "torch._dynamo.disable", "torch.jit.ignore");

  private final PythonModules modules;

  /** Functions that are compiled, each with the root by which it is: itself or its caller. */
  private final IdentityHashMap<Stmt.Function, Root> functions = new IdentityHashMap<>();

  private final Deque<Stmt.Function> todo = new ArrayDeque<>();

  /** The calls of each function. */
  private final IdentityHashMap<Stmt.Function, List<At>> calls = new IdentityHashMap<>();

  /**
   * A function that is given to {@code torch.compile}.
   *
   * @param dynamic whether shapes are symbols from the first call on
   * @param whole whether graphs must not break
   */
  record Root(Stmt.Function function, boolean dynamic, boolean whole) {}

  Compiled(PythonModules modules) {
    this.modules = modules;
    for (At at : modules.all()) {
      switch (at.node()) {
        case Stmt.Function f -> f.decorators().forEach(d -> decorator(d, f, at));
        case Expr.Call c -> {
          call(c, at);
          Stmt.Function f = target(c.function(), at);
          if (f != null) {
            calls.computeIfAbsent(f, x -> new ArrayList<>()).add(at);
          }
        }
        default -> {}
      }
    }
    follow();
  }

  /** The calls of a function that are seen, each an {@link Expr.Call}. */
  List<At> calls(Stmt.Function f) {
    return calls.getOrDefault(f, List.of());
  }

  /** How a function is compiled; null if it is not, as far as these files show. */
  @Nullable Root root(Stmt.@Nullable Function f) {
    return f == null ? null : functions.get(f);
  }

  /** True for a function that is itself given to {@code torch.compile}. */
  boolean isRoot(Stmt.Function f) {
    Root r = functions.get(f);
    return r != null && isSame(r.function(), f);
  }

  /** True for one and the same node. */
  static boolean isSame(@Nullable Node a, @Nullable Node b) {
    return a == b;
  }

  private void decorator(Expr d, Stmt.Function f, At at) {
    if (d instanceof Expr.Call c) {
      Argument first = PythonWork.positional(c, 0);
      boolean partial = first != null && isCompile(first.value(), at);
      if (isCompile(c.function(), at) || partial) {
        root(f, c, at);
      }
    } else if (isCompile(d, at)) {
      add(f, new Root(f, false, false));
    }
  }

  private void add(Stmt.Function f, Root root) {
    functions.put(f, root);
    todo.add(f);
  }

  private boolean isCompile(Expr x, At at) {
    return modules.qualified(x, at).equals("torch.compile");
  }

  private void call(Expr.Call c, At at) {
    Argument first = PythonWork.positional(c, 0);
    if (first == null) {
      first = PythonTree.keyword(c, "model");
    }
    if (first != null && isCompile(c.function(), at)) {
      Stmt.Function f = target(first.value(), at);
      if (f != null) {
        root(f, c, at);
      }
    }
  }

  private void root(Stmt.Function f, Expr.Call c, At at) {
    Argument backend = PythonTree.keyword(c, "backend");
    if (backend == null
        || modules
            .tree(at)
            .string(backend.value(), at.scope())
            .orElse("inductor")
            .equals("inductor")) {
      add(f, new Root(f, isTrue(c, "dynamic", at), isTrue(c, "fullgraph", at)));
    }
  }

  private boolean isTrue(Expr.Call c, String keyword, At at) {
    Argument a = PythonTree.keyword(c, keyword);
    return a != null && modules.tree(at).text(a.value()).equals("True");
  }

  /** Functions that compiled ones call are compiled with them. */
  private void follow() {
    Set<Stmt.Function> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    while (!todo.isEmpty()) {
      Stmt.Function f = todo.pop();
      Root root = functions.get(f);
      if (root == null || !seen.add(f)) {
        continue;
      }
      for (At at : modules.tree(modules.at(f)).all()) {
        if (at.node() instanceof Expr.Call c && isSame(function(at), f)) {
          Stmt.Function callee = target(c.function(), at);
          if (callee != null
              && !isDisabled(callee)
              && functions.putIfAbsent(callee, root) == null) {
            todo.add(callee);
          }
        }
      }
    }
  }

  private boolean isDisabled(Stmt.Function f) {
    At at = modules.at(f);
    return f.decorators().stream()
        .map(d -> d instanceof Expr.Call c ? c.function() : d)
        .anyMatch(d -> DISABLE.contains(modules.qualified(d, at)));
  }

  /** The function of these files that an expression denotes; null if there is none. */
  Stmt.@Nullable Function target(Expr x, At at) {
    return switch (modules.tree(at).resolved(x, at.scope())) {
      case Expr.Attribute a when a.base() instanceof Expr.Name self && self.id().equals("self") ->
          method(classOf(at), a.name());
      case Expr.Attribute a when a.name().equals("forward") -> forward(a.base(), at);
      case Expr.Call c when isCompile(c.function(), at) -> compiledBy(c, at);
      case Expr.Call c -> forward(c, at);
      case Expr y -> definition(y, at) instanceof Stmt.Function f ? f : null;
    };
  }

  /** {@code torch.compile(f)} runs what f is. */
  private Stmt.@Nullable Function compiledBy(Expr.Call c, At at) {
    Argument first = PythonWork.positional(c, 0);
    if (first == null) {
      return null;
    }
    boolean again =
        modules.tree(at).resolved(first.value(), at.scope()) instanceof Expr.Call inner
            && isCompile(inner.function(), at);
    return again ? null : target(first.value(), at);
  }

  /** The function or class that a name stands for; null if it is neither. */
  private @Nullable Node definition(Expr x, At at) {
    Scope.Binding here = x instanceof Expr.Name n ? at.scope().single(n.id()) : null;
    Scope.Binding b = here instanceof Scope.Other ? here : modules.imported(x, at);
    return b instanceof Scope.Other o ? o.at() : null;
  }

  /** {@code Model(...)} and a name that is set to it: what runs is the class's own. */
  private Stmt.@Nullable Function forward(Expr x, At at) {
    Expr y = modules.tree(at).resolved(x, at.scope());
    if (y instanceof Expr.Call c) {
      return definition(c.function(), at) instanceof Stmt.ClassOf k ? method(k, "forward") : null;
    }
    return modules.imported(y, at) instanceof Scope.Value v && v.value() instanceof Expr.Call c
        ? forward(c, modules.at(c))
        : null;
  }

  static Stmt.@Nullable Function method(Stmt.@Nullable ClassOf k, String name) {
    if (k != null) {
      for (Stmt s : k.body()) {
        if (s instanceof Stmt.Function f && f.name().equals(name)) {
          return f;
        }
      }
    }
    return null;
  }

  static Stmt.@Nullable ClassOf classOf(At at) {
    for (At a = at; a != null; a = a.parent()) {
      if (a.node() instanceof Stmt.ClassOf k) {
        return k;
      }
    }
    return null;
  }

  /** The function whose body contains a node; null for module-level code. */
  static Stmt.@Nullable Function function(At at) {
    Node below = at.node();
    for (At a = at.parent(); a != null; below = a.node(), a = a.parent()) {
      if (a.node() instanceof Stmt.Function f && isBody(f.body(), below)) {
        return f;
      }
    }
    return null;
  }

  private static boolean isBody(List<Stmt> body, Node n) {
    return body.stream().anyMatch(s -> isSame(s, n));
  }
}
