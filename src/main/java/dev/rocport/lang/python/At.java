package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import dev.rocport.lang.python.syntax.Stmt;
import org.jspecify.annotations.Nullable;

/**
 * A node with its context.
 *
 * @param parent the node around it; null for the statements of the module
 * @param scope the scope of its names
 */
record At(Node node, @Nullable At parent, Scope scope) {
  /** The statement it is in, or is. */
  At statement() {
    At at = this;
    while (!(at.node instanceof Stmt) && at.parent != null) {
      at = at.parent;
    }
    return at;
  }

  /** The statement of the module's own body that it is in. */
  Node top() {
    At at = this;
    while (at.parent != null) {
      at = at.parent;
    }
    return at.node;
  }

  /** True inside an f-string, where nothing can be put. */
  boolean isInText() {
    for (At at = parent; at != null; at = at.parent) {
      if (at.node instanceof Expr.Text) {
        return true;
      }
      if (at.node instanceof Stmt) {
        return false;
      }
    }
    return false;
  }
}
