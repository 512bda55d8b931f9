package dev.rocport.warp.schedule;

import dev.rocport.core.result.Disposition;
import dev.rocport.warp.code.DeviceCode;
import dev.rocport.warp.code.DeviceFunction;
import dev.rocport.warp.code.SourceText;
import dev.rocport.warp.code.Syntax;
import dev.rocport.warp.schedule.Guards.Reach;
import dev.rocport.warp.schedule.MemoryStores.Store;
import dev.rocport.warp.uniformity.Lanes;
import dev.rocport.warp.uniformity.Uniformity;
import dev.rocport.warp.uniformity.UniformityAnalysis;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTBreakStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTIfStatement;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTLambdaExpression;
import org.jspecify.annotations.Nullable;

/**
 * Finds loops that wait for a value in memory that a lane of the same wave stores: in another
 * branch, or after the loop, which that lane never reaches while its neighbors wait.
 */
final class Waits {
  static final String RULE = "W64-HANDOVER";

  private static final Set<String> LOADS = Set.of("__ldcg", "__ldcv", "__ldca", "__ldg", "load");

  private final UniformityAnalysis analysis;
  private final DeviceCode code;
  private final SourceText text;
  private final Schedule schedule;
  private final Guards guards;
  private final Set<IASTNode> locks;

  /** Parameters of the current function. */
  private List<String> parameters = List.of();

  /** Functions that wait for what a parameter points to, with the parameter index. */
  private final Map<String, Integer> waiters = new HashMap<>();

  private final MemoryStores stores;

  /**
   * A place where lanes wait.
   *
   * @param place what they look at: the name of the variable or array
   * @param looks the expressions that read it
   * @param wanted the other operands of the condition
   */
  private record Wait(
      IASTStatement statement, Set<String> place, List<IASTNode> looks, List<IASTNode> wanted) {}

  /**
   * @param locks loops that take locks, which are no concern of this
   */
  Waits(UniformityAnalysis analysis, Schedule schedule, Set<IASTNode> locks) {
    this.locks = locks;
    this.analysis = analysis;
    this.code = analysis.code();
    this.text = code.text();
    this.schedule = schedule;
    this.guards = new Guards(analysis);
    this.stores = new MemoryStores(code, waiters.keySet());
  }

  void run() {
    if (!schedule.allows(RULE)) {
      return;
    }
    Map<DeviceFunction, List<Wait>> waits = new HashMap<>();
    for (DeviceFunction f : code.functions()) {
      List<Wait> own = new ArrayList<>();
      parameters = f.parameters();
      for (IASTStatement s : f.all(IASTStatement.class)) {
        Wait w = Syntax.isLoop(s) && !locks.contains(s) ? loop(s) : null;
        if (w != null) {
          own.add(w);
        }
      }
      waits.put(f, own);
      for (Wait w : own) {
        for (int i = 0; i < f.parameters().size(); i++) {
          if (w.place().contains(f.parameters().get(i))) {
            waiters.putIfAbsent(f.name(), i);
          }
        }
      }
    }
    for (DeviceFunction f : code.functions()) {
      List<Wait> all = new ArrayList<>(waits.getOrDefault(f, List.of()));
      for (IASTStatement s : f.all(IASTStatement.class)) {
        Wait w = call(s);
        if (w != null) {
          all.add(w);
        }
      }
      if (!all.isEmpty()) {
        List<Store> own = stores.of(f);
        all.forEach(w -> check(f, w, own));
      }
    }
  }

  /** Parses a loop that only waits; null for other loops. */
  private @Nullable Wait loop(IASTStatement s) {
    IASTStatement body = Syntax.body(s);
    IASTExpression condition = Syntax.condition(s);
    if (Syntax.isAlways(condition)) {
      condition = null;
      for (IASTStatement inner : Syntax.statements(body)) {
        if (inner instanceof IASTIfStatement i
            && !Syntax.statements(i.getThenClause()).isEmpty()
            && Syntax.statements(i.getThenClause()).getLast() instanceof IASTBreakStatement) {
          condition = i.getConditionExpression();
        }
      }
    }
    if (condition == null || !idles(body) || !Syntax.assigned(condition).isEmpty()) {
      return null;
    }
    List<IASTNode> looks = new ArrayList<>();
    List<IASTNode> wanted = new ArrayList<>();
    sort(condition, looks, wanted);
    Set<String> changed = Syntax.assigned(body);
    if (looks.isEmpty()) {
      for (IASTBinaryExpression b : Syntax.all(body, IASTBinaryExpression.class)) {
        if (b.getOperator() == IASTBinaryExpression.op_assign
            && Syntax.names(condition).stream().anyMatch(Syntax.names(b.getOperand1())::contains)) {
          sort(b.getOperand2(), looks, new ArrayList<>());
        }
      }
    } else {
      // A loop that walks on is not a wait.
      for (IASTNode look : looks) {
        if (Syntax.names(look).stream().anyMatch(changed::contains)) {
          return null;
        }
      }
    }
    if (s instanceof org.eclipse.cdt.core.dom.ast.IASTForStatement f
        && f.getIterationExpression() != null) {
      return null;
    }
    Set<String> places = new HashSet<>();
    looks.forEach(l -> places.add(MemoryStores.place(l)));
    places.remove("");
    return places.isEmpty() ? null : new Wait(s, places, looks, wanted);
  }

  /** The memory reads in an expression, and the values that they are compared with. */
  private void sort(IASTNode node, List<IASTNode> looks, List<IASTNode> wanted) {
    IASTNode n = Syntax.bare(node);
    switch (n) {
      case null -> {}
      case IASTBinaryExpression b -> {
        sort(b.getOperand1(), looks, wanted);
        sort(b.getOperand2(), looks, wanted);
      }
      case IASTUnaryExpression u when u.getOperator() == IASTUnaryExpression.op_star ->
          looks.add(u);
      case IASTUnaryExpression u -> sort(u.getOperand(), looks, wanted);
      case IASTArraySubscriptExpression a -> looks.add(a);
      case IASTFieldReference f when !isBuiltIn(f) -> looks.add(f);
      case IASTIdExpression id when code.isShared(Syntax.simple(id.getName())) -> looks.add(id);
      case IASTFunctionCallExpression c when isLoad(c) ->
          looks.add(Syntax.receiver(c) != null ? Syntax.receiver(c) : Syntax.arguments(c)[0]);
      case IASTFunctionCallExpression c when parameters.contains(Syntax.callee(c)) ->
          looks.add(c.getFunctionNameExpression());
      default -> wanted.add(n);
    }
  }

  private static boolean isBuiltIn(IASTFieldReference f) {
    return Syntax.bare(f.getFieldOwner()) instanceof IASTIdExpression id
        && Set.of("threadIdx", "blockIdx", "blockDim", "gridDim")
            .contains(Syntax.simple(id.getName()));
  }

  private boolean isLoad(IASTFunctionCallExpression c) {
    String name = Syntax.callee(c);
    IASTInitializerClause[] a = Syntax.arguments(c);
    if (name.startsWith("atomic")) {
      // An atomic operation that changes nothing.
      return a.length == 2
          ? text.tight(a[1]).matches("0[uUlL]*")
          : a.length == 3 && text.tight(a[1]).equals(text.tight(a[2]));
    }
    return LOADS.contains(name)
        || (a.length >= 1 && (name.contains("acquire") || name.contains("volatile")));
  }

  private boolean idles(@Nullable IASTStatement body) {
    for (IASTFunctionCallExpression c : Syntax.all(body, IASTFunctionCallExpression.class)) {
      String name = Syntax.callee(c);
      if (!name.endsWith("nanosleep")
          && !name.startsWith("__threadfence")
          && !name.startsWith("clock")
          && !name.equals("min")
          && !name.equals("__syncwarp")
          && !isLoad(c)) {
        return false;
      }
    }
    return !Syntax.stores(body);
  }

  /** The call of a function that waits; null for other statements. */
  private @Nullable Wait call(IASTStatement s) {
    IASTFunctionCallExpression c = Syntax.callOf(s);
    Integer parameter = c == null ? null : waiters.get(Syntax.callee(c));
    if (c == null || parameter == null || parameter >= Syntax.arguments(c).length) {
      return null;
    }
    List<IASTNode> wanted = new ArrayList<>();
    for (int i = 0; i < Syntax.arguments(c).length; i++) {
      if (i != parameter) {
        wanted.add(Syntax.arguments(c)[i]);
      }
    }
    IASTNode look = Syntax.arguments(c)[parameter];
    if (Syntax.bare(look) instanceof ICPPASTLambdaExpression lambda) {
      return lambda(s, lambda);
    }
    String place = MemoryStores.place(look);
    return place.isEmpty() ? null : new Wait(s, Set.of(place), List.of(look), wanted);
  }

  /** For a function that waits until a lambda returns true: what the lambda reads. */
  private @Nullable Wait lambda(IASTStatement s, ICPPASTLambdaExpression lambda) {
    List<IASTNode> looks = new ArrayList<>();
    List<IASTNode> wanted = new ArrayList<>();
    for (IASTReturnStatement r : Syntax.all(lambda.getBody(), IASTReturnStatement.class)) {
      sort(r.getReturnValue(), looks, wanted);
    }
    Set<String> places = new HashSet<>();
    looks.forEach(l -> places.add(MemoryStores.place(l)));
    places.remove("");
    return places.isEmpty() ? null : new Wait(s, places, looks, wanted);
  }

  private void check(DeviceFunction f, Wait w, List<Store> stores) {
    Lanes lanes = analysis.lanes(f);
    Uniformity harmless = analysis.isOneWarp(f) ? Uniformity.WARP : Uniformity.WAVE;
    boolean elsewhere = w.looks().stream().anyMatch(lanes::isOfOtherBlock);
    if (elsewhere) {
      return;
    }
    for (Store s : stores) {
      if (!w.place().contains(s.place()) || Syntax.isInside(s.node(), w.statement())) {
        continue;
      }
      IASTIfStatement between = branch(f, w.statement(), s.node(), harmless);
      if (between != null) {
        Reach reach = guards.reach(f, between);
        if (reach == Reach.MANY || reach == Reach.ONE_OF_32) {
          fail(w, "other lanes of the wave store to it in another branch, on line ", s);
          return;
        }
      }
    }
    Uniformity uniformity = Uniformity.BLOCK;
    for (IASTNode n : w.looks()) {
      uniformity = uniformity.join(lanes.of(n).uniformity());
    }
    for (IASTNode n : w.wanted()) {
      uniformity = uniformity.join(lanes.of(n).uniformity());
    }
    Reach reach = guards.reach(f, w.statement());
    if (uniformity.compareTo(harmless) <= 0 || reach == Reach.ONE || reach == Reach.ONE_OF_64) {
      return;
    }
    for (Store s : stores) {
      if (w.place().contains(s.place()) && text.start(s.node()) >= text.end(w.statement())) {
        fail(
            w,
            "the value that other lanes of the wave wait for is stored only after this loop, on"
                + " line ",
            s);
        return;
      }
    }
    boolean ticket =
        w.wanted().stream().anyMatch(n -> lanes.comesFrom(n, name -> name.startsWith("atomic")));
    if (ticket && !f.kernel()) {
      fail(w, "each lane waits for its turn, and a lane ends its turn only after the loop", null);
    }
  }

  /** The condition that a store is on the other side of, or after. */
  private @Nullable IASTIfStatement branch(
      DeviceFunction f, IASTNode wait, IASTNode store, Uniformity harmless) {
    Lanes lanes = analysis.lanes(f);
    IASTNode below = wait;
    for (IASTNode n = wait.getParent(); n != null && n != f.node(); n = n.getParent()) {
      if (n instanceof IASTIfStatement i
          && i.getConditionExpression() != null
          && below != i.getConditionExpression()
          && lanes.of(i.getConditionExpression()).uniformity().compareTo(harmless) > 0
          && !Syntax.isInside(store, below)
          && !Syntax.isInside(store, i.getConditionExpression())
          && (Syntax.isInside(store, i) || text.start(store) > text.end(i))
          && !sameCondition(store, i, f)) {
        return i;
      }
      below = n;
    }
    return null;
  }

  /** True if a store is under the same condition again. */
  private boolean sameCondition(IASTNode store, IASTIfStatement first, DeviceFunction f) {
    String condition = text.tight(first.getConditionExpression());
    for (IASTNode n = store.getParent(); n != null && n != f.node(); n = n.getParent()) {
      if (n != first
          && n instanceof IASTIfStatement i
          && i.getConditionExpression() != null
          && text.tight(i.getConditionExpression()).equals(condition)) {
        return true;
      }
    }
    return false;
  }

  private void fail(Wait w, String reason, @Nullable Store store) {
    int start = text.start(w.statement());
    int end = Math.min(text.end(w.statement()), start + 200);
    schedule.finding(
        RULE,
        Disposition.UNPORTED,
        start,
        Math.max(start + 1, end),
        "a wave can wait here forever for "
            + String.join(", ", new java.util.TreeSet<>(w.place()))
            + ": "
            + reason
            + (store == null ? "" : text.line(store.node())));
  }
}
