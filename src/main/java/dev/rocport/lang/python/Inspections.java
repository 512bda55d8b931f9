package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Expr;
import java.util.List;
import java.util.Set;

/** Finds code that inspects the names of its module or function, where a gate would be visible. */
final class Inspections {
  private static final Set<String> LOOK_UPS = Set.of("get", "setdefault", "update", "pop");

  /** Places that list the names of a function. */
  private final List<At> listings;

  private final boolean looksAtGlobals;

  Inspections(PythonTree tree) {
    this.listings =
        tree.all().stream().filter(a -> isListing(a, "locals") || isListing(a, "vars")).toList();
    this.looksAtGlobals =
        tree.all().stream().anyMatch(a -> isListing(a, "globals") || isListing(a, "vars"))
            || tree.all().stream()
                .anyMatch(a -> a.scope().isAtImport() && (isListing(a, "locals") || isDir(a)));
  }

  /** Returns whether new names of the module would be visible. */
  boolean looksAtGlobals() {
    return looksAtGlobals;
  }

  /** Returns whether new names of a function would be visible. */
  boolean looksAtLocals(Scope scope) {
    return listings.stream().anyMatch(a -> a.scope() == scope);
  }

  /** Returns whether names of a scope are listed, not looked up one by one. */
  private static boolean isListing(At at, String function) {
    if (!(at.node() instanceof Expr.Call c)
        || !(c.function() instanceof Expr.Name n)
        || !n.id().equals(function)
        || !c.arguments().isEmpty()
        || at.parent() == null) {
      return false;
    }
    return switch (at.parent().node()) {
      case Expr.Subscript s -> s.base() != c;
      case Expr.Attribute a -> !LOOK_UPS.contains(a.name());
      case Expr.Comparison o -> false;
      default -> true;
    };
  }

  private static boolean isDir(At at) {
    return at.node() instanceof Expr.Call c
        && c.arguments().isEmpty()
        && c.function() instanceof Expr.Name n
        && n.id().equals("dir");
  }
}
