package dev.rocport.warp.schedule;

import dev.rocport.warp.code.DeviceCode;
import dev.rocport.warp.code.DeviceFunction;
import dev.rocport.warp.code.DeviceFunction.Call;
import dev.rocport.warp.code.Syntax;
import dev.rocport.warp.uniformity.LaneValue;
import dev.rocport.warp.uniformity.Lanes;
import dev.rocport.warp.uniformity.Uniformity;
import dev.rocport.warp.uniformity.UniformityAnalysis;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTContinueStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTIfStatement;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.jspecify.annotations.Nullable;

/** Determines which threads reach a statement, from the conditions around and before it. */
final class Guards {
  /** How many lanes of one wave of 64 can. */
  enum Reach {
    /** One thread of the block. */
    ONE,
    /** One lane of a wave. */
    ONE_OF_64,
    /** One lane of each warp of 32, two of a wave. */
    ONE_OF_32,
    MANY
  }

  private static final int DEPTH = 4;

  private final UniformityAnalysis analysis;
  private final DeviceCode code;

  Guards(UniformityAnalysis analysis) {
    this.analysis = analysis;
    this.code = analysis.code();
  }

  Reach reach(DeviceFunction f, IASTNode node) {
    return reach(f, node, DEPTH);
  }

  private Reach reach(DeviceFunction f, IASTNode node, int depth) {
    Facts facts = new Facts(analysis.lanes(f));
    for (IASTExpression c : conditions(node, f.node(), facts)) {
      facts.holds(c);
    }
    Reach own = facts.reach();
    if (own == Reach.ONE_OF_32 && analysis.isOneWarp(f)) {
      return Reach.ONE_OF_64;
    }
    if (own != Reach.MANY || f.kernel() || depth == 0) {
      return own;
    }
    List<Call> calls = code.callsOf(f.name());
    Reach worst = calls.isEmpty() ? Reach.MANY : Reach.ONE;
    for (Call c : calls) {
      Reach there = reach(c.from(), c.node(), depth - 1);
      worst = there.compareTo(worst) > 0 ? there : worst;
    }
    return worst;
  }

  /** The conditions that hold at a node; those that do not hold go to {@code facts} immediately. */
  private static List<IASTExpression> conditions(IASTNode node, IASTNode limit, Facts facts) {
    List<IASTExpression> all = new ArrayList<>();
    IASTNode below = node;
    for (IASTNode n = node.getParent(); n != null && n != limit; n = n.getParent()) {
      if (n instanceof IASTIfStatement i && i.getConditionExpression() != null) {
        if (below == i.getThenClause()) {
          all.add(i.getConditionExpression());
        } else if (below == i.getElseClause()) {
          facts.fails(i.getConditionExpression());
        }
      } else if (n instanceof IASTBinaryExpression b
          && b.getOperator() == IASTBinaryExpression.op_logicalAnd
          && below == b.getOperand2()) {
        all.add(b.getOperand1());
      } else if (n instanceof IASTCompoundStatement c) {
        for (IASTStatement s : c.getStatements()) {
          if (s == below) {
            break;
          }
          if (s instanceof IASTIfStatement i
              && i.getElseClause() == null
              && i.getConditionExpression() != null
              && leaves(i.getThenClause())) {
            facts.fails(i.getConditionExpression());
          }
        }
      }
      below = n;
    }
    return all;
  }

  private static boolean leaves(@Nullable IASTStatement s) {
    List<IASTStatement> all = Syntax.statements(s);
    return !all.isEmpty()
        && (all.getLast() instanceof IASTReturnStatement
            || all.getLast() instanceof IASTContinueStatement);
  }

  /** What is known about the indexes of the threads that reach a place. */
  private static final class Facts {
    private final Lanes lanes;
    private boolean thread;
    private boolean column;
    private boolean row;
    private boolean group;
    private long lane;

    Facts(Lanes lanes) {
      this.lanes = lanes;
    }

    void holds(@Nullable IASTExpression condition) {
      switch (Syntax.bare(condition)) {
        case IASTBinaryExpression b when b.getOperator() == IASTBinaryExpression.op_logicalAnd -> {
          holds(b.getOperand1());
          holds(b.getOperand2());
        }
        case IASTBinaryExpression b when b.getOperator() == IASTBinaryExpression.op_equals ->
            equal(lanes.of(b.getOperand1()), lanes.of(b.getOperand2()));
        case IASTBinaryExpression b
            when b.getOperator() == IASTBinaryExpression.op_lessThan
                && lanes.of(b.getOperand2()).equals(LaneValue.constant(1)) ->
            equal(lanes.of(b.getOperand1()), LaneValue.constant(0));
        case IASTUnaryExpression u when u.getOperator() == IASTUnaryExpression.op_not -> {
          equal(lanes.of(u.getOperand()), LaneValue.constant(0));
          fails(u.getOperand());
        }
        case IASTIdExpression id -> {
          IASTExpression meaning = lanes.onlyValue(id);
          if (meaning != null) {
            holds(meaning);
          }
        }
        case null, default -> {}
      }
    }

    void fails(@Nullable IASTExpression condition) {
      switch (Syntax.bare(condition)) {
        case IASTBinaryExpression b when b.getOperator() == IASTBinaryExpression.op_logicalOr -> {
          fails(b.getOperand1());
          fails(b.getOperand2());
        }
        case IASTBinaryExpression b when b.getOperator() == IASTBinaryExpression.op_notequals ->
            equal(lanes.of(b.getOperand1()), lanes.of(b.getOperand2()));
        case IASTBinaryExpression b
            when b.getOperator() == IASTBinaryExpression.op_greaterThan
                && lanes.of(b.getOperand2()).equals(LaneValue.constant(0)) ->
            equal(lanes.of(b.getOperand1()), LaneValue.constant(0));
        case IASTUnaryExpression u when u.getOperator() == IASTUnaryExpression.op_not ->
            holds(u.getOperand());
        case IASTIdExpression id -> equal(lanes.of(id), LaneValue.constant(0));
        case IASTNode n -> equal(lanes.of(n), LaneValue.constant(0));
        case null -> {}
      }
    }

    private void equal(LaneValue x, LaneValue y) {
      boolean first = x.uniformity().compareTo(y.uniformity()) >= 0;
      LaneValue counted = first ? x : y;
      LaneValue other = first ? y : x;
      if (other.uniformity() == Uniformity.LANE) {
        return;
      }
      switch (counted.kind()) {
        case THREAD, GLOBAL -> {
          if (other.uniformity() == Uniformity.BLOCK) {
            thread = true;
          } else {
            lane = Math.max(lane, 32);
          }
        }
        case COLUMN -> column |= other.uniformity() == Uniformity.BLOCK;
        case LANE -> lane = Math.max(lane, counted.number());
        case GROUP -> group |= counted.number() <= 32 && other.uniformity() == Uniformity.BLOCK;
        default -> row |= counted.uniformity() == Uniformity.WARP && other.isConstant();
      }
    }

    Reach reach() {
      if (thread || (column && row) || (lane >= 32 && group)) {
        return Reach.ONE;
      }
      return lane > 0 && lane % 64 == 0
          ? Reach.ONE_OF_64
          : lane == 32 ? Reach.ONE_OF_32 : Reach.MANY;
    }
  }
}
