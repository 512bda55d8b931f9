package dev.rocport.warp.schedule;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.warp.code.SourceText;
import dev.rocport.warp.code.Syntax;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;

/** Writes edits and findings of locks. */
final class LockEdits {
  /** Begins the loop in which lanes take turns. */
  static final String LOOP = "for (bool rocport_done = false; rocport::rejoin(!rocport_done);) {";

  private final SourceText text;
  private final Schedule schedule;
  private final LockCalls locks;

  LockEdits(SourceText text, Schedule schedule, LockCalls locks) {
    this.text = text;
    this.schedule = schedule;
    this.locks = locks;
  }

  /** Adds the first edit of a change. */
  void edit(Edit e) {
    schedule.edit(e);
  }

  /** Adds another edit of the same change. */
  void alsoEdit(Edit e) {
    schedule.alsoEdit(e);
  }

  /** Reports a lock that is not solved. */
  void fail(IASTStatement at, String reason) {
    schedule.finding(
        Locks.RULE,
        Disposition.UNPORTED,
        text.start(at),
        Math.max(text.start(at) + 1, Math.min(text.end(at), text.start(at) + 200)),
        "several lanes of one wave take this lock, and the wave deadlocks: the lane that holds the"
            + " lock is masked off until the other lanes leave the loop in which they wait for the"
            + " lock; the loop is not rewritten, because "
            + reason);
  }

  /** Ends the loop in which lanes take turns, after the release. */
  void finish(IASTStatement release, String indent) {
    String line = text.newline();
    alsoEdit(
        Edit.after(
            text.end(release),
            line
                + indent
                + "    rocport_done = true;"
                + line
                + indent
                + "  }"
                + line
                + indent
                + "}",
            Locks.RULE));
  }

  /** Writes the opposite of a condition. */
  void negate(IASTExpression condition) {
    if (condition instanceof IASTBinaryExpression b
        && (b.getOperator() == IASTBinaryExpression.op_equals
            || b.getOperator() == IASTBinaryExpression.op_notequals)
        && text.isWhole(b.getOperand1())
        && text.isWhole(b.getOperand2())) {
      boolean equal = b.getOperator() == IASTBinaryExpression.op_equals;
      int from = text.end(b.getOperand1());
      int at = text.find(equal ? "==" : "!=", from, text.start(b.getOperand2()));
      if (at < text.start(b.getOperand2())) {
        alsoEdit(Edit.replace(at, at + 2, equal ? "!=" : "==", Locks.RULE));
        return;
      }
    }
    if (condition instanceof IASTFunctionCallExpression call) {
      if (locks.helper(call) == null && Syntax.callee(call).startsWith("atomic")) {
        alsoEdit(Edit.after(text.end(condition), " == 0", Locks.RULE));
      } else {
        alsoEdit(Edit.before(text.start(condition), "!", Locks.RULE));
      }
      return;
    }
    if (condition instanceof IASTUnaryExpression u
        && u.getOperator() == IASTUnaryExpression.op_not
        && (Syntax.bare(u.getOperand()) instanceof IASTFunctionCallExpression
            || Syntax.bare(u.getOperand()) instanceof IASTIdExpression)) {
      alsoEdit(Edit.delete(text.start(u), text.start(u.getOperand()), Locks.RULE));
      return;
    }
    alsoEdit(Edit.before(text.start(condition), "!(", Locks.RULE));
    alsoEdit(Edit.after(text.end(condition), ")", Locks.RULE));
  }

  /** Returns the place of the bracket before a loop's condition. */
  int open(IASTExpression condition) {
    int i = text.start(condition) - 1;
    while (!text.of(i, i + 1).equals("(")) {
      i--;
    }
    return i;
  }

  /** Returns the place of the bracket after a condition. */
  int close(IASTExpression condition) {
    int i = text.end(condition);
    while (!text.of(i, i + 1).equals(")")) {
      i++;
    }
    return i;
  }

  /** Returns whether a loop has no work. */
  static boolean isEmpty(IASTStatement body) {
    return body instanceof org.eclipse.cdt.core.dom.ast.IASTNullStatement
        || (body instanceof IASTCompoundStatement c && c.getStatements().length == 0);
  }
}
