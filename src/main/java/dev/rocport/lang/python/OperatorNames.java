package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Argument;
import dev.rocport.lang.python.syntax.Expr;
import org.jspecify.annotations.Nullable;

/** Finds the full names of operators. */
final class OperatorNames {
  private final PythonModules modules;

  OperatorNames(PythonModules modules) {
    this.modules = modules;
  }

  /**
   * The full name of an operator without its overload, whatever way it is reached; empty if that is
   * not seen.
   */
  String of(Expr function, At at) {
    Expr x = modules.tree(at).resolved(function, at.scope());
    if (x instanceof Expr.Call c && modules.qualified(c.function(), at).equals("getattr")) {
      Argument owner = PythonWork.positional(c, 0);
      Argument name = PythonWork.positional(c, 1);
      String base = owner == null ? "" : of(owner.value(), at);
      String last =
          name == null ? "" : modules.tree(at).string(name.value(), at.scope()).orElse("");
      return base.isEmpty() || last.isEmpty() ? "" : base + "." + last;
    }
    if (x instanceof Expr.Attribute a) {
      String base = operatorBase(a, at);
      if (base != null) {
        return base;
      }
    }
    String name = modules.qualified(function, at);
    return name.startsWith(Producers.OPS) ? withoutOverload(name) : name;
  }

  /** {@code getattr(...).default}. */
  private @Nullable String operatorBase(Expr.Attribute a, At at) {
    if (a.base() instanceof Expr.Call c && modules.qualified(c.function(), at).equals("getattr")) {
      String base = of(c, at);
      return base.isEmpty() ? null : withoutOverload(base + "." + a.name());
    }
    return null;
  }

  /** {@code torch.ops.space.name.overload} without the last. */
  private static String withoutOverload(String name) {
    String[] parts = name.split("\\.", -1);
    return parts.length > 4 ? String.join(".", parts[0], parts[1], parts[2], parts[3]) : name;
  }
}
