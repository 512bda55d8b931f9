package dev.rocport.warp.schedule;

import dev.rocport.core.edit.Edit;
import dev.rocport.warp.code.DeviceCode;
import dev.rocport.warp.code.DeviceFunction;
import dev.rocport.warp.code.SourceText;
import dev.rocport.warp.code.Syntax;
import dev.rocport.warp.schedule.Guards.Reach;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.IASTBreakStatement;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTDoStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpressionStatement;
import org.eclipse.cdt.core.dom.ast.IASTForStatement;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTGotoStatement;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTWhileStatement;
import org.jspecify.annotations.Nullable;

/** Rewrites loops in which lanes take turns already: the compiler must keep the work inside. */
final class Turns {
  private final DeviceCode code;
  private final SourceText text;
  private final Schedule schedule;
  private final Guards guards;
  private final LockCalls locks;
  private final Sections sections;
  private final LockEdits edits;

  Turns(
      DeviceCode code,
      Schedule schedule,
      Guards guards,
      LockCalls locks,
      Sections sections,
      LockEdits edits) {
    this.code = code;
    this.text = code.text();
    this.schedule = schedule;
    this.guards = guards;
    this.locks = locks;
    this.sections = sections;
    this.edits = edits;
  }

  /** Rewrites or reports a loop, if lanes take turns in it. */
  void port(DeviceFunction f, IASTStatement loop) {
    IASTExpression condition = Syntax.condition(loop);
    if (Syntax.calls(condition, "rejoin"::equals)) {
      return;
    }
    IASTStatement body = Syntax.body(loop);
    IASTFunctionCallExpression tries = null;
    for (IASTFunctionCallExpression c : Syntax.all(body, IASTFunctionCallExpression.class)) {
      if (Syntax.loopAround(c, f.node()) == loop && !locks.tried(c).isEmpty() && isLock(c, loop)) {
        tries = c;
        break;
      }
    }
    if (tries == null) {
      leaving(f, loop, condition, body);
      return;
    }
    Reach reach = guards.reach(f, loop);
    if (reach == Reach.ONE || reach == Reach.ONE_OF_64) {
      return;
    }
    String problem = turnsProblem(f, loop, body);
    if (!problem.isEmpty()) {
      edits.fail(loop, problem);
      return;
    }
    schedule.needs(Locks.HEADER);
    hold(loop, condition, body);
  }

  /** Reports a loop that is left with the lock, which is released after it. */
  private void leaving(
      DeviceFunction f,
      IASTStatement loop,
      @Nullable IASTExpression condition,
      @Nullable IASTNode body) {
    if (!Syntax.isAlways(condition) || breaks(loop).isEmpty()) {
      return;
    }
    for (IASTFunctionCallExpression c : Syntax.all(body, IASTFunctionCallExpression.class)) {
      String lock = locks.tried(c);
      boolean behind =
          !lock.isEmpty()
              && f.all(IASTExpressionStatement.class).stream()
                  .anyMatch(s -> text.start(s) >= text.end(loop) && sections.isRelease(s, lock));
      Reach reach = guards.reach(f, loop);
      if (behind && (reach == Reach.MANY || reach == Reach.ONE_OF_32)) {
        edits.fail(loop, "a jump leaves the loop while the lock is held");
        return;
      }
    }
  }

  /** Returns whether the loop releases what a call in it tries to take, after that call. */
  private boolean isLock(IASTFunctionCallExpression call, IASTStatement loop) {
    String lock = locks.tried(call);
    for (IASTExpressionStatement s : Syntax.all(loop, IASTExpressionStatement.class)) {
      if (text.start(s) > text.end(call)
          && sections.isRelease(s, lock)
          && !Syntax.isInside(call, s)) {
        return true;
      }
    }
    return false;
  }

  private String turnsProblem(DeviceFunction f, IASTStatement loop, @Nullable IASTStatement body) {
    if (!text.isWritten(loop) || body == null) {
      return "a macro generates the loop";
    }
    if (!Syntax.all(body, IASTGotoStatement.class).isEmpty()) {
      return "a jump leaves the loop";
    }
    if (LockCalls.meets(body, code)) {
      return "lanes wait for other lanes in the loop";
    }
    if (sections.takesAnother(body)) {
      return "the lock is held while another lock is taken";
    }
    boolean returns = !Syntax.all(body, IASTReturnStatement.class).isEmpty();
    boolean deep =
        Syntax.all(body, IASTReturnStatement.class).stream()
            .anyMatch(r -> Sections.target(r) != loop);
    if (returns && (deep || !endsWith(f, loop) || !returnsNothing(text, f))) {
      return "lanes return from the function inside the loop";
    }
    boolean jumps = returns || !breaks(loop).isEmpty();
    if (jumps && loop instanceof IASTForStatement s && s.getIterationExpression() != null) {
      Set<String> counted = Syntax.assigned(s.getIterationExpression());
      Set<String> own = new HashSet<>();
      Syntax.all(s.getInitializerStatement(), IASTDeclarator.class)
          .forEach(d -> own.add(Syntax.simple(d.getName())));
      if (!own.containsAll(counted)) {
        return "the loop changes " + String.join(", ", counted) + ", which later code may use";
      }
    }
    if (jumps
        && loop instanceof IASTDoStatement
        && !(loop.getParent() instanceof IASTCompoundStatement)) {
      return "the do loop is not directly inside braces; put { } around it";
    }
    return "";
  }

  /** Returns whether nothing of the function comes after the loop. */
  private static boolean endsWith(DeviceFunction f, IASTStatement loop) {
    List<IASTStatement> all = Syntax.statements(f.body());
    return !all.isEmpty() && all.getLast() == loop;
  }

  private static List<IASTStatement> breaks(IASTStatement loop) {
    List<IASTStatement> own = new ArrayList<>(Syntax.all(loop, IASTBreakStatement.class));
    own.removeIf(b -> Sections.target(b) != loop);
    return own;
  }

  private void hold(
      IASTStatement loop, @Nullable IASTExpression condition, @Nullable IASTNode body) {
    List<IASTStatement> jumps = new ArrayList<>(breaks(loop));
    jumps.addAll(Syntax.all(body, IASTReturnStatement.class));
    if (jumps.isEmpty() && condition != null) {
      edits.edit(Edit.before(text.start(condition), "rocport::rejoin(", Locks.RULE));
      edits.alsoEdit(Edit.after(text.end(condition), ")", Locks.RULE));
      return;
    }
    String more = Syntax.isAlways(condition) ? "" : " && ";
    switch (loop) {
      case IASTWhileStatement w -> {
        IASTExpression c = w.getCondition();
        String head = "for (bool rocport_done = false; rocport::rejoin(!rocport_done";
        if (more.isEmpty()) {
          edits.edit(Edit.replace(text.start(loop), edits.close(c), head + ");", Locks.RULE));
        } else {
          edits.edit(Edit.replace(text.start(loop), text.start(c), head + " && (", Locks.RULE));
          edits.alsoEdit(Edit.after(text.end(c), "));", Locks.RULE));
        }
      }
      case IASTDoStatement d -> {
        edits.edit(
            Edit.before(
                text.start(loop),
                "bool rocport_done = false;" + text.newline() + text.indent(text.start(loop)),
                Locks.RULE));
        IASTExpression c = d.getCondition();
        if (more.isEmpty()) {
          edits.alsoEdit(
              Edit.replace(
                  text.start(c), text.end(c), "rocport::rejoin(!rocport_done)", Locks.RULE));
        } else {
          edits.alsoEdit(
              Edit.before(text.start(c), "rocport::rejoin(!rocport_done && (", Locks.RULE));
          edits.alsoEdit(Edit.after(text.end(c), "))", Locks.RULE));
        }
      }
      case IASTForStatement s -> forLoop(s, condition);
      default -> throw new IllegalStateException("a loop with a condition");
    }
    for (IASTStatement j : jumps) {
      edits.alsoEdit(
          Edit.replace(
              text.start(j), text.end(j), "{ rocport_done = true; continue; }", Locks.RULE));
    }
  }

  private void forLoop(IASTForStatement s, @Nullable IASTExpression condition) {
    // for (int i = 0; C; ++i): the flag is declared before the loop.
    edits.edit(
        Edit.before(
            text.start(s),
            "bool rocport_done = false;" + text.newline() + text.indent(text.start(s)),
            Locks.RULE));
    if (condition == null) {
      int at = text.end(s.getInitializerStatement());
      edits.alsoEdit(Edit.after(at, " rocport::rejoin(!rocport_done)", Locks.RULE));
    } else {
      edits.alsoEdit(
          Edit.before(text.start(condition), "rocport::rejoin(!rocport_done && (", Locks.RULE));
      edits.alsoEdit(Edit.after(text.end(condition), "))", Locks.RULE));
    }
  }

  /** Returns whether a function returns nothing. */
  static boolean returnsNothing(SourceText text, DeviceFunction f) {
    return text.tight(f.node().getDeclSpecifier()).endsWith("void");
  }
}
