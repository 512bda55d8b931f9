package dev.rocport.warp.schedule;

import dev.rocport.core.edit.Edit;
import dev.rocport.warp.code.DeviceCode;
import dev.rocport.warp.code.DeviceFunction;
import dev.rocport.warp.code.SourceText;
import dev.rocport.warp.code.Syntax;
import dev.rocport.warp.schedule.Guards.Reach;
import dev.rocport.warp.uniformity.UniformityAnalysis;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTForStatement;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTStatement;

/**
 * Rewrites locks that several lanes of a wave take. The lane that holds the lock is masked off
 * until the other lanes leave the loop that waits for it, which they never do. The guarded code
 * therefore moves into that loop: a lane that takes the lock does its work and releases the lock
 * there, and the loop repeats until each lane has had its turn. {@code rocport::rejoin} in the
 * loop's condition keeps the compiler from moving the work out again.
 */
final class Locks {
  static final String RULE = "W64-LOCK";
  static final String HEADER = "schedule.h";

  private final DeviceCode code;
  private final SourceText text;
  private final Schedule schedule;
  private final Guards guards;
  private final LockCalls locks;

  /** Loops that take a lock, whatever became of them. */
  private final Set<IASTNode> loops = new HashSet<>();

  /** Stretches of code that stay as they are, since a lock around them is not solved. */
  private final List<int[]> kept = new ArrayList<>();

  private final Sections sections;
  private final LockEdits edits;
  private final LockFunctions functions;
  private final LockTakers takers;
  private final Turns turns;

  Locks(UniformityAnalysis analysis, Schedule schedule) {
    this.code = analysis.code();
    this.text = code.text();
    this.schedule = schedule;
    this.guards = new Guards(analysis);
    this.locks = new LockCalls(code);
    this.sections = new Sections(code, locks);
    this.edits = new LockEdits(text, schedule, locks);
    this.functions = new LockFunctions(locks, sections);
    this.takers =
        new LockTakers(code, schedule, guards, locks, sections, edits, functions.takers());
    this.turns = new Turns(code, schedule, guards, locks, sections, edits);
  }

  /** Changes or reports the locks, and returns the loops that take them. */
  Set<IASTNode> run() {
    if (!code.calls(LockCalls::mayTake)) {
      return loops;
    }
    code.functions().forEach(functions::classify);
    for (DeviceFunction f : code.functions()) {
      for (IASTStatement s : f.all(IASTStatement.class)) {
        if (Spin.of(s, locks::tried) != null) {
          loops.add(s);
        }
      }
    }
    if (!schedule.allows(RULE)) {
      return loops;
    }
    for (DeviceFunction f : code.functions()) {
      for (IASTStatement s : f.all(IASTStatement.class)) {
        statement(f, s);
      }
    }
    takers.addTries();
    return loops;
  }

  private void statement(DeviceFunction f, IASTStatement s) {
    if (kept.stream().anyMatch(k -> k[0] <= text.start(s) && text.end(s) <= k[1])) {
      return;
    }
    Spin spin = Spin.of(s, locks::tried);
    if (spin != null) {
      Spin own = functions.takers().get(f);
      if (own == null || own.loop() != s) {
        spin(f, spin);
      }
      return;
    }
    IASTFunctionCallExpression call = Syntax.callOf(s);
    if (call != null && !locks.taken(call).isEmpty()) {
      takers.taking(f, s, call, kept);
    } else if (Syntax.isLoop(s)) {
      turns.port(f, s);
    }
  }

  /** Rewrites a loop that waits, and after it the work and the release. */
  private void spin(DeviceFunction f, Spin spin) {
    IASTStatement loop = spin.loop();
    Reach reach = guards.reach(f, loop);
    if (reach == Reach.ONE || reach == Reach.ONE_OF_64) {
      return;
    }
    Sections.Section section = sections.of(loop, spin.lock(), LockCalls.names(spin.call()));
    if (!section.problem().isEmpty()) {
      kept.add(new int[] {text.start(loop), text.end(section.release())});
      edits.fail(loop, section.problem());
      return;
    }
    if (!text.isWritten(loop) || !text.isWritten(spin.condition())) {
      edits.fail(loop, "a macro generates the loop");
      return;
    }
    schedule.needs(HEADER);
    String indent = text.indent(text.start(loop));
    String line = text.newline();
    IASTExpression condition = spin.condition();
    IASTStatement body = spin.body();
    if (spin.isDo() && body != null && !LockEdits.isEmpty(body)) {
      // do BODY while (C);  ->  for (...) { BODY if (!(C)) { ...
      int from = text.start(loop);
      edits.edit(Edit.replace(from, text.start(body), LockEdits.LOOP + line + indent + "  ", RULE));
      int behind = text.end(body);
      edits.alsoEdit(Edit.replace(behind, edits.open(condition), line + indent + "  if ", RULE));
      edits.negate(condition);
      edits.alsoEdit(Edit.replace(edits.close(condition), text.end(loop), ") {", RULE));
    } else if (body == null || LockEdits.isEmpty(body)) {
      String head = LockEdits.LOOP + line + indent + "  if (";
      edits.edit(Edit.replace(text.start(loop), text.start(condition), head, RULE));
      edits.negate(condition);
      edits.alsoEdit(Edit.replace(text.end(condition), text.end(loop), ") {", RULE));
    } else {
      String head = LockEdits.LOOP + line + indent + "  if (";
      edits.edit(Edit.replace(text.start(loop), text.start(condition), head, RULE));
      if (loop instanceof IASTForStatement) {
        int from = text.end(condition);
        int to = text.start(body);
        edits.alsoEdit(Edit.replace(from, to, ") ", RULE));
      }
      if (body instanceof IASTCompoundStatement) {
        edits.alsoEdit(Edit.after(text.end(body), " else {", RULE));
      } else {
        edits.alsoEdit(Edit.before(text.start(body), "{ ", RULE));
        edits.alsoEdit(Edit.after(text.end(body), " } else {", RULE));
      }
    }
    edits.finish(section.release(), indent);
  }
}
