package dev.rocport.warp.schedule;

import dev.rocport.warp.code.Syntax;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTIfStatement;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.jspecify.annotations.Nullable;

/**
 * The branches of an {@code if} with all of its {@code else if}.
 *
 * @param conditions in order
 * @param ways one for each condition, and one for no condition: null if there is no such branch
 */
record Roles(IASTIfStatement statement, List<IASTExpression> conditions, List<Way> ways) {
  /**
   * @param node the branch itself; null if there is none
   */
  record Way(@Nullable IASTStatement node, List<IASTStatement> statements) {
    static Way of(@Nullable IASTStatement node) {
      return new Way(node, Syntax.statements(node));
    }

    boolean isBlock() {
      return node instanceof IASTCompoundStatement;
    }
  }

  /** Null where a condition declares something, or the statement belongs to another chain. */
  static @Nullable Roles of(IASTIfStatement first) {
    if (first.getParent() instanceof IASTIfStatement above && above.getElseClause() == first) {
      return null;
    }
    List<IASTExpression> conditions = new ArrayList<>();
    List<Way> ways = new ArrayList<>();
    IASTStatement next = first;
    while (next instanceof IASTIfStatement i) {
      if (i.getConditionExpression() == null) {
        return null;
      }
      conditions.add(i.getConditionExpression());
      ways.add(Way.of(i.getThenClause()));
      next = i.getElseClause();
    }
    ways.add(Way.of(next));
    return new Roles(first, List.copyOf(conditions), List.copyOf(ways));
  }
}
