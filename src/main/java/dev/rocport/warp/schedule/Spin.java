package dev.rocport.warp.schedule;

import dev.rocport.warp.code.Syntax;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.eclipse.cdt.core.dom.ast.IASTBreakStatement;
import org.eclipse.cdt.core.dom.ast.IASTContinueStatement;
import org.eclipse.cdt.core.dom.ast.IASTDoStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTForStatement;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTGotoStatement;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTNullStatement;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTWhileStatement;
import org.jspecify.annotations.Nullable;

/**
 * A loop that only tries to take a lock.
 *
 * @param lock which one, as the program writes it
 * @param call the call that tries to take it
 */
record Spin(IASTStatement loop, String lock, IASTFunctionCallExpression call) {

  IASTExpression condition() {
    IASTExpression c = Syntax.condition(loop);
    if (c == null) {
      throw new IllegalStateException("a spin loop has a condition");
    }
    return c;
  }

  @Nullable IASTStatement body() {
    return Syntax.body(loop);
  }

  boolean isDo() {
    return loop instanceof IASTDoStatement;
  }

  /** Parses a loop; null for other loops. */
  static @Nullable Spin of(IASTNode node, Function<IASTFunctionCallExpression, String> tried) {
    boolean waits =
        node instanceof IASTWhileStatement
            || node instanceof IASTDoStatement
            || (node instanceof IASTForStatement f
                && f.getIterationExpression() == null
                && f.getInitializerStatement() instanceof IASTNullStatement);
    if (!waits || !(node instanceof IASTStatement loop)) {
      return null;
    }
    IASTExpression condition = Syntax.condition(loop);
    IASTStatement body = Syntax.body(loop);
    if (condition == null || Syntax.isAlways(condition) || leaves(body)) {
      return null;
    }
    IASTFunctionCallExpression call = first(condition, tried);
    Set<String> changed = new HashSet<>(Syntax.assigned(body));
    if (call == null) {
      call = first(body, tried);
      if (call != null && !tests(condition, body, call)) {
        return null;
      }
    }
    if (call == null || works(body) || updates(call)) {
      return null;
    }
    changed.retainAll(LockCalls.names(call));
    return changed.isEmpty() ? new Spin(loop, tried.apply(call), call) : null;
  }

  /** {@code x.compare_exchange_weak(old, old + 1)}: the new value is computed from the old. */
  private static boolean updates(IASTFunctionCallExpression call) {
    if (!Syntax.callee(call).startsWith("compare_exchange") || Syntax.arguments(call).length < 2) {
      return false;
    }
    Set<String> old = Syntax.names(Syntax.arguments(call)[0]);
    old.retainAll(Syntax.names(Syntax.arguments(call)[1]));
    return !old.isEmpty();
  }

  /** The loop condition tests the variable that holds the result of the call. */
  private static boolean tests(
      IASTNode condition, @Nullable IASTNode body, IASTFunctionCallExpression call) {
    Set<String> asked = Syntax.names(condition);
    for (IASTNode n = call; n != null && n != body; n = n.getParent()) {
      Set<String> assigned = Syntax.assigned(n);
      assigned.retainAll(asked);
      if (!assigned.isEmpty()) {
        // Where the old value is carried on into the next try, it is an update, no lock.
        Set<String> handed =
            Syntax.names(Syntax.arguments(call).length > 1 ? Syntax.arguments(call)[1] : null);
        handed.retainAll(Syntax.assigned(body));
        return handed.isEmpty();
      }
    }
    return false;
  }

  private static @Nullable IASTFunctionCallExpression first(
      @Nullable IASTNode root, Function<IASTFunctionCallExpression, String> tried) {
    for (IASTFunctionCallExpression c : Syntax.all(root, IASTFunctionCallExpression.class)) {
      if (!tried.apply(c).isEmpty()) {
        return c;
      }
    }
    return null;
  }

  private static boolean leaves(@Nullable IASTNode body) {
    return !Syntax.all(body, IASTBreakStatement.class).isEmpty()
        || !Syntax.all(body, IASTContinueStatement.class).isEmpty()
        || !Syntax.all(body, IASTReturnStatement.class).isEmpty()
        || !Syntax.all(body, IASTGotoStatement.class).isEmpty();
  }

  /** True if the loop does more than wait: it stores to memory, or calls what may do so. */
  private static boolean works(@Nullable IASTStatement body) {
    int atomics = 0;
    for (IASTFunctionCallExpression c : Syntax.all(body, IASTFunctionCallExpression.class)) {
      String name = Syntax.callee(c);
      boolean waits =
          name.endsWith("nanosleep")
              || name.startsWith("__threadfence")
              || name.startsWith("clock")
              || name.equals("min");
      boolean tries =
          name.startsWith("atomic") || name.equals("exchange") || name.equals("test_and_set");
      atomics += tries ? 1 : 0;
      if (atomics > 1 || (!waits && !tries)) {
        return true;
      }
    }
    return Syntax.stores(body);
  }
}
