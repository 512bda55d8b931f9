package dev.rocport.warp.schedule;

import dev.rocport.warp.code.Syntax;
import dev.rocport.warp.uniformity.LaneValue;
import dev.rocport.warp.uniformity.Lanes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTConditionalExpression;
import org.eclipse.cdt.core.dom.ast.IASTDeclarationStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpressionStatement;
import org.eclipse.cdt.core.dom.ast.IASTForStatement;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.jspecify.annotations.Nullable;

/** A point where threads of different branches synchronize. */
sealed interface Meeting {
  /** The statement that it happens in. */
  IASTStatement statement();

  /** A barrier of the block. */
  record Barrier(IASTStatement statement) implements Meeting {}

  /** A warp function, or a function of the program's that calls some. */
  record Exchange(IASTStatement statement, IASTFunctionCallExpression call) implements Meeting {}

  /** A loop that threads go through together. */
  record Loop(IASTForStatement statement) implements Meeting {}

  /** Something that cannot be taken apart. */
  record Knot(IASTStatement statement) implements Meeting {}

  Set<String> BARRIERS = Set.of("__syncthreads", "__barrier_sync");

  /** True for a call that all threads of a block reach. */
  static boolean isBarrier(IASTFunctionCallExpression call, Lanes lanes) {
    String name = Syntax.callee(call);
    if (BARRIERS.contains(name) || name.startsWith("__syncthreads_")) {
      return true;
    }
    if (!name.equals("sync")) {
      return false;
    }
    IASTInitializerClause[] a = Syntax.arguments(call);
    IASTNode team =
        Syntax.receiver(call) != null ? Syntax.receiver(call) : a.length == 1 ? a[0] : null;
    return team != null && lanes.of(team).equals(LaneValue.of(LaneValue.Kind.TEAM, 0));
  }

  /** True for a warp function that names its lanes in a mask. */
  static boolean isExchange(IASTFunctionCallExpression call) {
    String name = Syntax.callee(call);
    return Syntax.receiver(call) == null
        && (name.equals("__syncwarp") || (name.startsWith("__") && name.endsWith("_sync")))
        && !name.equals("__barrier_sync");
  }

  /** The mask of a warp function; null if it has none, which means all lanes. */
  static @Nullable IASTNode mask(IASTFunctionCallExpression call) {
    IASTInitializerClause[] a = Syntax.arguments(call);
    return a.length == 0 ? null : a[0];
  }

  static boolean isFull(@Nullable IASTNode mask, Lanes lanes) {
    if (mask == null) {
      return true;
    }
    LaneValue v = lanes.of(mask);
    return v.isConstant() && (v.number() & 0xffffffffL) == 0xffffffffL;
  }

  /** The meetings in a list of statements, in order; {@code met} selects the calls that count. */
  static List<Meeting> in(
      List<IASTStatement> statements,
      Lanes lanes,
      java.util.function.Predicate<IASTFunctionCallExpression> met) {
    List<Meeting> all = new ArrayList<>();
    for (IASTStatement s : statements) {
      List<IASTFunctionCallExpression> calls = new ArrayList<>();
      for (IASTFunctionCallExpression c : Syntax.all(s, IASTFunctionCallExpression.class)) {
        if (met.test(c)) {
          calls.add(c);
        }
      }
      if (calls.isEmpty()) {
        continue;
      }
      if (s instanceof IASTForStatement f) {
        all.add(new Loop(f));
      } else if (calls.size() > 1) {
        all.add(new Knot(s));
      } else if (Syntax.callOf(s) == calls.getFirst()
          && isBarrier(calls.getFirst(), lanes)
          && !Syntax.callee(calls.getFirst()).startsWith("__syncthreads_")) {
        all.add(new Barrier(s));
      } else if (!isBarrier(calls.getFirst(), lanes) && isPlain(s, calls.getFirst())) {
        all.add(new Exchange(s, calls.getFirst()));
      } else {
        all.add(new Knot(s));
      }
    }
    return all;
  }

  /** True if a statement always reaches its call, once, before any other effect. */
  private static boolean isPlain(IASTStatement s, IASTFunctionCallExpression call) {
    if (!(s instanceof IASTExpressionStatement || s instanceof IASTDeclarationStatement)) {
      return false;
    }
    for (IASTNode n = call; n != s; n = n.getParent()) {
      IASTNode parent = n.getParent();
      boolean skips =
          parent instanceof IASTConditionalExpression
              || (parent instanceof IASTBinaryExpression b
                  && (b.getOperator() == IASTBinaryExpression.op_logicalAnd
                      || b.getOperator() == IASTBinaryExpression.op_logicalOr)
                  && n == b.getOperand2());
      if (skips) {
        return false;
      }
    }
    return Syntax.assigned(call).isEmpty();
  }
}
