package dev.rocport.warp.schedule;

import dev.rocport.core.result.Disposition;
import dev.rocport.warp.code.DeviceCode;
import dev.rocport.warp.code.DeviceFunction;
import dev.rocport.warp.code.Syntax;
import dev.rocport.warp.uniformity.Lanes;
import dev.rocport.warp.uniformity.Uniformity;
import dev.rocport.warp.uniformity.UniformityAnalysis;
import java.util.HashSet;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.IASTBreakStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIfStatement;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.jspecify.annotations.Nullable;

/**
 * Finds loops in which each lane reaches a warp function in a different iteration, and that count
 * the calls: on NVIDIA GPUs the lanes of all iterations synchronize, on AMD GPUs only those of one
 * iteration.
 */
final class Rounds {
  static final String RULE = "W64-LOOP";

  private final UniformityAnalysis analysis;
  private final DeviceCode code;
  private final Schedule schedule;

  Rounds(UniformityAnalysis analysis, Schedule schedule) {
    this.analysis = analysis;
    this.code = analysis.code();
    this.schedule = schedule;
  }

  void run() {
    if (!schedule.allows(RULE)) {
      return;
    }
    for (DeviceFunction f : code.functions()) {
      Set<IASTNode> told = new HashSet<>();
      for (IASTFunctionCallExpression c : f.all(IASTFunctionCallExpression.class)) {
        IASTNode loop = Meeting.isExchange(c) ? Syntax.loopAround(c, f.node()) : null;
        if (loop != null
            && !told.contains(loop)
            && Meeting.isFull(Meeting.mask(c), analysis.lanes(f))
            && meetsByRounds(analysis.lanes(f), loop, c)) {
          told.add(loop);
          fail(c, code.text().line(loop));
        }
      }
    }
  }

  private static boolean meetsByRounds(Lanes lanes, IASTNode loop, IASTNode call) {
    IASTExpression condition = Syntax.condition(loop);
    IASTNode below = call;
    for (IASTNode n = call.getParent(); n != null && n != loop; n = n.getParent()) {
      if (n instanceof IASTIfStatement i
          && below != i.getConditionExpression()
          && i.getConditionExpression() != null
          && lanes.of(i.getConditionExpression()).uniformity() == Uniformity.LANE
          && !lanes.comesFrom(i.getConditionExpression(), Rounds::isWarp)
          && counts(condition, loop, below)) {
        return true;
      }
      below = n;
    }
    return false;
  }

  private static boolean isWarp(String name) {
    return name.startsWith("__shfl") || name.endsWith("_sync");
  }

  /** The branch decides how often the loop is gone round. */
  private static boolean counts(@Nullable IASTExpression condition, IASTNode loop, IASTNode way) {
    Set<String> asked = Syntax.names(condition);
    if (Syntax.assigned(way).stream().anyMatch(asked::contains)) {
      return true;
    }
    return Syntax.isAlways(condition)
        && Syntax.all(way, IASTBreakStatement.class).stream()
            .anyMatch(b -> Syntax.loopAround(b, loop.getParent()) == loop);
  }

  private void fail(IASTFunctionCallExpression call, int line) {
    schedule.finding(
        RULE,
        Disposition.UNPORTED,
        code.text().start(call),
        code.text().end(call),
        "lanes call "
            + Syntax.callee(call)
            + ", with all lanes in its mask, in different iterations of the loop on line "
            + line
            + "; on AMD GPUs, only lanes in the same iteration exchange values");
  }
}
