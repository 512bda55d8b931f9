package dev.rocport.warp.schedule;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.warp.schedule.Value.Spread;
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
      "warps of one wave reach barriers in different branches, and the wave arrives once for"
          + " each; the branches are not split: ";

  private static final String EXCHANGES =
      "lanes of one warp call warp functions in different branches, with a mask over the lanes of"
          + " both; each call sees only the lanes of its own branch; the branches are not split:"
          + " ";

  private final File file;
  private final Text text;
  private final Schedule schedule;
  private final List<int[]> done = new ArrayList<>();

  Branches(File file, Schedule schedule) {
    this.file = file;
    this.text = file.text;
    this.schedule = schedule;
  }

  void run() {
    if (!file.calls(
        name ->
            name.startsWith("__syncthreads")
                || name.endsWith("sync")
                || name.equals("__syncwarp"))) {
      return;
    }
    for (Function f : file.functions) {
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
  private void cases(Function f, IASTSwitchStatement s) {
    Lanes lanes = file.lanes(f);
    IASTNode selector = s.getControllerExpression();
    Spread spread = lanes.of(selector).spread();
    if (spread.compareTo(Spread.WAVE) <= 0) {
      return;
    }
    int barriers = 0;
    int exchanges = 0;
    boolean barrier = false;
    boolean exchange = false;
    for (IASTStatement inner : Ast.statements(s.getBody())) {
      if (inner instanceof IASTCaseStatement || inner instanceof IASTDefaultStatement) {
        barriers += barrier ? 1 : 0;
        exchanges += exchange ? 1 : 0;
        barrier = false;
        exchange = false;
      }
      for (IASTFunctionCallExpression c : Ast.all(inner, IASTFunctionCallExpression.class)) {
        barrier |= Meeting.isBarrier(c, lanes);
        exchange |= Meeting.isExchange(c) && isFull(c, lanes);
      }
    }
    barriers += barrier ? 1 : 0;
    exchanges += exchange ? 1 : 0;
    if (barriers > 1 && (spread == Spread.WARP || lanes.isSure(selector, false))) {
      tell(BARRIER, Severity.ERROR, s, selector, BARRIERS + "they are cases of a switch");
    } else if (exchanges > 1 && spread == Spread.LANE) {
      Severity severity = lanes.isSure(selector, true) ? Severity.ERROR : Severity.WARNING;
      tell(BRANCH, severity, s, selector, EXCHANGES + "they are cases of a switch");
    }
  }

  private void choice(Function f, IASTConditionalExpression c) {
    Lanes lanes = file.lanes(f);
    IASTNode condition = c.getLogicalConditionExpression();
    if (lanes.of(condition).spread() == Spread.LANE
        && meetsFull(c.getPositiveResultExpression(), lanes)
        && meetsFull(c.getNegativeResultExpression(), lanes)) {
      Severity severity = lanes.isSure(condition, true) ? Severity.ERROR : Severity.WARNING;
      tell(BRANCH, severity, c, condition, EXCHANGES + "they are parts of an expression");
    }
  }

  private static boolean meetsFull(@Nullable IASTNode root, Lanes lanes) {
    return Ast.all(root, IASTFunctionCallExpression.class).stream()
        .anyMatch(c -> Meeting.isExchange(c) && isFull(c, lanes));
  }

  private boolean isDone(IASTNode n) {
    return done.stream().anyMatch(d -> d[0] <= text.start(n) && text.end(n) <= d[1]);
  }

  /** A call that may be a barrier or a warp function, or reach one. */
  private boolean mayMeet(IASTFunctionCallExpression call) {
    String name = Ast.callee(call);
    return name.startsWith("__") || name.equals("sync") || file.byName.containsKey(name);
  }

  /**
   * @param meetings those of the function's calls in which threads may meet
   */
  private void branches(Function f, Roles roles, List<IASTFunctionCallExpression> meetings) {
    Lanes lanes = null;
    int barriers = 0;
    int exchanges = 0;
    for (Roles.Way w : roles.ways()) {
      List<IASTFunctionCallExpression> calls =
          w.node() == null
              ? List.of()
              : meetings.stream().filter(c -> Ast.isInside(c, w.node())).toList();
      if (calls.isEmpty()) {
        continue;
      }
      lanes = file.lanes(f);
      Lanes known = lanes;
      barriers += calls.stream().anyMatch(c -> Meeting.isBarrier(c, known)) ? 1 : 0;
      exchanges += calls.stream().anyMatch(this::isExchange) ? 1 : 0;
    }
    if (lanes == null || (barriers < 2 && exchanges < 2)) {
      return;
    }
    Spread spread = Spread.BLOCK;
    for (IASTNode c : roles.conditions()) {
      spread = spread.or(lanes.of(c).spread());
    }
    if (barriers > 1
        && spread.compareTo(file.isOneWarp(f) ? Spread.WARP : Spread.WAVE) > 0
        && schedule.allows(BARRIER)) {
      barrier(lanes, roles, spread);
    } else if (exchanges > 1 && spread == Spread.LANE && schedule.allows(BRANCH)) {
      exchange(lanes, roles);
    }
  }

  /** A warp function, or a function of the file that calls one with all lanes in its mask. */
  private boolean isExchange(IASTFunctionCallExpression call) {
    return Meeting.isExchange(call) || meetsAll(call);
  }

  private boolean meetsAll(IASTFunctionCallExpression call) {
    for (Function f : file.byName.getOrDefault(Ast.callee(call), List.of())) {
      for (IASTFunctionCallExpression c : f.all(IASTFunctionCallExpression.class)) {
        if (Meeting.isExchange(c) && Meeting.isFull(Meeting.mask(c), file.lanes(f))) {
          return true;
        }
      }
    }
    return false;
  }

  private void barrier(Lanes lanes, Roles roles, Spread spread) {
    boolean sure = roles.conditions().stream().allMatch(c -> lanes.isSure(c, false));
    if (spread == Spread.LANE && !sure) {
      return; // a value from memory, which a right program has made the same for the block
    }
    // Warp functions stay in their branches where those are taken by whole warps.
    Predicate<IASTFunctionCallExpression> met =
        c ->
            Meeting.isBarrier(c, lanes)
                || hasBarrier(c)
                || (spread == Spread.LANE && isExchange(c));
    Split split = new Split(file, lanes, roles, met, Spread.BLOCK, BARRIER);
    if (split.problem().isEmpty()) {
      apply(split);
      return;
    }
    report(BARRIER, Severity.ERROR, roles, BARRIERS + split.problem());
  }

  private boolean hasBarrier(IASTFunctionCallExpression call) {
    return file.byName.getOrDefault(Ast.callee(call), List.of()).stream()
        .anyMatch(
            f ->
                f.all(IASTFunctionCallExpression.class).stream()
                    .anyMatch(c -> Meeting.isBarrier(c, file.lanes(f))));
  }

  private void exchange(Lanes lanes, Roles roles) {
    boolean full = false;
    boolean same = false;
    boolean helper = false;
    List<List<IASTFunctionCallExpression>> ways = new ArrayList<>();
    for (Roles.Way w : roles.ways()) {
      ways.add(
          Ast.all(w.node(), IASTFunctionCallExpression.class).stream()
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
    Split split = new Split(file, lanes, roles, this::isExchange, Spread.WARP, BRANCH);
    if (split.problem().isEmpty()) {
      apply(split);
      return;
    }
    boolean sure = full && roles.conditions().stream().allMatch(c -> lanes.isSure(c, true));
    if (!full && !same) {
      return; // a function of the program's own, whose condition may well be the same for the warp
    }
    report(
        BRANCH,
        sure ? Severity.ERROR : Severity.WARNING,
        roles,
        "lanes of one warp call warp functions in different branches, with a mask over the lanes of"
            + " both; each call sees only the lanes of its own branch; the branches are not"
            + " split: "
            + split.problem());
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
    Set<String> names = Ast.names(a);
    if (names.isEmpty() || !Ast.all(a, IASTFunctionCallExpression.class).isEmpty()) {
      return false;
    }
    for (Roles.Way w : roles.ways()) {
      for (IASTDeclarator d : Ast.all(w.node(), IASTDeclarator.class)) {
        if (names.contains(Ast.simple(d.getName()))) {
          return false;
        }
      }
      if (Ast.assigned(w.node()).stream().anyMatch(names::contains)) {
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
        : "Call the function with all lanes of the mask together: select its operands by the"
            + " condition, and call it after the condition.";
  }
}
