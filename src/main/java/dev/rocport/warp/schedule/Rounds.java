package dev.rocport.warp.schedule;

import dev.rocport.core.result.Disposition;
import dev.rocport.warp.schedule.Value.Spread;
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

  private final File file;
  private final Schedule schedule;

  Rounds(File file, Schedule schedule) {
    this.file = file;
    this.schedule = schedule;
  }

  void run() {
    if (!schedule.allows(RULE)) {
      return;
    }
    for (Function f : file.functions) {
      Set<IASTNode> told = new HashSet<>();
      for (IASTFunctionCallExpression c : f.all(IASTFunctionCallExpression.class)) {
        IASTNode loop = Meeting.isExchange(c) ? Ast.loopAround(c, f.node()) : null;
        if (loop != null
            && !told.contains(loop)
            && Meeting.isFull(Meeting.mask(c), file.lanes(f))
            && meetsByRounds(file.lanes(f), loop, c)) {
          told.add(loop);
          fail(c, file.text.line(loop));
        }
      }
    }
  }

  private static boolean meetsByRounds(Lanes lanes, IASTNode loop, IASTNode call) {
    IASTExpression condition = Ast.condition(loop);
    IASTNode below = call;
    for (IASTNode n = call.getParent(); n != null && n != loop; n = n.getParent()) {
      if (n instanceof IASTIfStatement i
          && below != i.getConditionExpression()
          && i.getConditionExpression() != null
          && lanes.of(i.getConditionExpression()).spread() == Spread.LANE
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
    Set<String> asked = Ast.names(condition);
    if (Ast.assigned(way).stream().anyMatch(asked::contains)) {
      return true;
    }
    return Ast.isAlways(condition)
        && Ast.all(way, IASTBreakStatement.class).stream()
            .anyMatch(b -> Ast.loopAround(b, loop.getParent()) == loop);
  }

  private void fail(IASTFunctionCallExpression call, int line) {
    schedule.finding(
        RULE,
        Disposition.UNPORTED,
        file.text.start(call),
        file.text.end(call),
        "lanes reach "
            + Ast.callee(call)
            + " in different iterations of the loop on line "
            + line
            + ", with all lanes in its mask: on AMD, only lanes of the same iteration exchange"
            + " values");
  }
}
