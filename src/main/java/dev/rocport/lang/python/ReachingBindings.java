package dev.rocport.lang.python;

import dev.rocport.lang.python.syntax.Parameter;
import dev.rocport.lang.python.syntax.Stmt;
import java.util.ArrayList;
import java.util.List;

/** Finds the bindings of a name that may be in force at a place. */
final class ReachingBindings {
  private final PythonTree tree;

  ReachingBindings(PythonTree tree) {
    this.tree = tree;
  }

  /** The last binding that is passed on every path to a place, and those after that on some. */
  List<Scope.Binding> of(List<Scope.Binding> all, At use) {
    int start = use.statement().node().start();
    List<Scope.Binding> list = new ArrayList<>();
    for (Scope.Binding b : all) {
      if (isInPlace(b)) {
        continue;
      }
      if (b.at() instanceof Parameter) {
        list.add(b);
      } else if (b.at().end() <= start) {
        if (isAlways(tree.at(b.at()), use)) {
          list.clear();
        }
        list.add(b);
      } else if (isInLoop(b, use)) {
        list.add(b);
      }
    }
    return list;
  }

  /** {@code y += 1} leaves the tensor where it is. */
  private static boolean isInPlace(Scope.Binding b) {
    return b.at() instanceof Stmt.Assign a && !a.op().equals("=");
  }

  /** True if what comes before a place, in the same or an outer list of statements, always ran. */
  private static boolean isAlways(At binding, At use) {
    At owner = binding.statement().parent();
    for (At a = use.statement(); a != null; a = a.parent()) {
      if (owner != null && Compiled.isSame(a.node(), owner.node())) {
        // An if, a loop or a try has several lists: only the one that both are in counts.
        return owner.node() instanceof Stmt.Function
            || owner.node() instanceof Stmt.With
            || (owner.node() instanceof Stmt.If i
                && sameList(i.body(), i.otherwise(), binding, use));
      }
    }
    return owner == null;
  }

  private static boolean sameList(List<Stmt> one, List<Stmt> other, At a, At b) {
    return isIn(one, a) ? isIn(one, b) : isIn(other, a) && isIn(other, b);
  }

  private static boolean isIn(List<Stmt> list, At at) {
    return list.stream()
        .anyMatch(s -> s.start() <= at.node().start() && at.node().end() <= s.end());
  }

  private static boolean isInLoop(Scope.Binding b, At use) {
    for (At a = use; a != null && !(a.node() instanceof Stmt.Function); a = a.parent()) {
      if ((a.node() instanceof Stmt.For || a.node() instanceof Stmt.While)
          && a.node().start() <= b.at().start()
          && b.at().end() <= a.node().end()) {
        return true;
      }
    }
    return false;
  }
}
