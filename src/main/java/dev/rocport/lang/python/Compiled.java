package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import dev.rocport.lang.python.syntax.Stmt;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Determines which functions of a file run under {@code torch.compile} with Inductor. */
final class Compiled {
  private static final Set<String> DISABLE =
      Set.of("torch.compiler.disable", "torch._dynamo.disable", "torch.jit.ignore");

  private final PythonWork w;

  /** Functions that are compiled, each with the root by which it is: itself or its caller. */
  private final IdentityHashMap<Stmt.Function, Root> functions = new IdentityHashMap<>();

  private final Deque<Stmt.Function> todo = new ArrayDeque<>();

  /**
   * A function that is given to {@code torch.compile}.
   *
   * @param dynamic whether shapes are symbols from the first call on
   * @param whole whether graphs must not break
   */
  record Root(Stmt.Function function, boolean dynamic, boolean whole) {}

  Compiled(PythonWork w) {
    this.w = w;
    for (At at : w.tree().all()) {
      switch (at.node()) {
        case Stmt.Function f -> f.decorators().forEach(d -> decorator(d, f, at));
        case Expr.Call c -> call(c, at);
        default -> {}
      }
    }
    follow();
  }

  /** How a function is compiled; null if it is not, as far as this file shows. */
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
    return w.qualified(x, at).equals("torch.compile");
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
        || w.tree().string(backend.value(), at.scope()).orElse("inductor").equals("inductor")) {
      add(f, new Root(f, isTrue(c, "dynamic"), isTrue(c, "fullgraph")));
    }
  }

  private boolean isTrue(Expr.Call c, String keyword) {
    Argument a = PythonTree.keyword(c, keyword);
    return a != null && w.tree().text(a.value()).equals("True");
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
      for (At at : w.tree().all()) {
        if (at.node() instanceof Expr.Call c && isSame(function(w.tree(), at), f)) {
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
    At at = w.tree().at(f);
    return f.decorators().stream()
        .map(d -> d instanceof Expr.Call c ? c.function() : d)
        .anyMatch(d -> DISABLE.contains(w.qualified(d, at)));
  }

  /** The function of this file that an expression denotes; null if there is none. */
  Stmt.@Nullable Function target(Expr x, At at) {
    return switch (w.tree().resolved(x, at.scope())) {
      case Expr.Name n when at.scope().single(n.id()) instanceof Scope.Other o -> named(o.at());
      case Expr.Attribute a when a.base() instanceof Expr.Name self && self.id().equals("self") ->
          method(classOf(at), a.name());
      case Expr.Attribute a when a.name().equals("forward") -> forward(a.base(), at);
      case Expr.Call c -> forward(c, at);
      default -> null;
    };
  }

  private static Stmt.@Nullable Function named(Node n) {
    return n instanceof Stmt.Function f ? f : null;
  }

  /** {@code Model(...)} and a name that is set to it: what runs is the class's own. */
  private Stmt.@Nullable Function forward(Expr x, At at) {
    return w.tree().resolved(x, at.scope()) instanceof Expr.Call c
            && c.function() instanceof Expr.Name n
            && at.scope().single(n.id()) instanceof Scope.Other o
            && o.at() instanceof Stmt.ClassOf k
        ? method(k, "forward")
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
  static Stmt.@Nullable Function function(PythonTree tree, At at) {
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
