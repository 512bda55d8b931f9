package dev.rocport.warp.schedule;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.Piece;
import dev.rocport.core.result.Disposition;
import dev.rocport.warp.code.DeviceCode;
import dev.rocport.warp.code.DeviceFunction;
import dev.rocport.warp.code.DeviceFunction.Call;
import dev.rocport.warp.code.SourceText;
import dev.rocport.warp.code.Syntax;
import dev.rocport.warp.schedule.Guards.Reach;
import dev.rocport.warp.schedule.LockCalls.Helper;
import dev.rocport.warp.schedule.LockCalls.Role;
import dev.rocport.warp.uniformity.UniformityAnalysis;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTBreakStatement;
import org.eclipse.cdt.core.dom.ast.IASTCaseStatement;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTContinueStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclarationStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTDoStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpressionStatement;
import org.eclipse.cdt.core.dom.ast.IASTForStatement;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTGotoStatement;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTLabelStatement;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTSwitchStatement;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTWhileStatement;
import org.jspecify.annotations.Nullable;

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
  private static final String LOOP =
      "for (bool rocport_done = false; rocport::rejoin(!rocport_done);) {";

  private final DeviceCode code;
  private final SourceText text;
  private final Schedule schedule;
  private final Guards guards;
  private final LockCalls locks;

  /** Functions that take a lock, with the loop that waits for it. */
  private final Map<DeviceFunction, Spin> takers = new LinkedHashMap<>();

  private final Set<String> tries = new HashSet<>();

  /** Loops that take a lock, whatever became of them. */
  private final Set<IASTNode> loops = new HashSet<>();

  /** Stretches of code that stay as they are, since a lock around them is not solved. */
  private final List<int[]> kept = new ArrayList<>();

  Locks(UniformityAnalysis analysis, Schedule schedule) {
    this.code = analysis.code();
    this.text = code.text();
    this.schedule = schedule;
    this.guards = new Guards(analysis);
    this.locks = new LockCalls(code);
  }

  /** Changes or reports the locks; gives the loops that take them. */
  Set<IASTNode> run() {
    if (!code.calls(LockCalls::mayTake)) {
      return loops;
    }
    code.functions().forEach(this::classify);
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
    takers.forEach(this::taker);
    return loops;
  }

  /** Functions of the file that take, try, or release a lock that is passed to them. */
  private void classify(DeviceFunction f) {
    if (f.kernel()) {
      return;
    }
    List<IASTFunctionCallExpression> calls = f.all(IASTFunctionCallExpression.class);
    Set<String> tried = new HashSet<>();
    for (IASTFunctionCallExpression c : calls) {
      String lock = locks.tried(c);
      if (!lock.isEmpty()) {
        tried.add(lock);
      }
    }
    for (IASTNode n : f.all(IASTStatement.class)) {
      Spin spin = Spin.of(n, locks::tried);
      if (spin != null && releases(f.body(), spin).isEmpty()) {
        takers.put(f, spin);
        locks.add(f.name(), new Helper(Role.TAKES, parameter(f, LockCalls.names(spin.call()))));
        return;
      }
    }
    boolean loops = f.all(IASTStatement.class).stream().anyMatch(Syntax::isLoop);
    if (!tried.isEmpty() && !loops && isShort(f)) {
      IASTFunctionCallExpression c =
          calls.stream().filter(x -> !locks.tried(x).isEmpty()).findFirst().orElseThrow();
      boolean returned = f.all(IASTReturnStatement.class).size() > 0;
      boolean both = tried.size() == 1 && !returned;
      locks.add(
          f.name(),
          new Helper(both ? Role.RELEASES : Role.TRIES, parameter(f, LockCalls.names(c))));
    } else if (!loops && isShort(f) && f.all(IASTReturnStatement.class).isEmpty()) {
      releaser(f);
    }
  }

  private void releaser(DeviceFunction f) {
    for (IASTStatement s : Syntax.statements(f.body())) {
      IASTFunctionCallExpression c = Syntax.callOf(s);
      if (c != null
          && (Syntax.callee(c).startsWith("atomic") || Syntax.callee(c).equals("store"))) {
        locks.add(f.name(), new Helper(Role.RELEASES, parameter(f, LockCalls.names(c))));
        return;
      }
      if (s instanceof IASTExpressionStatement e
          && e.getExpression() instanceof IASTBinaryExpression b
          && b.getOperator() == IASTBinaryExpression.op_assign) {
        locks.add(f.name(), new Helper(Role.RELEASES, parameter(f, Syntax.names(b.getOperand1()))));
        return;
      }
    }
  }

  private static boolean isShort(DeviceFunction f) {
    return Syntax.statements(f.body()).size() <= 4;
  }

  private static int parameter(DeviceFunction f, Set<String> names) {
    for (int i = 0; i < f.parameters().size(); i++) {
      if (names.contains(f.parameters().get(i))) {
        return i;
      }
    }
    return -1;
  }

  private void statement(DeviceFunction f, IASTStatement s) {
    if (kept.stream().anyMatch(k -> k[0] <= text.start(s) && text.end(s) <= k[1])) {
      return;
    }
    Spin spin = Spin.of(s, locks::tried);
    if (spin != null) {
      Spin own = takers.get(f);
      if (own == null || own.loop() != s) {
        spin(f, spin);
      }
      return;
    }
    IASTFunctionCallExpression call = Syntax.callOf(s);
    if (call != null && !locks.taken(call).isEmpty()) {
      taking(f, s, call);
    } else if (Syntax.isLoop(s)) {
      turns(f, s);
    }
  }

  // A loop that waits, and after it the work and the release.

  private void spin(DeviceFunction f, Spin spin) {
    IASTStatement loop = spin.loop();
    Reach reach = guards.reach(f, loop);
    if (reach == Reach.ONE || reach == Reach.ONE_OF_64) {
      return;
    }
    Section section = section(loop, spin.lock(), LockCalls.names(spin.call()));
    if (!section.problem().isEmpty()) {
      kept.add(new int[] {text.start(loop), text.end(section.release())});
      fail(loop, section.problem());
      return;
    }
    if (!text.isWritten(loop) || !text.isWritten(spin.condition())) {
      fail(loop, "a macro generates the loop");
      return;
    }
    schedule.needs(HEADER);
    String indent = text.indent(text.start(loop));
    String line = text.newline();
    IASTExpression condition = spin.condition();
    IASTStatement body = spin.body();
    if (spin.isDo() && body != null && !isEmpty(body)) {
      // do BODY while (C);  ->  for (...) { BODY if (!(C)) { ...
      int from = text.start(loop);
      edit(Edit.replace(from, text.start(body), LOOP + line + indent + "  ", RULE));
      int behind = text.end(body);
      alsoEdit(Edit.replace(behind, open(condition), line + indent + "  if ", RULE));
      negate(condition);
      alsoEdit(Edit.replace(close(condition), text.end(loop), ") {", RULE));
    } else if (body == null || isEmpty(body)) {
      String head = LOOP + line + indent + "  if (";
      edit(Edit.replace(text.start(loop), text.start(condition), head, RULE));
      negate(condition);
      alsoEdit(Edit.replace(text.end(condition), text.end(loop), ") {", RULE));
    } else {
      String head = LOOP + line + indent + "  if (";
      edit(Edit.replace(text.start(loop), text.start(condition), head, RULE));
      if (loop instanceof IASTForStatement) {
        int from = text.end(condition);
        int to = text.start(body);
        alsoEdit(Edit.replace(from, to, ") ", RULE));
      }
      if (body instanceof IASTCompoundStatement) {
        alsoEdit(Edit.after(text.end(body), " else {", RULE));
      } else {
        alsoEdit(Edit.before(text.start(body), "{ ", RULE));
        alsoEdit(Edit.after(text.end(body), " } else {", RULE));
      }
    }
    finish(section.release(), indent);
  }

  private void finish(IASTStatement release, String indent) {
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
            RULE));
  }

  private static boolean isEmpty(IASTStatement body) {
    return body instanceof org.eclipse.cdt.core.dom.ast.IASTNullStatement
        || (body instanceof IASTCompoundStatement c && c.getStatements().length == 0);
  }

  /** The bracket before a loop's condition. */
  private int open(IASTExpression condition) {
    int i = text.start(condition) - 1;
    while (!text.of(i, i + 1).equals("(")) {
      i--;
    }
    return i;
  }

  private int close(IASTExpression condition) {
    int i = text.end(condition);
    while (!text.of(i, i + 1).equals(")")) {
      i++;
    }
    return i;
  }

  /** Writes the opposite of a condition. */
  private void negate(IASTExpression condition) {
    if (condition instanceof IASTBinaryExpression b
        && (b.getOperator() == IASTBinaryExpression.op_equals
            || b.getOperator() == IASTBinaryExpression.op_notequals)
        && text.isWhole(b.getOperand1())
        && text.isWhole(b.getOperand2())) {
      boolean equal = b.getOperator() == IASTBinaryExpression.op_equals;
      int from = text.end(b.getOperand1());
      int at = text.find(equal ? "==" : "!=", from, text.start(b.getOperand2()));
      if (at < text.start(b.getOperand2())) {
        alsoEdit(Edit.replace(at, at + 2, equal ? "!=" : "==", RULE));
        return;
      }
    }
    if (condition instanceof IASTFunctionCallExpression call) {
      if (locks.helper(call) == null && Syntax.callee(call).startsWith("atomic")) {
        alsoEdit(Edit.after(text.end(condition), " == 0", RULE));
      } else {
        alsoEdit(Edit.before(text.start(condition), "!", RULE));
      }
      return;
    }
    if (condition instanceof IASTUnaryExpression u
        && u.getOperator() == IASTUnaryExpression.op_not
        && (Syntax.bare(u.getOperand()) instanceof IASTFunctionCallExpression
            || Syntax.bare(u.getOperand()) instanceof IASTIdExpression)) {
      alsoEdit(Edit.delete(text.start(u), text.start(u.getOperand()), RULE));
      return;
    }
    alsoEdit(Edit.before(text.start(condition), "!(", RULE));
    alsoEdit(Edit.after(text.end(condition), ")", RULE));
  }

  /**
   * What a lock guards: the statements after one that takes it, up to the release.
   *
   * @param problem why it cannot move; empty if it can
   */
  private record Section(IASTStatement release, String problem) {}

  private Section section(IASTStatement taking, String lock, Set<String> names) {
    List<IASTStatement> inside = new ArrayList<>();
    if (!(taking.getParent() instanceof IASTCompoundStatement block)) {
      return new Section(taking, "the guarded code is in another block");
    }
    IASTStatement release = null;
    List<IASTStatement> behind = new ArrayList<>();
    boolean seen = false;
    for (IASTStatement s : block.getStatements()) {
      if (s == taking) {
        seen = true;
      } else if (seen && release != null) {
        behind.add(s);
      } else if (seen && isRelease(s, lock)) {
        release = s;
      } else if (seen) {
        inside.add(s);
      }
    }
    if (release == null) {
      return new Section(taking, "no release of " + lock + " follows in the same block");
    }
    if (text.hasDirective(text.start(taking), text.end(release))) {
      return new Section(release, "the guarded code contains preprocessor directives");
    }
    return new Section(release, problem(inside, release, behind, lock, names));
  }

  private boolean isRelease(IASTStatement s, String lock) {
    return s instanceof IASTExpressionStatement e
        && !locks.released(e.getExpression(), Set.of(lock)).isEmpty();
  }

  private List<IASTNode> releases(IASTNode root, Spin spin) {
    List<IASTNode> found = new ArrayList<>();
    for (IASTExpressionStatement s : Syntax.all(root, IASTExpressionStatement.class)) {
      if (!Syntax.isInside(s, spin.loop()) && isRelease(s, spin.lock())) {
        found.add(s);
      }
    }
    return found;
  }

  private String problem(
      List<IASTStatement> inside,
      IASTStatement release,
      List<IASTStatement> behind,
      String lock,
      Set<String> names) {
    Set<String> declared = new HashSet<>();
    for (IASTStatement s : inside) {
      if (leaves(s)) {
        return "the guarded code can exit before the release";
      }
      if (LockCalls.meets(s, code)) {
        return "the guarded code waits for other threads";
      }
      if (takesAnother(s)) {
        return "it is held while another lock is taken";
      }
      Set<String> assigned = Syntax.assigned(s);
      assigned.retainAll(names);
      if (!assigned.isEmpty()) {
        return "the guarded code changes which lock " + lock + " is";
      }
      if (s instanceof IASTDeclarationStatement d) {
        Syntax.all(d, IASTDeclarator.class).forEach(x -> declared.add(Syntax.simple(x.getName())));
      }
    }
    for (IASTStatement s : behind) {
      Set<String> used = Syntax.names(s);
      used.retainAll(declared);
      if (!used.isEmpty()) {
        return "the guarded code declares " + String.join(", ", used) + ", which is used after it";
      }
    }
    return text.isWritten(release) ? "" : "a macro generates the release";
  }

  private boolean takesAnother(IASTNode root) {
    for (IASTNode n : Syntax.all(root, IASTStatement.class)) {
      if (Spin.of(n, locks::tried) != null) {
        return true;
      }
    }
    return Syntax.all(root, IASTFunctionCallExpression.class).stream()
        .anyMatch(c -> !locks.taken(c).isEmpty());
  }

  /** True if a jump leads out of a node. */
  private static boolean leaves(IASTNode root) {
    if (!Syntax.all(root, IASTReturnStatement.class).isEmpty()
        || !Syntax.all(root, IASTGotoStatement.class).isEmpty()
        || !Syntax.all(root, IASTLabelStatement.class).isEmpty()) {
      return true;
    }
    List<IASTStatement> jumps = new ArrayList<>(Syntax.all(root, IASTBreakStatement.class));
    jumps.addAll(Syntax.all(root, IASTContinueStatement.class));
    return jumps.stream().anyMatch(j -> !Syntax.isInside(target(j), root))
        || root instanceof IASTCaseStatement;
  }

  /** The loop or switch that a break or continue belongs to. */
  private static IASTNode target(IASTStatement jump) {
    IASTNode n = jump.getParent();
    while (n != null
        && n.getParent() != null
        && !Syntax.isLoop(n)
        && !(n instanceof IASTSwitchStatement && jump instanceof IASTBreakStatement)) {
      n = n.getParent();
    }
    return n == null ? jump : n;
  }

  // Functions of the program's own that take a lock.

  private void taking(DeviceFunction f, IASTStatement s, IASTFunctionCallExpression call) {
    Reach reach = guards.reach(f, s);
    if (reach == Reach.ONE || reach == Reach.ONE_OF_64) {
      return;
    }
    String name = Syntax.callee(call);
    Section section = section(s, locks.taken(call), LockCalls.names(call));
    String problem = section.problem();
    if (problem.isEmpty() && (!text.isWritten(s) || !text.isWritten(call))) {
      problem = "a macro generates the call";
    }
    if (problem.isEmpty() && !canTry(name)) {
      problem = "the function " + name + " does more than wait for it";
    }
    if (!problem.isEmpty()) {
      kept.add(new int[] {text.start(s), text.end(section.release())});
      fail(s, problem);
      return;
    }
    schedule.needs(HEADER);
    tries.add(name);
    String indent = text.indent(text.start(s));
    String head = LOOP + text.newline() + indent + "  if (";
    int at = nameStart(call);
    if (at == text.start(s)) {
      edit(Edit.before(at, head + "rocport_try_", RULE));
    } else {
      edit(Edit.before(text.start(s), head, RULE));
      alsoEdit(Edit.before(at, "rocport_try_", RULE));
    }
    alsoEdit(Edit.replace(text.end(call), text.end(s), ") {", RULE));
    finish(section.release(), indent);
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
        && returnsNothing(f);
  }

  private boolean returnsNothing(DeviceFunction f) {
    return text.tight(f.node().getDeclSpecifier()).endsWith("void");
  }

  /** After the function's name in its definition, or 0. */
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
        fail(
            spin.loop(), "the function returns with the lock to callers that are not visible here");
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
    if (body == null || isEmpty(body)) {
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
    edit(new Edit(start, end, pieces, Edit.Side.BEFORE, RULE));
  }

  private boolean many(DeviceFunction f) {
    Reach reach = guards.reach(f, f.body());
    return reach == Reach.MANY || reach == Reach.ONE_OF_32;
  }

  // Loops in which lanes take turns already: only the compiler has to be held.

  private void turns(DeviceFunction f, IASTStatement loop) {
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
      fail(loop, problem);
      return;
    }
    schedule.needs(HEADER);
    hold(loop, condition, body);
  }

  /** A loop that is left with the lock, which is released after it. */
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
                  .anyMatch(s -> text.start(s) >= text.end(loop) && isRelease(s, lock));
      Reach reach = guards.reach(f, loop);
      if (behind && (reach == Reach.MANY || reach == Reach.ONE_OF_32)) {
        fail(loop, "a jump leaves the loop while the lock is held");
        return;
      }
    }
  }

  /** True if the loop releases what a call in it tries to take, after that call. */
  private boolean isLock(IASTFunctionCallExpression call, IASTStatement loop) {
    String lock = locks.tried(call);
    for (IASTExpressionStatement s : Syntax.all(loop, IASTExpressionStatement.class)) {
      if (text.start(s) > text.end(call) && isRelease(s, lock) && !Syntax.isInside(call, s)) {
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
    if (takesAnother(body)) {
      return "it is held while another lock is taken";
    }
    boolean returns = !Syntax.all(body, IASTReturnStatement.class).isEmpty();
    boolean deep =
        Syntax.all(body, IASTReturnStatement.class).stream().anyMatch(r -> target(r) != loop);
    if (returns && (deep || !endsWith(f, loop) || !returnsNothing(f))) {
      return "lanes return from the function inside the loop";
    }
    boolean jumps = returns || !breaks(loop).isEmpty();
    if (jumps && loop instanceof IASTForStatement s && s.getIterationExpression() != null) {
      Set<String> counted = Syntax.assigned(s.getIterationExpression());
      Set<String> own = new HashSet<>();
      Syntax.all(s.getInitializerStatement(), IASTDeclarator.class)
          .forEach(d -> own.add(Syntax.simple(d.getName())));
      if (!own.containsAll(counted)) {
        return "the loop counts " + String.join(", ", counted) + ", which is used after it";
      }
    }
    if (jumps
        && loop instanceof IASTDoStatement
        && !(loop.getParent() instanceof IASTCompoundStatement)) {
      return "the loop is not in a block of its own";
    }
    return "";
  }

  /** Nothing of the function comes after the loop. */
  private static boolean endsWith(DeviceFunction f, IASTStatement loop) {
    List<IASTStatement> all = Syntax.statements(f.body());
    return !all.isEmpty() && all.getLast() == loop;
  }

  private static List<IASTStatement> breaks(IASTStatement loop) {
    List<IASTStatement> own = new ArrayList<>(Syntax.all(loop, IASTBreakStatement.class));
    own.removeIf(b -> target(b) != loop);
    return own;
  }

  private void hold(
      IASTStatement loop, @Nullable IASTExpression condition, @Nullable IASTNode body) {
    List<IASTStatement> jumps = new ArrayList<>(breaks(loop));
    jumps.addAll(Syntax.all(body, IASTReturnStatement.class));
    if (jumps.isEmpty() && condition != null) {
      edit(Edit.before(text.start(condition), "rocport::rejoin(", RULE));
      alsoEdit(Edit.after(text.end(condition), ")", RULE));
      return;
    }
    String more = Syntax.isAlways(condition) ? "" : " && ";
    switch (loop) {
      case IASTWhileStatement w -> {
        IASTExpression c = w.getCondition();
        String head = "for (bool rocport_done = false; rocport::rejoin(!rocport_done";
        if (more.isEmpty()) {
          edit(Edit.replace(text.start(loop), close(c), head + ");", RULE));
        } else {
          edit(Edit.replace(text.start(loop), text.start(c), head + " && (", RULE));
          alsoEdit(Edit.after(text.end(c), "));", RULE));
        }
      }
      case IASTDoStatement d -> {
        edit(
            Edit.before(
                text.start(loop),
                "bool rocport_done = false;" + text.newline() + text.indent(text.start(loop)),
                RULE));
        IASTExpression c = d.getCondition();
        if (more.isEmpty()) {
          alsoEdit(
              Edit.replace(text.start(c), text.end(c), "rocport::rejoin(!rocport_done)", RULE));
        } else {
          alsoEdit(Edit.before(text.start(c), "rocport::rejoin(!rocport_done && (", RULE));
          alsoEdit(Edit.after(text.end(c), "))", RULE));
        }
      }
      case IASTForStatement s -> forLoop(s, condition);
      default -> throw new IllegalStateException("a loop with a condition");
    }
    for (IASTStatement j : jumps) {
      alsoEdit(
          Edit.replace(text.start(j), text.end(j), "{ rocport_done = true; continue; }", RULE));
    }
  }

  private void forLoop(IASTForStatement s, @Nullable IASTExpression condition) {
    // for (int i = 0; C; ++i): the flag is declared before the loop.
    edit(
        Edit.before(
            text.start(s),
            "bool rocport_done = false;" + text.newline() + text.indent(text.start(s)),
            RULE));
    if (condition == null) {
      int at = text.end(s.getInitializerStatement());
      alsoEdit(Edit.after(at, " rocport::rejoin(!rocport_done)", RULE));
    } else {
      alsoEdit(Edit.before(text.start(condition), "rocport::rejoin(!rocport_done && (", RULE));
      alsoEdit(Edit.after(text.end(condition), "))", RULE));
    }
  }

  private void edit(Edit e) {
    schedule.edit(e);
  }

  private void alsoEdit(Edit e) {
    schedule.alsoEdit(e);
  }

  private void fail(IASTStatement at, String reason) {
    schedule.finding(
        RULE,
        Disposition.UNPORTED,
        text.start(at),
        Math.max(text.start(at) + 1, Math.min(text.end(at), text.start(at) + 200)),
        "several lanes of one wave take this lock; the lane that holds it waits, masked off, for"
            + " the lanes that wait for it: "
            + reason);
  }
}
