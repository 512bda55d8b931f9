package dev.rocport.warp.schedule;

import dev.rocport.core.result.Disposition;
import dev.rocport.warp.schedule.Guards.Reach;
import dev.rocport.warp.schedule.Value.Spread;
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

  private static final Set<String> STORES =
      Set.of("store", "fetch_add", "exchange", "notify_one", "notify_all");

  private final File file;
  private final Text text;
  private final Schedule schedule;
  private final Guards guards;
  private final Set<IASTNode> locks;

  /** Parameters of the current function. */
  private List<String> parameters = List.of();

  /** Functions that wait for what a parameter points to, with the parameter index. */
  private final Map<String, Integer> waiters = new HashMap<>();

  /**
   * A place where lanes wait.
   *
   * @param place what they look at: the name of the variable or array
   * @param looks the expressions that read it
   * @param wanted the other operands of the condition
   */
  private record Wait(
      IASTStatement statement, Set<String> place, List<IASTNode> looks, List<IASTNode> wanted) {}

  private record Store(String place, IASTNode node) {}

  /**
   * @param locks loops that take locks, which are no concern of this
   */
  Waits(File file, Schedule schedule, Set<IASTNode> locks) {
    this.locks = locks;
    this.file = file;
    this.text = file.text;
    this.schedule = schedule;
    this.guards = new Guards(file);
  }

  void run() {
    if (!schedule.allows(RULE)) {
      return;
    }
    Map<Function, List<Wait>> waits = new HashMap<>();
    for (Function f : file.functions) {
      List<Wait> own = new ArrayList<>();
      parameters = f.parameters();
      for (IASTStatement s : f.all(IASTStatement.class)) {
        Wait w = Ast.isLoop(s) && !locks.contains(s) ? loop(s) : null;
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
    for (Function f : file.functions) {
      List<Wait> all = new ArrayList<>(waits.getOrDefault(f, List.of()));
      for (IASTStatement s : f.all(IASTStatement.class)) {
        Wait w = call(s);
        if (w != null) {
          all.add(w);
        }
      }
      if (!all.isEmpty()) {
        List<Store> stores = stores(f);
        all.forEach(w -> check(f, w, stores));
      }
    }
  }

  /** Parses a loop that only waits; null for other loops. */
  private @Nullable Wait loop(IASTStatement s) {
    IASTStatement body = Ast.body(s);
    IASTExpression condition = Ast.condition(s);
    if (Ast.isAlways(condition)) {
      condition = null;
      for (IASTStatement inner : Ast.statements(body)) {
        if (inner instanceof IASTIfStatement i
            && !Ast.statements(i.getThenClause()).isEmpty()
            && Ast.statements(i.getThenClause()).getLast() instanceof IASTBreakStatement) {
          condition = i.getConditionExpression();
        }
      }
    }
    if (condition == null || !idles(body) || !Ast.assigned(condition).isEmpty()) {
      return null;
    }
    List<IASTNode> looks = new ArrayList<>();
    List<IASTNode> wanted = new ArrayList<>();
    sort(condition, looks, wanted);
    Set<String> changed = Ast.assigned(body);
    if (looks.isEmpty()) {
      for (IASTBinaryExpression b : Ast.all(body, IASTBinaryExpression.class)) {
        if (b.getOperator() == IASTBinaryExpression.op_assign
            && Ast.names(condition).stream().anyMatch(Ast.names(b.getOperand1())::contains)) {
          sort(b.getOperand2(), looks, new ArrayList<>());
        }
      }
    } else {
      // A loop that walks on is not a wait.
      for (IASTNode look : looks) {
        if (Ast.names(look).stream().anyMatch(changed::contains)) {
          return null;
        }
      }
    }
    if (s instanceof org.eclipse.cdt.core.dom.ast.IASTForStatement f
        && f.getIterationExpression() != null) {
      return null;
    }
    Set<String> places = new HashSet<>();
    looks.forEach(l -> places.add(place(l)));
    places.remove("");
    return places.isEmpty() ? null : new Wait(s, places, looks, wanted);
  }

  /** The memory reads in an expression, and the values that they are compared with. */
  private void sort(IASTNode node, List<IASTNode> looks, List<IASTNode> wanted) {
    IASTNode n = Ast.bare(node);
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
      case IASTIdExpression id when file.isShared(Ast.simple(id.getName())) -> looks.add(id);
      case IASTFunctionCallExpression c when isLoad(c) ->
          looks.add(Ast.receiver(c) != null ? Ast.receiver(c) : Ast.arguments(c)[0]);
      case IASTFunctionCallExpression c when parameters.contains(Ast.callee(c)) ->
          looks.add(c.getFunctionNameExpression());
      default -> wanted.add(n);
    }
  }

  private static boolean isBuiltIn(IASTFieldReference f) {
    return Ast.bare(f.getFieldOwner()) instanceof IASTIdExpression id
        && Set.of("threadIdx", "blockIdx", "blockDim", "gridDim")
            .contains(Ast.simple(id.getName()));
  }

  private boolean isLoad(IASTFunctionCallExpression c) {
    String name = Ast.callee(c);
    IASTInitializerClause[] a = Ast.arguments(c);
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
    for (IASTFunctionCallExpression c : Ast.all(body, IASTFunctionCallExpression.class)) {
      String name = Ast.callee(c);
      if (!name.endsWith("nanosleep")
          && !name.startsWith("__threadfence")
          && !name.startsWith("clock")
          && !name.equals("min")
          && !name.equals("__syncwarp")
          && !isLoad(c)) {
        return false;
      }
    }
    return !Ast.stores(body);
  }

  /** The call of a function that waits; null for other statements. */
  private @Nullable Wait call(IASTStatement s) {
    IASTFunctionCallExpression c = Ast.callOf(s);
    Integer parameter = c == null ? null : waiters.get(Ast.callee(c));
    if (c == null || parameter == null || parameter >= Ast.arguments(c).length) {
      return null;
    }
    List<IASTNode> wanted = new ArrayList<>();
    for (int i = 0; i < Ast.arguments(c).length; i++) {
      if (i != parameter) {
        wanted.add(Ast.arguments(c)[i]);
      }
    }
    IASTNode look = Ast.arguments(c)[parameter];
    if (Ast.bare(look) instanceof ICPPASTLambdaExpression lambda) {
      return lambda(s, lambda);
    }
    String place = place(look);
    return place.isEmpty() ? null : new Wait(s, Set.of(place), List.of(look), wanted);
  }

  /** For a function that waits until a lambda returns true: what the lambda reads. */
  private @Nullable Wait lambda(IASTStatement s, ICPPASTLambdaExpression lambda) {
    List<IASTNode> looks = new ArrayList<>();
    List<IASTNode> wanted = new ArrayList<>();
    for (IASTReturnStatement r : Ast.all(lambda.getBody(), IASTReturnStatement.class)) {
      sort(r.getReturnValue(), looks, wanted);
    }
    Set<String> places = new HashSet<>();
    looks.forEach(l -> places.add(place(l)));
    places.remove("");
    return places.isEmpty() ? null : new Wait(s, places, looks, wanted);
  }

  /** The name of the variable or array that an expression or a pointer leads to. */
  private String place(IASTNode node) {
    IASTNode n = Ast.bare(node);
    return switch (n) {
      case null -> "";
      case IASTUnaryExpression u
          when u.getOperator() == IASTUnaryExpression.op_star
              || u.getOperator() == IASTUnaryExpression.op_amper ->
          place(u.getOperand());
      case IASTArraySubscriptExpression a -> place(a.getArrayExpression());
      case IASTBinaryExpression b when b.getOperator() == IASTBinaryExpression.op_plus ->
          place(b.getOperand1());
      case IASTFieldReference f -> Ast.simple(f.getFieldName());
      case IASTIdExpression id -> Ast.simple(id.getName());
      case IASTFunctionCallExpression c when Ast.callee(c).equals("const_cast") ->
          Ast.arguments(c).length == 1 ? place(Ast.arguments(c)[0]) : "";
      default -> "";
    };
  }

  private List<Store> stores(Function f) {
    List<Store> stores = new ArrayList<>();
    for (IASTBinaryExpression b : f.all(IASTBinaryExpression.class)) {
      if (Ast.isAssignment(b.getOperator())) {
        stores.add(new Store(place(b.getOperand1()), b));
      }
    }
    for (IASTFunctionCallExpression c : f.all(IASTFunctionCallExpression.class)) {
      String name = Ast.callee(c);
      IASTInitializerClause[] a = Ast.arguments(c);
      IASTExpression object = Ast.receiver(c);
      if (object != null && STORES.contains(name)) {
        stores.add(new Store(place(object), c));
      } else if (object == null && name.startsWith("atomic") && a.length > 0) {
        stores.add(new Store(place(a[0]), c));
      }
      for (Function g : file.byName.getOrDefault(name, List.of())) {
        for (int i = 0; i < Math.min(a.length, g.parameters().size()); i++) {
          if (!waiters.containsKey(name) && storesTo(g, g.parameters().get(i))) {
            stores.add(new Store(place(a[i]), c));
          }
        }
      }
    }
    return stores;
  }

  private boolean storesTo(Function g, String parameter) {
    for (IASTBinaryExpression b : g.all(IASTBinaryExpression.class)) {
      if (Ast.isAssignment(b.getOperator())
          && !(Ast.bare(b.getOperand1()) instanceof IASTIdExpression)
          && place(b.getOperand1()).equals(parameter)) {
        return true;
      }
    }
    return g.all(IASTFunctionCallExpression.class).stream()
        .anyMatch(
            c ->
                Ast.callee(c).startsWith("atomic")
                    && Ast.arguments(c).length > 0
                    && place(Ast.arguments(c)[0]).equals(parameter));
  }

  private void check(Function f, Wait w, List<Store> stores) {
    Lanes lanes = file.lanes(f);
    Spread harmless = file.isOneWarp(f) ? Spread.WARP : Spread.WAVE;
    boolean elsewhere = w.looks().stream().anyMatch(lanes::isOfOtherBlock);
    if (elsewhere) {
      return;
    }
    for (Store s : stores) {
      if (!w.place().contains(s.place()) || Ast.isInside(s.node(), w.statement())) {
        continue;
      }
      IASTIfStatement between = branch(f, w.statement(), s.node(), harmless);
      if (between != null) {
        Reach reach = guards.reach(f, between);
        if (reach == Reach.MANY || reach == Reach.ONE_OF_32) {
          fail(w, "other lanes of its wave store it in another branch, on line ", s);
          return;
        }
      }
    }
    Spread spread = Spread.BLOCK;
    for (IASTNode n : w.looks()) {
      spread = spread.or(lanes.of(n).spread());
    }
    for (IASTNode n : w.wanted()) {
      spread = spread.or(lanes.of(n).spread());
    }
    Reach reach = guards.reach(f, w.statement());
    if (spread.compareTo(harmless) <= 0 || reach == Reach.ONE || reach == Reach.ONE_OF_64) {
      return;
    }
    for (Store s : stores) {
      if (w.place().contains(s.place()) && text.start(s.node()) >= text.end(w.statement())) {
        fail(w, "lanes that have finished waiting store it for others of their wave, on line ", s);
        return;
      }
    }
    boolean ticket =
        w.wanted().stream().anyMatch(n -> lanes.comesFrom(n, name -> name.startsWith("atomic")));
    if (ticket && !f.kernel()) {
      fail(w, "each lane waits for its own turn, which a lane passes on only after the loop", null);
    }
  }

  /** The condition that a store is on the other side of, or after. */
  private @Nullable IASTIfStatement branch(
      Function f, IASTNode wait, IASTNode store, Spread harmless) {
    Lanes lanes = file.lanes(f);
    IASTNode below = wait;
    for (IASTNode n = wait.getParent(); n != null && n != f.node(); n = n.getParent()) {
      if (n instanceof IASTIfStatement i
          && i.getConditionExpression() != null
          && below != i.getConditionExpression()
          && lanes.of(i.getConditionExpression()).spread().compareTo(harmless) > 0
          && !Ast.isInside(store, below)
          && !Ast.isInside(store, i.getConditionExpression())
          && (Ast.isInside(store, i) || text.start(store) > text.end(i))
          && !sameCondition(store, i, f)) {
        return i;
      }
      below = n;
    }
    return null;
  }

  /** True if a store is under the same condition again. */
  private boolean sameCondition(IASTNode store, IASTIfStatement first, Function f) {
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
