package dev.rocport.warp.schedule;

import dev.rocport.warp.code.DeviceCode;
import dev.rocport.warp.code.Syntax;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.jspecify.annotations.Nullable;

/**
 * Finds calls and stores that take and release locks, and identifies the lock by its text in the
 * program.
 */
final class LockCalls {
  private static final Set<String> MEMBERS =
      Set.of(
          "exchange",
          "test_and_set",
          "compare_exchange_strong",
          "compare_exchange_weak",
          "fetch_or");

  private static final Set<String> RELEASES = Set.of("store", "clear");

  /** What a function of the file does with a lock that is passed to it. */
  enum Role {
    /** Returns when it has the lock. */
    TAKES,
    /** Tells whether it got the lock. */
    TRIES,
    RELEASES
  }

  /**
   * @param parameter which parameter points to the lock; -1 if the object is or holds it
   */
  record Helper(Role role, int parameter) {}

  private final DeviceCode code;
  private final Map<String, Helper> helpers = new HashMap<>();

  LockCalls(DeviceCode code) {
    this.code = code;
  }

  void add(String function, Helper helper) {
    helpers.put(function, helper);
  }

  @Nullable Helper helper(IASTFunctionCallExpression call) {
    return helpers.get(Syntax.callee(call));
  }

  static boolean mayTake(String name) {
    return name.startsWith("atomicCAS")
        || name.startsWith("atomicExch")
        || name.startsWith("atomicOr")
        || MEMBERS.contains(name);
  }

  /** The lock that a call tries to take once; empty for other calls. */
  String tried(IASTFunctionCallExpression call) {
    String name = stem(Syntax.callee(call));
    IASTInitializerClause[] a = Syntax.arguments(call);
    IASTExpression object = Syntax.receiver(call);
    if (object == null) {
      boolean known =
          (name.equals("atomicCAS") && a.length == 3)
              || (name.equals("atomicExch") && a.length == 2)
              || (name.equals("atomicOr") && a.length == 2);
      if (known && isFixed(a[1])) {
        return target(a[0]);
      }
    } else if (MEMBERS.contains(name)) {
      return code.text().tight(object);
    }
    return helped(call, Role.TRIES);
  }

  /**
   * The lock that the call of a statement takes in a function of the file; empty for other
   * statements.
   */
  String taken(IASTFunctionCallExpression call) {
    return helped(call, Role.TAKES);
  }

  private String helped(IASTFunctionCallExpression call, Role role) {
    Helper h = helper(call);
    if (h == null || h.role() != role) {
      return "";
    }
    if (h.parameter() < 0) {
      IASTExpression object = Syntax.receiver(call);
      return object == null ? "this" : code.text().tight(object);
    }
    IASTInitializerClause[] a = Syntax.arguments(call);
    return h.parameter() < a.length ? target(a[h.parameter()]) : "";
  }

  /** The lock that a node releases, of those in {@code locks}; empty for other nodes. */
  String released(IASTNode node, Set<String> locks) {
    String lock =
        switch (Syntax.bare(node)) {
          case IASTFunctionCallExpression call -> releasedBy(call);
          case IASTBinaryExpression b when b.getOperator() == IASTBinaryExpression.op_assign ->
              place(b.getOperand1());
          case null, default -> "";
        };
    return locks.contains(lock) ? lock : "";
  }

  private String releasedBy(IASTFunctionCallExpression call) {
    String name = stem(Syntax.callee(call));
    IASTInitializerClause[] a = Syntax.arguments(call);
    IASTExpression object = Syntax.receiver(call);
    if (object == null) {
      boolean known =
          (name.equals("atomicExch") && a.length == 2)
              || (name.equals("atomicCAS") && a.length == 3)
              || (name.equals("atomicAnd") && a.length == 2)
              || (name.equals("atomicSub") && a.length == 2)
              || (name.equals("atomicXor") && a.length == 2);
      if (known) {
        return target(a[0]);
      }
    } else if (RELEASES.contains(name)) {
      return code.text().tight(object);
    }
    return helped(call, Role.RELEASES);
  }

  private static String stem(String name) {
    return name.endsWith("_block")
        ? name.substring(0, name.length() - "_block".length())
        : name.endsWith("_system") ? name.substring(0, name.length() - "_system".length()) : name;
  }

  /** A value for "free" or "taken": the same for all lanes. */
  private static boolean isFixed(IASTNode value) {
    return Syntax.all(value, IASTFunctionCallExpression.class).isEmpty()
        && Syntax.all(value, IASTArraySubscriptExpression.class).isEmpty();
  }

  /** What a pointer points to: {@code &a[i]} and {@code a + i} to {@code a[i]}. */
  String target(IASTNode pointer) {
    return switch (Syntax.bare(pointer)) {
      case IASTUnaryExpression u when u.getOperator() == IASTUnaryExpression.op_amper ->
          place(u.getOperand());
      case IASTBinaryExpression b when b.getOperator() == IASTBinaryExpression.op_plus ->
          code.text().tight(b.getOperand1()) + "[" + code.text().tight(b.getOperand2()) + "]";
      case null -> "";
      case IASTNode n -> "*" + code.text().tight(n);
    };
  }

  private String place(IASTNode lvalue) {
    return switch (Syntax.bare(lvalue)) {
      case IASTUnaryExpression u when u.getOperator() == IASTUnaryExpression.op_star ->
          target(u.getOperand());
      case IASTArraySubscriptExpression a -> {
        String array = code.text().tight(a.getArrayExpression());
        String index = code.text().tight(a.getArgument());
        yield index.equals("0") ? "*" + array : array + "[" + index + "]";
      }
      case null -> "";
      case IASTNode n -> code.text().tight(n);
    };
  }

  /** Names that a lock is written with. */
  static Set<String> names(IASTFunctionCallExpression call) {
    IASTInitializerClause[] a = Syntax.arguments(call);
    IASTExpression object = Syntax.receiver(call);
    return Syntax.names(object != null ? object : a.length > 0 ? a[0] : null);
  }

  /** Functions in which lanes of one warp synchronize, or that all threads of a block reach. */
  static boolean meets(String name) {
    return name.startsWith("__syncthreads")
        || name.startsWith("__shfl")
        || name.startsWith("__barrier")
        || name.equals("__syncwarp")
        || name.equals("__activemask")
        || name.equals("__ballot")
        || name.equals("__any")
        || name.equals("__all")
        || name.equals("mma_sync")
        || name.endsWith("_matrix_sync")
        || name.equals("arrive_and_wait")
        || name.equals("coalesced_threads")
        || (name.startsWith("__") && name.endsWith("_sync"))
        || (name.endsWith("_sync") && name.startsWith("rocport"))
        || name.equals("sync");
  }

  static boolean meets(IASTNode root, DeviceCode code) {
    return Syntax.calls(
        root,
        name -> meets(name) || code.named(name).stream().anyMatch(f -> f.calls(LockCalls::meets)));
  }
}
