package dev.rocport.warp.schedule;

import dev.rocport.warp.schedule.Value.Kind;
import dev.rocport.warp.schedule.Value.Spread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTConditionalExpression;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTEqualsInitializer;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpressionList;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTIfStatement;
import org.eclipse.cdt.core.dom.ast.IASTInitializer;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTLiteralExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTSwitchStatement;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTConstructorInitializer;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTInitializerList;
import org.jspecify.annotations.Nullable;

/**
 * How far the values of a function's expressions spread over lanes, warps and blocks. Variables are
 * known by name, and by all that is ever assigned to them.
 */
final class Lanes {
  private static final int DEPTH_OF_REFERENCES = 4;

  private static final int ROUNDS = 4;

  /** Warp functions whose result all lanes of the warp get. */
  private static final Set<String> VOTES =
      Set.of(
          "__ballot_sync",
          "__any_sync",
          "__all_sync",
          "__uni_sync",
          "__activemask",
          "__ballot",
          "__any",
          "__all",
          "__match_all_sync",
          "__reduce_add_sync",
          "__reduce_min_sync",
          "__reduce_max_sync",
          "__reduce_and_sync",
          "__reduce_or_sync",
          "__reduce_xor_sync");

  private final File file;
  private final Function function;
  private final Map<String, List<IASTNode>> sources = new HashMap<>();
  private final Map<String, Set<IASTNode>> scopes = new HashMap<>();
  private final Map<String, Value> values = new HashMap<>();
  private final boolean flat;

  Lanes(File file, Function function) {
    this.file = file;
    this.function = function;
    this.flat = isFlat();
    collect();
    for (int round = 0; round < ROUNDS; round++) {
      boolean changed = false;
      for (Map.Entry<String, List<IASTNode>> e : sources.entrySet()) {
        Value now = variable(e.getKey(), e.getValue());
        changed |= !now.equals(values.put(e.getKey(), now));
      }
      if (!changed) {
        break;
      }
    }
  }

  /** Blocks have one dimension, as far as this function looks at them. */
  private boolean isFlat() {
    for (IASTFieldReference f : function.all(IASTFieldReference.class)) {
      if (Ast.bare(f.getFieldOwner()) instanceof IASTIdExpression id
          && Ast.simple(id.getName()).equals("threadIdx")
          && !Ast.simple(f.getFieldName()).equals("x")) {
        return false;
      }
    }
    return true;
  }

  private void collect() {
    for (IASTDeclarator d : function.all(IASTDeclarator.class)) {
      String name = Ast.simple(d.getName());
      if (name.isEmpty()) {
        continue;
      }
      scopes.computeIfAbsent(name, k -> new HashSet<>()).add(scopeOf(d));
      IASTInitializer initializer = d.getInitializer();
      if (initializer != null) {
        sources.computeIfAbsent(name, k -> new ArrayList<>()).add(initializer);
      }
    }
    for (IASTBinaryExpression b : function.all(IASTBinaryExpression.class)) {
      if (Ast.isAssignment(b.getOperator())) {
        source(b.getOperand1(), b);
      }
    }
    for (IASTUnaryExpression u : function.all(IASTUnaryExpression.class)) {
      if (Ast.isStep(u)) {
        source(u.getOperand(), u);
      }
    }
  }

  private void source(IASTNode target, IASTNode by) {
    IASTNode t = Ast.bare(target);
    while (t instanceof IASTFieldReference || t instanceof IASTArraySubscriptExpression) {
      t =
          t instanceof IASTFieldReference f
              ? Ast.bare(f.getFieldOwner())
              : Ast.bare(((IASTArraySubscriptExpression) t).getArrayExpression());
    }
    if (t instanceof IASTIdExpression id && scopes.containsKey(Ast.simple(id.getName()))) {
      sources.computeIfAbsent(Ast.simple(id.getName()), k -> new ArrayList<>()).add(by);
    }
  }

  private IASTNode scopeOf(IASTDeclarator d) {
    for (IASTNode n = d.getParent(); n != null && n != function.node(); n = n.getParent()) {
      if (n instanceof org.eclipse.cdt.core.dom.ast.IASTCompoundStatement || Ast.isLoop(n)) {
        return n;
      }
    }
    return function.body();
  }

  private Value variable(String name, List<IASTNode> all) {
    Value result = null;
    for (IASTNode by : all) {
      Value v = assigned(name, by).atLeast(control(by, scopes.getOrDefault(name, Set.of())));
      result = result == null ? v : result.join(v);
    }
    return result == null ? Value.UNIFORM : result;
  }

  private Value assigned(String name, IASTNode by) {
    return switch (by) {
      case IASTEqualsInitializer e -> initial(e.getInitializerClause());
      case ICPPASTConstructorInitializer c -> join(c.getArguments());
      case ICPPASTInitializerList l -> join(l.getClauses());
      case IASTBinaryExpression b when b.getOperator() == IASTBinaryExpression.op_assign ->
          isName(b.getOperand1(), name)
              ? of(b.getOperand2())
              : Value.of(of(b.getOperand2()).spread());
      case IASTBinaryExpression b ->
          Value.of(values.getOrDefault(name, Value.UNIFORM).join(of(b.getOperand2())).spread());
      default -> Value.of(values.getOrDefault(name, Value.UNIFORM).spread());
    };
  }

  private Value initial(IASTInitializerClause clause) {
    // Without the header a parser may take the brackets of the template for comparisons.
    return clause instanceof IASTBinaryExpression
            && file.text.of(clause).contains("tiled_partition")
        ? Value.of(Kind.TEAM, file.tileWidth(clause))
        : of(clause);
  }

  private static boolean isName(IASTNode node, String name) {
    return Ast.bare(node) instanceof IASTIdExpression id && Ast.simple(id.getName()).equals(name);
  }

  private Value join(IASTInitializerClause[] clauses) {
    Value result = clauses.length == 1 ? of(clauses[0]) : Value.UNIFORM;
    for (int i = 0; clauses.length > 1 && i < clauses.length; i++) {
      result = result.join(Value.of(of(clauses[i]).spread()));
    }
    return result;
  }

  /** How far the conditions between a node and the first of the nodes around it spread. */
  Spread control(IASTNode node, Set<IASTNode> around) {
    Spread spread = Spread.BLOCK;
    IASTNode below = node;
    for (IASTNode n = node.getParent();
        n != null && !around.contains(n) && n != function.node();
        n = n.getParent()) {
      IASTNode from = below;
      IASTNode condition =
          switch (n) {
            case IASTIfStatement i when from != i.getConditionExpression() ->
                i.getConditionExpression();
            case IASTSwitchStatement s -> s.getControllerExpression();
            case IASTConditionalExpression c when from != c.getLogicalConditionExpression() ->
                c.getLogicalConditionExpression();
            default -> Ast.isLoop(n) ? Ast.condition(n) : null;
          };
      if (condition != null) {
        spread = spread.or(of(condition).spread());
      }
      below = n;
    }
    return spread;
  }

  Value of(@Nullable IASTNode node) {
    IASTNode n = Ast.bare(node);
    return switch (n) {
      case null -> Value.UNIFORM;
      case IASTLiteralExpression l -> literal(l.toString());
      case IASTIdExpression id -> name(Ast.simple(id.getName()));
      case IASTFieldReference f -> field(f);
      case IASTBinaryExpression b -> binary(b);
      case IASTUnaryExpression u -> unary(u);
      case IASTFunctionCallExpression c -> call(c);
      case IASTConditionalExpression c ->
          Value.of(
              of(c.getLogicalConditionExpression())
                  .join(of(c.getPositiveResultExpression()))
                  .join(of(c.getNegativeResultExpression()))
                  .spread());
      case IASTArraySubscriptExpression a ->
          Value.of(of(a.getArrayExpression()).spread().or(of(a.getArgument()).spread()));
      case IASTExpressionList list -> {
        Value last = Value.UNIFORM;
        for (IASTNode e : list.getExpressions()) {
          last = of(e);
        }
        yield last;
      }
      default -> {
        Spread spread = Spread.BLOCK;
        for (IASTNode child : n.getChildren()) {
          spread = spread.or(of(child).spread());
        }
        yield Value.of(spread);
      }
    };
  }

  static Value literal(String text) {
    if (text.equals("true") || text.equals("false")) {
      return Value.constant(text.equals("true") ? 1 : 0);
    }
    int end = text.length();
    while (end > 0 && "uUlL".indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    if (end == 0 || !Character.isDigit(text.charAt(0)) || text.indexOf('.') >= 0) {
      return Value.UNIFORM;
    }
    try {
      return Value.constant(Long.decode(text.substring(0, end).replace("'", "")));
    } catch (NumberFormatException e) {
      return Value.UNIFORM;
    }
  }

  /** The expression that a variable stands for all its life; null where there is none. */
  @Nullable IASTExpression onlyValue(String name) {
    List<IASTNode> all = sources.getOrDefault(name, List.of());
    return all.size() == 1
            && all.getFirst() instanceof IASTEqualsInitializer e
            && e.getInitializerClause() instanceof IASTExpression x
        ? x
        : null;
  }

  /**
   * True if lanes differ in an expression for sure where it spreads: it goes back to the number of
   * the thread, not to what a warp function gave, and not to memory unless {@code loads} count.
   */
  boolean isSure(@Nullable IASTNode node, boolean loads) {
    return isSure(node, loads, ROUNDS);
  }

  private boolean isSure(@Nullable IASTNode node, boolean loads, int depth) {
    IASTNode n = Ast.bare(node);
    if (n == null || depth == 0) {
      return false;
    }
    Value v = of(n);
    return switch (n) {
      case IASTIdExpression id ->
          v.spread() == Spread.BLOCK
              || v.kind() != Kind.OTHER
              || isSure(onlyValue(Ast.simple(id.getName())), loads, depth - 1);
      case IASTFieldReference _, IASTLiteralExpression _ -> true;
      case IASTBinaryExpression b ->
          isSure(b.getOperand1(), loads, depth) && isSure(b.getOperand2(), loads, depth);
      case IASTUnaryExpression u ->
          (loads || u.getOperator() != IASTUnaryExpression.op_star)
              && isSure(u.getOperand(), loads, depth);
      case IASTFunctionCallExpression c -> {
        boolean sure = !Ast.callee(c).startsWith("__");
        for (IASTInitializerClause a : Ast.arguments(c)) {
          sure &= isSure(a, loads, depth);
        }
        yield sure || v.kind() != Kind.OTHER;
      }
      case IASTArraySubscriptExpression a -> loads && isSure(a.getArgument(), loads, depth);
      case IASTConditionalExpression c ->
          loads
              && isSure(c.getPositiveResultExpression(), loads, depth)
              && isSure(c.getNegativeResultExpression(), loads, depth);
      default -> v.spread() == Spread.BLOCK;
    };
  }

  /** True if a value goes back to a call of such a function, in this one. */
  boolean comesFrom(IASTNode node, Predicate<String> called) {
    return reachable(node).stream().anyMatch(n -> Ast.calls(n, called));
  }

  /** True for what another block stores: its place is told from this one's by a distance. */
  boolean isOfOtherBlock(IASTNode node) {
    if (isInSharedMemory(node, DEPTH_OF_REFERENCES)) {
      return false;
    }
    boolean block = false;
    boolean distance = false;
    for (IASTNode n : reachable(node)) {
      block |= Ast.names(n).contains("blockIdx");
      distance |=
          Ast.all(n, IASTBinaryExpression.class).stream()
              .anyMatch(b -> b.getOperator() == IASTBinaryExpression.op_minus);
    }
    return block && distance;
  }

  /** True if an expression leads into shared memory, by references and pointers, too. */
  private boolean isInSharedMemory(@Nullable IASTNode node, int depth) {
    return depth > 0
        && switch (Ast.bare(node)) {
          case IASTFieldReference f -> isInSharedMemory(f.getFieldOwner(), depth);
          case IASTArraySubscriptExpression a -> isInSharedMemory(a.getArrayExpression(), depth);
          case IASTUnaryExpression u -> isInSharedMemory(u.getOperand(), depth);
          case IASTEqualsInitializer e -> isInSharedMemory(e.getInitializerClause(), depth);
          case IASTIdExpression id -> {
            String name = Ast.simple(id.getName());
            yield file.isShared(name)
                || sources.getOrDefault(name, List.of()).stream()
                    .anyMatch(s -> isInSharedMemory(s, depth - 1));
          }
          case null, default -> false;
        };
  }

  /** An expression and all that its variables were given. */
  private List<IASTNode> reachable(IASTNode node) {
    List<IASTNode> all = new ArrayList<>(List.of(node));
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < all.size(); i++) {
      for (String name : Ast.names(all.get(i))) {
        if (seen.add(name)) {
          all.addAll(sources.getOrDefault(name, List.of()));
        }
      }
    }
    return all;
  }

  private Value name(String name) {
    if (values.containsKey(name)) {
      return values.get(name);
    }
    if (sources.containsKey(name) || function.parameters().contains(name)) {
      return parameter(name);
    }
    return switch (name) {
      case "warpSize" -> Value.constant(32);
      case "threadIdx" -> Value.of(Spread.LANE);
      default -> file.constant(name);
    };
  }

  /** A kernel's parameters are the same for all; others are as their names say. */
  private Value parameter(String name) {
    if (function.kernel() || sources.containsKey(name)) {
      return Value.UNIFORM;
    }
    return file.argument(function, function.parameters().indexOf(name));
  }

  private Value field(IASTFieldReference f) {
    String field = Ast.simple(f.getFieldName());
    if (Ast.bare(f.getFieldOwner()) instanceof IASTIdExpression id) {
      switch (Ast.simple(id.getName())) {
        case "threadIdx" -> {
          return field.equals("x")
              ? Value.of(flat ? Kind.THREAD : Kind.COLUMN, 0)
              : Value.of(Spread.WARP);
        }
        case "blockDim" -> {
          return field.equals("x") ? Value.of(Kind.WIDTH, 0) : Value.UNIFORM;
        }
        default -> {}
      }
    }
    return Value.of(of(f.getFieldOwner()).spread());
  }

  private Value unary(IASTUnaryExpression u) {
    Value v = of(u.getOperand());
    return switch (u.getOperator()) {
      case IASTUnaryExpression.op_minus ->
          v.isConstant() ? Value.constant(-v.number()) : Value.of(v.spread());
      case IASTUnaryExpression.op_tilde ->
          v.isConstant() ? Value.constant(~v.number()) : Value.of(v.spread());
      case IASTUnaryExpression.op_plus -> v;
      default -> Value.of(v.spread());
    };
  }

  private Value binary(IASTBinaryExpression b) {
    Value x = of(b.getOperand1());
    Value y = of(b.getOperand2());
    Spread spread = x.spread().or(y.spread());
    return switch (b.getOperator()) {
      case IASTBinaryExpression.op_assign -> y;
      case IASTBinaryExpression.op_plus -> sum(x, y, spread);
      case IASTBinaryExpression.op_multiply -> product(x, y, spread);
      case IASTBinaryExpression.op_divide ->
          y.isConstant() ? divided(x, y.number()) : Value.of(spread);
      case IASTBinaryExpression.op_shiftRight ->
          y.isConstant() && y.number() >= 0 && y.number() < 31
              ? divided(x, 1L << y.number())
              : Value.of(spread);
      case IASTBinaryExpression.op_shiftLeft ->
          x.isConstant() && y.isConstant()
              ? Value.constant(x.number() << y.number())
              : Value.of(spread);
      case IASTBinaryExpression.op_modulo ->
          y.isConstant() ? modulo(x, y.number()) : Value.of(spread);
      case IASTBinaryExpression.op_binaryAnd ->
          y.isConstant() && Long.bitCount(y.number() + 1) == 1
              ? modulo(x, y.number() + 1)
              : Value.of(spread);
      case IASTBinaryExpression.op_minus ->
          x.isConstant() && y.isConstant()
              ? Value.constant(x.number() - y.number())
              : Value.of(spread);
      case IASTBinaryExpression.op_lessThan, IASTBinaryExpression.op_greaterEqual ->
          Value.of(split(x, y, 0, spread));
      case IASTBinaryExpression.op_lessEqual, IASTBinaryExpression.op_greaterThan ->
          Value.of(split(x, y, 1, spread));
      default -> Value.of(spread);
    };
  }

  private static Value sum(Value x, Value y, Spread spread) {
    if (x.isConstant() && y.isConstant()) {
      return Value.constant(x.number() + y.number());
    }
    boolean first = x.spread() == Spread.LANE;
    Value thread = first ? x : y;
    Value other = first ? y : x;
    if (thread.kind() == Kind.COLUMN && other.kind() == Kind.ROW) {
      return Value.of(Kind.THREAD, 0);
    }
    boolean numbered =
        thread.kind() == Kind.THREAD
            || thread.kind() == Kind.COLUMN
            || thread.kind() == Kind.GLOBAL;
    // A block's first thread, in practice: blockIdx.x * blockDim.x, which is a multiple of 32.
    return numbered && other.spread() == Spread.BLOCK && !other.isConstant()
        ? Value.of(thread.kind() == Kind.COLUMN ? Kind.COLUMN : Kind.GLOBAL, 0)
        : Value.of(spread);
  }

  private static Value product(Value x, Value y, Spread spread) {
    if (x.isConstant() && y.isConstant()) {
      return Value.constant(x.number() * y.number());
    }
    boolean row =
        (x.kind() == Kind.WIDTH && y.spread() == Spread.WARP)
            || (y.kind() == Kind.WIDTH && x.spread() == Spread.WARP);
    return row ? Value.of(Kind.ROW, 0) : Value.of(spread);
  }

  private static Value divided(Value x, long by) {
    if (by <= 0) {
      return Value.of(x.spread());
    }
    if (x.isConstant()) {
      return Value.constant(x.number() / by);
    }
    return switch (x.kind()) {
      case THREAD, GLOBAL, COLUMN -> Value.of(Kind.GROUP, by);
      case GROUP -> Value.of(Kind.GROUP, x.number() * by);
      default -> Value.of(x.spread());
    };
  }

  private static Value modulo(Value x, long by) {
    if (by <= 0) {
      return Value.of(x.spread());
    }
    if (x.isConstant()) {
      return Value.constant(x.number() % by);
    }
    return switch (x.kind()) {
      case THREAD, GLOBAL, COLUMN -> Value.of(Kind.LANE, by);
      case LANE -> Value.of(Kind.LANE, Math.min(by, x.number()));
      default -> Value.of(x.spread());
    };
  }

  /** How far a comparison spreads: all threads below a multiple of 64 lie in the same waves. */
  private static Spread split(Value x, Value y, int more, Spread spread) {
    Value counted = x.isConstant() ? y : x;
    Value bound = x.isConstant() ? x : y;
    if (!bound.isConstant()) {
      return spread;
    }
    long first = bound.number() + (x.isConstant() ? 1 - more : more);
    long threads =
        switch (counted.kind()) {
          case THREAD -> first;
          case GROUP -> first * counted.number();
          default -> -1;
        };
    return threads < 0
        ? spread
        : threads % 64 == 0 ? Spread.WAVE : threads % 32 == 0 ? Spread.WARP : spread;
  }

  private Value call(IASTFunctionCallExpression c) {
    String name = Ast.callee(c);
    IASTInitializerClause[] arguments = Ast.arguments(c);
    Spread all = Spread.BLOCK;
    for (IASTInitializerClause a : arguments) {
      all = all.or(of(a).spread());
    }
    IASTExpression object = Ast.receiver(c);
    if (object != null) {
      return member(name, of(object), all);
    }
    if (VOTES.contains(name)) {
      return Value.of(Spread.WARP);
    }
    if (name.startsWith("__syncthreads_")) {
      return Value.UNIFORM;
    }
    if (name.equals("__shfl_sync") && arguments.length >= 3) {
      boolean whole =
          arguments.length == 3
              || (of(arguments[3]).isConstant() && of(arguments[3]).number() == 32);
      Spread source = of(arguments[2]).spread();
      return Value.of(whole && source != Spread.LANE ? Spread.WARP : Spread.LANE);
    }
    if (name.startsWith("__shfl") || name.startsWith("__match") || name.startsWith("atomic")) {
      return Value.of(Spread.LANE);
    }
    return switch (name) {
      case "this_thread_block" -> Value.of(Kind.TEAM, 0);
      case "this_grid" -> Value.of(Kind.TEAM, -1);
      case "tiled_partition" -> Value.of(Kind.TEAM, file.tileWidth(c));
      default -> {
        Value known = file.result(name);
        yield known != null ? known : Value.of(all);
      }
    };
  }

  private static Value member(String name, Value team, Spread all) {
    if (team.kind() != Kind.TEAM) {
      return name.startsWith("shfl") || name.startsWith("match") || name.equals("thread_rank")
          ? Value.of(Spread.LANE)
          : Value.of(team.spread().or(all));
    }
    return switch (name) {
      case "thread_rank" ->
          team.number() == 0
              ? Value.of(Kind.THREAD, 0)
              : team.number() < 0 ? Value.of(Kind.GLOBAL, 0) : Value.of(Kind.LANE, team.number());
      case "meta_group_rank" -> Value.of(Kind.GROUP, Math.max(1, team.number()));
      case "any", "all", "ballot", "shfl" ->
          Value.of(team.number() >= 32 ? Spread.WARP.or(all) : Spread.LANE);
      case "thread_index" -> Value.of(Spread.LANE);
      case "size", "num_threads", "group_index", "meta_group_size" -> Value.UNIFORM;
      default -> Value.of(Spread.LANE);
    };
  }

  /** The value that all returns of the function have in common. */
  Value returned() {
    Value result = null;
    for (IASTReturnStatement r : function.all(IASTReturnStatement.class)) {
      Value v = of(r.getReturnValue()).atLeast(control(r, Set.of(function.body())));
      result = result == null ? v : result.join(v);
    }
    return result == null ? Value.UNIFORM : result;
  }
}
