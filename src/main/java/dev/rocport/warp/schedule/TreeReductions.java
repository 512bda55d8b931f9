package dev.rocport.warp.schedule;

import dev.rocport.core.edit.Edit;
import dev.rocport.warp.code.DeviceCode;
import dev.rocport.warp.code.DeviceFunction;
import dev.rocport.warp.code.SourceText;
import dev.rocport.warp.code.Syntax;
import dev.rocport.warp.uniformity.LaneValue;
import dev.rocport.warp.uniformity.Lanes;
import dev.rocport.warp.uniformity.Uniformity;
import dev.rocport.warp.uniformity.UniformityAnalysis;
import java.util.List;
import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpressionStatement;
import org.eclipse.cdt.core.dom.ast.IASTIfStatement;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.jspecify.annotations.Nullable;

/**
 * Finds sequences of steps such as {@code s[t] += s[t + 16]} that assume that the lanes of a warp
 * run in lockstep: each step reads what the previous step stored.
 */
final class TreeReductions {
  static final String RULE = "W64-LADDER";
  private static final String HEADER = "warp_sync.h";
  private static final int FEWEST = 3;

  private final UniformityAnalysis analysis;
  private final DeviceCode code;
  private final SourceText text;
  private final Schedule schedule;

  /**
   * A step.
   *
   * @param target what it adds to, as it is written
   * @param distance of the value that it adds
   */
  private record Step(IASTStatement statement, String target, long distance) {
    boolean follows(@Nullable Step last) {
      return last != null
          && target.equals(last.target)
          && (distance == 2 * last.distance || 2 * distance == last.distance);
    }
  }

  TreeReductions(UniformityAnalysis analysis, Schedule schedule) {
    this.analysis = analysis;
    this.code = analysis.code();
    this.text = code.text();
    this.schedule = schedule;
  }

  void run() {
    if (!schedule.allows(RULE)) {
      return;
    }
    for (DeviceFunction f : code.functions()) {
      for (IASTCompoundStatement block : f.all(IASTCompoundStatement.class)) {
        block(f, List.of(block.getStatements()));
      }
    }
  }

  private void block(DeviceFunction f, List<IASTStatement> statements) {
    int i = 0;
    while (i < statements.size()) {
      Step last = step(f, statements.get(i));
      int end = i + 1;
      for (; last != null && end < statements.size(); end++) {
        Step next = step(f, statements.get(end));
        if (next == null || !next.follows(last)) {
          break;
        }
        last = next;
      }
      if (end - i >= FEWEST) {
        ladder(statements.subList(i, end));
      }
      i = end;
    }
  }

  private @Nullable Step step(DeviceFunction f, IASTStatement s) {
    if (s instanceof IASTIfStatement i && i.getElseClause() == null) {
      List<IASTStatement> inner = Syntax.statements(i.getThenClause());
      Step step = inner.size() == 1 ? step(f, inner.getFirst()) : null;
      return step == null ? null : new Step(s, step.target(), step.distance());
    }
    if (!(s instanceof IASTExpressionStatement e)
        || !(Syntax.bare(e.getExpression()) instanceof IASTBinaryExpression b)
        || !Syntax.isAssignment(b.getOperator())
        || !(Syntax.bare(b.getOperand1()) instanceof IASTArraySubscriptExpression target)) {
      return null;
    }
    String array = text.tight(target.getArrayExpression());
    List<IASTArraySubscriptExpression> same =
        Syntax.all(b.getOperand2(), IASTArraySubscriptExpression.class).stream()
            .filter(a -> text.tight(a.getArrayExpression()).equals(array))
            .toList();
    if (same.isEmpty()) {
      return null; // before the analysis, which takes longer
    }
    Lanes lanes = analysis.lanes(f);
    if (lanes.of(target).uniformity() != Uniformity.LANE) {
      return null;
    }
    for (IASTArraySubscriptExpression a : same) {
      long distance = distance(lanes, target.getArgument(), a.getArgument());
      if (distance != 0) {
        return new Step(s, array + "[" + text.tight(target.getArgument()) + "]", distance);
      }
    }
    return null;
  }

  /** The distance between two indexes; 0 if it is not constant. */
  private long distance(Lanes lanes, IASTNode from, IASTNode to) {
    LaneValue x = lanes.of(from);
    LaneValue y = lanes.of(to);
    if (x.isConstant() && y.isConstant()) {
      return y.number() - x.number();
    }
    if (!(Syntax.bare(to) instanceof IASTBinaryExpression b)
        || !text.tight(b.getOperand1()).equals(text.tight(from))) {
      return 0;
    }
    LaneValue by = lanes.of(b.getOperand2());
    return !by.isConstant()
        ? 0
        : b.getOperator() == IASTBinaryExpression.op_plus
            ? by.number()
            : b.getOperator() == IASTBinaryExpression.op_minus ? -by.number() : 0;
  }

  private void ladder(List<IASTStatement> steps) {
    for (IASTStatement s : steps) {
      int end = text.end(s);
      String last = text.of(end - 1, end);
      if (!last.equals(";") && !last.equals("}")) {
        return; // inside a macro
      }
    }
    schedule.needs(HEADER);
    for (IASTStatement s : steps.subList(0, steps.size() - 1)) {
      Edit edit = Edit.after(text.end(s), " rocport::syncwarp();", RULE);
      if (s == steps.getFirst()) {
        schedule.edit(edit);
      } else {
        schedule.alsoEdit(edit);
      }
    }
  }
}
