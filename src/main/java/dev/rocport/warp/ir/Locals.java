package dev.rocport.warp.ir;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The values of local variables of a function that are assigned once. */
final class Locals {
  private static final Pattern TAKES_VALUES =
      Pattern.compile("dim3|(std::)?(min|max)|f?printf|puts|cuda\\w+");

  private final Map<String, Expr> values = new TreeMap<>();
  private final Set<String> twice = new HashSet<>();
  private final Set<String> constant = new HashSet<>();

  /** True for functions that are known not to set their arguments. */
  private static boolean takesValues(String function) {
    return TAKES_VALUES.matcher(function).matches();
  }

  static Map<String, Expr> of(Function f) {
    Locals l = new Locals();
    Visitor.statements(
        f.body().block(),
        s -> {
          if (s instanceof Stmt.Let let && let.variable().init().isPresent()) {
            if (let.variable().type().contains("const")) {
              l.constant.add(let.variable().name());
            }
            l.set(let.variable().name(), let.variable().init().get());
          } else if (s instanceof Stmt.Let let) {
            l.twice.add(let.variable().name());
          }
        },
        x -> {
          if (x instanceof Expr.Binary b && b.assigns() && b.left() instanceof Expr.Name n) {
            l.twice.add(n.id());
          } else if (x instanceof Expr.Binary b
              && b.op().equals(">>")
              && b.right() instanceof Expr.Name n) {
            l.twice.add(n.id()); // a stream's operator may set it
          } else if (x instanceof Expr.Call c && !takesValues(c.name())) {
            for (Expr a : c.args()) {
              if (a instanceof Expr.Name n && !l.constant.contains(n.id())) {
                l.twice.add(n.id());
              }
            }
          } else if (x instanceof Expr.Unary u
              && (u.op().equals("++") || u.op().equals("--") || u.op().equals("&"))
              && u.x() instanceof Expr.Name n) {
            l.twice.add(n.id());
          } else if (x instanceof Expr.Binary b
              && b.assigns()
              && b.left() instanceof Expr.Field m
              && m.base() instanceof Expr.Name n) {
            l.twice.add(n.id());
          }
        });
    Expr unknown = new Expr.Other("", List.of(), f.nameAt());
    f.parameters().forEach(p -> l.values.put(p.name(), unknown));
    l.twice.forEach(n -> l.values.put(n, unknown));
    return l.values;
  }

  private void set(String name, Expr value) {
    if (values.put(name, value) != null) {
      twice.add(name);
    }
  }
}
