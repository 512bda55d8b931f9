package dev.rocport.warp.schedule;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.warp.code.DeviceCode;
import dev.rocport.warp.code.DeviceFunction;
import dev.rocport.warp.code.SourceText;
import dev.rocport.warp.code.Syntax;
import dev.rocport.warp.uniformity.Lanes;
import dev.rocport.warp.uniformity.Uniformity;
import dev.rocport.warp.uniformity.UniformityAnalysis;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.eclipse.cdt.core.dom.ast.IASTCaseStatement;
import org.eclipse.cdt.core.dom.ast.IASTConditionalExpression;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTDefaultStatement;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIfStatement;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTSwitchStatement;
import org.jspecify.annotations.Nullable;

/**
 * Finds threads of one wave that synchronize in different branches: at barriers, where a wave
 * arrives once for each branch that some of its lanes take, and in warp functions, which see only
 * the lanes of their own branch.
 */
final class Branches {
  static final String BARRIER = "W64-BARRIER";
  static final String BRANCH = "W64-BRANCH";

  private static final String BARRIERS =
      "warps of one wave reach barriers in different branches, and the wave arrives once in each"
          + " branch; the branches are not split, because ";

  private static final String EXCHANGES =
      "lanes of one warp call warp functions in different branches, with a mask that names lanes of"
          + " both branches; on AMD GPUs, each call includes only the lanes of its own branch; the"
          + " branches are not split, because ";

  private final UniformityAnalysis analysis;
  private final DeviceCode code;
  private final SourceText text;
  private final Schedule schedule;
  private final List<int[]> done = new ArrayList<>();

  Branches(UniformityAnalysis analysis, Schedule schedule) {
    this.analysis = analysis;
    this.code = analysis.code();
    this.text = code.text();
    this.schedule = schedule;
  }

  void run() {
    if (!code.calls(
        name ->
            name.startsWith("__syncthreads")
                || name.endsWith("sync")
                || name.equals("__syncwarp"))) {
      return;
    }
    for (DeviceFunction f : code.functions()) {
      List<IASTFunctionCallExpression> meetings =
          f.all(IASTFunctionCallExpression.class).stream().filter(this::mayMeet).toList();
      for (IASTIfStatement s : f.all(IASTIfStatement.class)) {
        Roles roles = Roles.of(s);
        if (meetings.size() > 1 && roles != null && !isDone(s)) {
          branches(f, roles, meetings);
        }
      }
      for (IASTSwitchStatement s : f.all(IASTSwitchStatement.class)) {
        cases(f, s);
      }
      for (IASTConditionalExpression c : f.all(IASTConditionalExpression.class)) {
        choice(f, c);
      }
    }
  }

  /** Reports the cases of a switch; they are not split. */
  private void cases(DeviceFunction f, IASTSwitchStatement s) {
    Lanes lanes = analysis.lanes(f);
    IASTNode selector = s.getControllerExpression();
    Uniformity uniformity = lanes.of(selector).uniformity();
    if (uniformity.compareTo(Uniformity.WAVE) <= 0) {
      return;
    }
    int barriers = 0;
    int exchanges = 0;
    boolean barrier = false;
    boolean exchange = false;
    for (IASTStatement inner : Syntax.statements(s.getBody())) {
      if (inner instanceof IASTCaseStatement || inner instanceof IASTDefaultStatement) {
        barriers += barrier ? 1 : 0;
        exchanges += exchange ? 1 : 0;
        barrier = false;
        exchange = false;
      }
      for (IASTFunctionCallExpression c : Syntax.all(inner, IASTFunctionCallExpression.class)) {
        barrier |= Meeting.isBarrier(c, lanes);
        exchange |= Meeting.isExchange(c) && isFull(c, lanes);
      }
    }
    barriers += barrier ? 1 : 0;
    exchanges += exchange ? 1 : 0;
    if (barriers > 1 && (uniformity == Uniformity.WARP || lanes.isSure(selector, false))) {
      tell(BARRIER, Severity.ERROR, s, selector, BARRIERS + "they are cases of a switch");
    } else if (exchanges > 1 && uniformity == Uniformity.LANE) {
      Severity severity = lanes.isSure(selector, true) ? Severity.ERROR : Severity.WARNING;
      tell(BRANCH, severity, s, selector, EXCHANGES + "they are cases of a switch");
    }
  }

  private void choice(DeviceFunction f, IASTConditionalExpression c) {
    Lanes lanes = analysis.lanes(f);
    IASTNode condition = c.getLogicalConditionExpression();
    if (lanes.of(condition).uniformity() == Uniformity.LANE
        && meetsFull(c.getPositiveResultExpression(), lanes)
        && meetsFull(c.getNegativeResultExpression(), lanes)) {
      Severity severity = lanes.isSure(condition, true) ? Severity.ERROR : Severity.WARNING;
      tell(BRANCH, severity, c, condition, EXCHANGES + "they are parts of an expression");
    }
  }

  private static boolean meetsFull(@Nullable IASTNode root, Lanes lanes) {
    return Syntax.all(root, IASTFunctionCallExpression.class).stream()
        .anyMatch(c -> Meeting.isExchange(c) && isFull(c, lanes));
  }

  private boolean isDone(IASTNode n) {
    return done.stream().anyMatch(d -> d[0] <= text.start(n) && text.end(n) <= d[1]);
  }

  /** A call that may be a barrier or a warp function, or reach one. */
  private boolean mayMeet(IASTFunctionCallExpression call) {
    String name = Syntax.callee(call);
    return name.startsWith("__") || name.equals("sync") || !code.named(name).isEmpty();
  }

  /**
   * @param meetings those of the function's calls in which threads may meet
   */
  private void branches(DeviceFunction f, Roles roles, List<IASTFunctionCallExpression> meetings) {
    Lanes lanes = null;
    int barriers = 0;
    int exchanges = 0;
    for (Roles.Way w : roles.ways()) {
      List<IASTFunctionCallExpression> calls =
          w.node() == null
              ? List.of()
              : meetings.stream().filter(c -> Syntax.isInside(c, w.node())).toList();
      if (calls.isEmpty()) {
        continue;
      }
      lanes = analysis.lanes(f);
      Lanes known = lanes;
      barriers += calls.stream().anyMatch(c -> Meeting.isBarrier(c, known)) ? 1 : 0;
      exchanges += calls.stream().anyMatch(this::isExchange) ? 1 : 0;
    }
    if (lanes == null || (barriers < 2 && exchanges < 2)) {
      return;
    }
    Uniformity uniformity = Uniformity.BLOCK;
    for (IASTNode c : roles.conditions()) {
      uniformity = uniformity.join(lanes.of(c).uniformity());
    }
    if (barriers > 1
        && uniformity.compareTo(analysis.isOneWarp(f) ? Uniformity.WARP : Uniformity.WAVE) > 0
        && schedule.allows(BARRIER)) {
      barrier(lanes, roles, uniformity);
    } else if (exchanges > 1 && uniformity == Uniformity.LANE && schedule.allows(BRANCH)) {
      exchange(lanes, roles);
    }
  }

  /** A warp function, or a function of the file that calls one with all lanes in its mask. */
  private boolean isExchange(IASTFunctionCallExpression call) {
    return Meeting.isExchange(call) || meetsAll(call);
  }

  private boolean meetsAll(IASTFunctionCallExpression call) {
    for (DeviceFunction f : code.named(Syntax.callee(call))) {
      for (IASTFunctionCallExpression c : f.all(IASTFunctionCallExpression.class)) {
        if (Meeting.isExchange(c) && Meeting.isFull(Meeting.mask(c), analysis.lanes(f))) {
          return true;
        }
      }
    }
    return false;
  }

  private void barrier(Lanes lanes, Roles roles, Uniformity uniformity) {
    boolean sure = roles.conditions().stream().allMatch(c -> lanes.isSure(c, false));
    if (uniformity == Uniformity.LANE && !sure) {
      return; // a value from memory, which a right program has made the same for the block
    }
    // Warp functions stay in their branches where those are taken by whole warps.
    Predicate<IASTFunctionCallExpression> met =
        c ->
            Meeting.isBarrier(c, lanes)
                || hasBarrier(c)
                || (uniformity == Uniformity.LANE && isExchange(c));
    Split split = new Split(text, lanes, roles, met, Uniformity.BLOCK, BARRIER);
    if (split.problem().isEmpty()) {
      apply(split);
      return;
    }
    report(BARRIER, Severity.ERROR, roles, BARRIERS + split.problem());
  }

  private boolean hasBarrier(IASTFunctionCallExpression call) {
    return code.named(Syntax.callee(call)).stream()
        .anyMatch(
            f ->
                f.all(IASTFunctionCallExpression.class).stream()
                    .anyMatch(c -> Meeting.isBarrier(c, analysis.lanes(f))));
  }

  private void exchange(Lanes lanes, Roles roles) {
    boolean full = false;
    boolean same = false;
    boolean helper = false;
    List<List<IASTFunctionCallExpression>> ways = new ArrayList<>();
    for (Roles.Way w : roles.ways()) {
      ways.add(
          Syntax.all(w.node(), IASTFunctionCallExpression.class).stream()
              .filter(this::isExchange)
              .toList());
    }
    for (int a = 0; a < ways.size(); a++) {
      for (int b = a + 1; b < ways.size(); b++) {
        for (IASTFunctionCallExpression x : ways.get(a)) {
          for (IASTFunctionCallExpression y : ways.get(b)) {
            boolean masks = Meeting.isExchange(x) && Meeting.isExchange(y);
            helper |= !masks;
            full |= masks && isFull(x, lanes) && isFull(y, lanes);
            same |= masks && isSame(x, y, roles);
          }
        }
      }
    }
    if (!full && !same && !helper) {
      return;
    }
    Split split = new Split(text, lanes, roles, this::isExchange, Uniformity.WARP, BRANCH);
    if (split.problem().isEmpty()) {
      apply(split);
      return;
    }
    boolean sure = full && roles.conditions().stream().allMatch(c -> lanes.isSure(c, true));
    if (!full && !same) {
      return; // a function of the program's own, whose condition may well be the same for the warp
    }
    report(BRANCH, sure ? Severity.ERROR : Severity.WARNING, roles, EXCHANGES + split.problem());
  }

  private static boolean isFull(IASTFunctionCallExpression call, Lanes lanes) {
    return Meeting.isFull(Meeting.mask(call), lanes);
  }

  /** The same variable, of outside the branches, is the mask of both calls. */
  private boolean isSame(IASTFunctionCallExpression x, IASTFunctionCallExpression y, Roles roles) {
    IASTNode a = Meeting.mask(x);
    IASTNode b = Meeting.mask(y);
    if (a == null || b == null || !text.tight(a).equals(text.tight(b))) {
      return false;
    }
    Set<String> names = Syntax.names(a);
    if (names.isEmpty() || !Syntax.all(a, IASTFunctionCallExpression.class).isEmpty()) {
      return false;
    }
    for (Roles.Way w : roles.ways()) {
      for (IASTDeclarator d : Syntax.all(w.node(), IASTDeclarator.class)) {
        if (names.contains(Syntax.simple(d.getName()))) {
          return false;
        }
      }
      if (Syntax.assigned(w.node()).stream().anyMatch(names::contains)) {
        return false;
      }
    }
    return true;
  }

  private void apply(Split split) {
    for (int[] d : split.dropped()) {
      schedule.dropInside(d[0], d[1]);
    }
    schedule.edit(split.edit());
    split.inner().forEach(schedule::alsoEdit);
    done.add(new int[] {split.edit().start(), split.edit().end()});
  }

  private void report(String rule, Severity severity, Roles roles, String message) {
    done.add(new int[] {text.start(roles.statement()), text.end(roles.statement())});
    tell(rule, severity, roles.statement(), roles.conditions().getFirst(), message);
  }

  private void tell(
      String rule, Severity severity, IASTNode from, IASTNode condition, String message) {
    int start = text.start(from);
    schedule.finding(
        rule,
        severity,
        severity == Severity.ERROR ? Disposition.UNPORTED : Disposition.REVIEW,
        start,
        Math.max(start + 1, text.end(condition)),
        message,
        advice(rule));
  }

  private static String advice(String rule) {
    return rule.equals(BARRIER)
        ? "Split the branches at their barriers so that all threads of the block reach the"
            + " same __syncthreads(); or let the condition split the block at multiples of 64"
            + " threads."
        : "Select the operands by the condition, and call the function once, after the branches,"
            + " with all lanes of the mask.";
  }
}
