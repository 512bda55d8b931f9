package dev.rocport.warp.schedule;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.Piece;
import dev.rocport.warp.code.DeviceCode;
import dev.rocport.warp.code.DeviceFunction;
import dev.rocport.warp.code.DeviceFunction.Call;
import dev.rocport.warp.code.SourceText;
import dev.rocport.warp.code.Syntax;
import dev.rocport.warp.schedule.Guards.Reach;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTStatement;

/** Rewrites locks that a function of the program takes: a function that tries once is added. */
final class LockTakers {
  private final DeviceCode code;
  private final SourceText text;
  private final Schedule schedule;
  private final Guards guards;
  private final LockCalls locks;
  private final Sections sections;
  private final LockEdits edits;
  private final Map<DeviceFunction, Spin> takers;

  /** Functions for which callers need one that tries. */
  private final Set<String> tries = new HashSet<>();

  LockTakers(
      DeviceCode code,
      Schedule schedule,
      Guards guards,
      LockCalls locks,
      Sections sections,
      LockEdits edits,
      Map<DeviceFunction, Spin> takers) {
    this.code = code;
    this.text = code.text();
    this.schedule = schedule;
    this.guards = guards;
    this.locks = locks;
    this.sections = sections;
    this.edits = edits;
    this.takers = takers;
  }

  /** Adds the functions that try once, after all calls are rewritten. */
  void addTries() {
    takers.forEach(this::taker);
  }

  /**
   * Rewrites a call that takes a lock.
   *
   * @param kept receives the code that stays as it is
   */
  void taking(
      DeviceFunction f, IASTStatement s, IASTFunctionCallExpression call, List<int[]> kept) {
    Reach reach = guards.reach(f, s);
    if (reach == Reach.ONE || reach == Reach.ONE_OF_64) {
      return;
    }
    String name = Syntax.callee(call);
    Sections.Section section = sections.of(s, locks.taken(call), LockCalls.names(call));
    String problem = section.problem();
    if (problem.isEmpty() && (!text.isWritten(s) || !text.isWritten(call))) {
      problem = "a macro generates the call";
    }
    if (problem.isEmpty() && !canTry(name)) {
      problem = "the function " + name + " does more than wait for the lock";
    }
    if (!problem.isEmpty()) {
      kept.add(new int[] {text.start(s), text.end(section.release())});
      edits.fail(s, problem);
      return;
    }
    schedule.needs(Locks.HEADER);
    tries.add(name);
    String indent = text.indent(text.start(s));
    String head = LockEdits.LOOP + text.newline() + indent + "  if (";
    int at = nameStart(call);
    if (at == text.start(s)) {
      edits.edit(Edit.before(at, head + "rocport_try_", Locks.RULE));
    } else {
      edits.edit(Edit.before(text.start(s), head, Locks.RULE));
      edits.alsoEdit(Edit.before(at, "rocport_try_", Locks.RULE));
    }
    edits.alsoEdit(Edit.replace(text.end(call), text.end(s), ") {", Locks.RULE));
    edits.finish(section.release(), indent);
  }

  private int nameStart(IASTFunctionCallExpression call) {
    IASTExpression name = call.getFunctionNameExpression();
    int end = text.end(name);
    return end - Syntax.callee(call).length();
  }

  private boolean canTry(String name) {
    List<DeviceFunction> all = code.named(name);
    if (all.size() != 1) {
      return false;
    }
    DeviceFunction f = all.getFirst();
    Spin spin = takers.get(f);
    return spin != null
        && spin.loop().getParent() == f.body()
        && text.isWritten(spin.loop())
        && text.isWritten(f.node())
        && f.all(IASTReturnStatement.class).isEmpty()
        && nameEnd(f) > 0
        && Turns.returnsNothing(text, f);
  }

  /** Returns the place after the function's name in its definition, or 0. */
  private int nameEnd(DeviceFunction f) {
    int end = text.end(f.node().getDeclarator().getName());
    return f.node().getDeclarator().getName().toString().equals(f.name()) ? end : 0;
  }

  /** Puts a function that tries once after one that takes a lock, where callers need it. */
  private void taker(DeviceFunction f, Spin spin) {
    String name = f.name();
    if (!tries.contains(name)) {
      List<Call> calls = code.callsOf(name);
      if (calls.isEmpty() && many(f)) {
        edits.fail(
            spin.loop(),
            "the function returns while it holds the lock, to callers that are not"
                + " visible here");
      }
      return;
    }
    String line = text.newline();
    int start = text.before(f.head());
    int end = text.end(f.node());
    String indent = text.indent(text.start(f.node()));
    String inner = text.indent(text.start(spin.loop()));
    int type = text.find("void", text.start(f.node()), nameEnd(f));
    int nameAt = nameEnd(f) - name.length();
    List<Piece> pieces = new ArrayList<>();
    pieces.add(new Piece.Moved(start, end));
    pieces.add(new Piece.Text(line + line + indent));
    pieces.add(new Piece.Moved(start, type));
    pieces.add(new Piece.Text("bool"));
    pieces.add(new Piece.Moved(type + "void".length(), nameAt));
    pieces.add(new Piece.Text("rocport_try_"));
    IASTExpression condition = spin.condition();
    IASTStatement body = spin.body();
    if (body == null || LockEdits.isEmpty(body)) {
      pieces.add(new Piece.Moved(nameAt, text.start(spin.loop())));
      pieces.add(new Piece.Text("if ("));
      pieces.add(new Piece.Moved(text.start(condition), text.end(condition)));
      pieces.add(new Piece.Text(") return false;"));
    } else if (spin.isDo()) {
      pieces.add(new Piece.Moved(nameAt, text.start(spin.loop())));
      pieces.add(new Piece.Moved(text.start(body), text.end(body)));
      pieces.add(new Piece.Text(line + inner + "if ("));
      pieces.add(new Piece.Moved(text.start(condition), text.end(condition)));
      pieces.add(new Piece.Text(") return false;"));
    } else {
      pieces.add(new Piece.Moved(nameAt, text.start(spin.loop())));
      pieces.add(new Piece.Text("if ("));
      pieces.add(new Piece.Moved(text.start(condition), text.end(condition)));
      pieces.add(new Piece.Text(") {" + line + inner + "  "));
      pieces.add(new Piece.Moved(text.start(body), text.end(body)));
      pieces.add(new Piece.Text(line + inner + "  return false;" + line + inner + "}"));
    }
    int last = end - 1;
    while (text.of(last - 1, last).isBlank()) {
      last--;
    }
    pieces.add(new Piece.Moved(text.end(spin.loop()), last));
    boolean oneLine = !text.of(text.start(f.body()), end).contains("\n");
    String closing =
        oneLine ? " return true; }" : line + indent + "  return true;" + line + indent + "}";
    pieces.add(new Piece.Text(closing));
    edits.edit(new Edit(start, end, pieces, Edit.Side.BEFORE, Locks.RULE));
  }

  private boolean many(DeviceFunction f) {
    Reach reach = guards.reach(f, f.body());
    return reach == Reach.MANY || reach == Reach.ONE_OF_32;
  }
}
