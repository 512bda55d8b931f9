package dev.rocport.warp.schedule;

import dev.rocport.warp.schedule.Value.Kind;
import dev.rocport.warp.schedule.Value.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTBreakStatement;
import org.eclipse.cdt.core.dom.ast.IASTCastExpression;
import org.eclipse.cdt.core.dom.ast.IASTConditionalExpression;
import org.eclipse.cdt.core.dom.ast.IASTContinueStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTEqualsInitializer;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpressionList;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTGotoStatement;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTIfStatement;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTLiteralExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTSimpleDeclSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTSimpleDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTSwitchStatement;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTConstructorInitializer;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTInitializerList;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTRangeBasedForStatement;
import org.jspecify.annotations.Nullable;

/**
 * How far the values of a function's expressions spread over lanes, warps and blocks.
 *
 * <p>A forward analysis without control flow: a variable is known by its name, and its value joins
 * all that is ever assigned to it, with the conditions that these assignments depend on. Values
 * only rise in the lattice of {@link Value}, which has a finite height, so {@link #rise} reaches a
 * fixpoint in every order of variables and functions. The analysis assumes that block widths are
 * multiples of 64, and that functions of other files take no variable by reference.
 */
final class Lanes {
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
  private final Map<String, List<IASTNode>> sources = new LinkedHashMap<>();
  private final Map<String, Set<IASTNode>> scopes = new HashMap<>();
  private final Map<String, Value> values = new HashMap<>();
  private final Set<String> floating = new HashSet<>();
  private final Map<IASTNode, List<String>> outputs;
  private final boolean flat;
  private Value returned = Value.NONE;

  Lanes(File file, Function function) {
    this.file = file;
    this.function = function;
    this.outputs = Outputs.of(file, function);
    this.flat = isFlat();
    collect();
    sources.keySet().forEach(name -> values.put(name, Value.NONE));
  }

  /** Joins to each variable what its sources have now; returns whether one of them rose. */
  boolean rise() {
    boolean rose = false;
    for (Map.Entry<String, List<IASTNode>> e : sources.entrySet()) {
      Value old = values.getOrDefault(e.getKey(), Value.NONE);
      Value now = old.join(variable(e.getKey(), e.getValue()));
      values.put(e.getKey(), now);
      rose |= !now.equals(old);
    }
    Value old = returned;
    returned = old.join(result());
    return rose || !returned.equals(old);
  }

  /**
   * Takes variables that nothing but themselves gave a value for uniform; returns whether there are
   * any. Their value is undefined, or comes from calls that never return.
   */
  boolean settle() {
    boolean settled = returned.isNone();
    returned = settled ? Value.UNIFORM : returned;
    for (Map.Entry<String, Value> e : values.entrySet()) {
      if (e.getValue().isNone()) {
        e.setValue(Value.UNIFORM);
        settled = true;
      }
    }
    return settled;
  }

  /** Blocks have one dimension, as far as this function uses them. */
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
    for (String p : function.parameters()) {
      scopes.computeIfAbsent(p, k -> new HashSet<>()).add(function.body());
      sources.put(p, new ArrayList<>());
    }
    for (IASTDeclarator d : function.all(IASTDeclarator.class)) {
      String name = Ast.simple(d.getName());
      if (name.isEmpty()) {
        continue;
      }
      scopes.computeIfAbsent(name, k -> new HashSet<>()).add(scopeOf(d));
      if (isFloating(d)) {
        floating.add(name);
      }
      IASTNode initializer =
          d.getParent().getParent() instanceof ICPPASTRangeBasedForStatement r
              ? r.getInitializerClause()
              : d.getInitializer();
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
    outputs.forEach(
        (place, names) -> {
          for (String name : names) {
            if (scopes.containsKey(name)) {
              sources.computeIfAbsent(name, k -> new ArrayList<>()).add(place);
            }
          }
        });
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
    int parameter = function.parameters().indexOf(name);
    Value result = parameter < 0 ? Value.NONE : given(parameter);
    for (IASTNode by : all) {
      Value v = assigned(name, by).atLeast(control(by, scopes.getOrDefault(name, Set.of())));
      result = result.join(v);
    }
    // A quotient of floating-point numbers does not number groups of threads.
    return floating.contains(name) && !result.isNone() ? Value.of(result.spread()) : result;
  }

  /** Parameters of a kernel are uniform; other parameters depend on their calls or names. */
  private Value given(int parameter) {
    return function.kernel() ? Value.UNIFORM : file.argument(function, parameter);
  }

  private static boolean isFloating(IASTDeclarator d) {
    IASTNode parent = d.getParent();
    IASTDeclSpecifier specifier =
        parent instanceof IASTSimpleDeclaration s ? s.getDeclSpecifier() : null;
    return specifier != null && d.getPointerOperators().length == 0 && isFloating(specifier);
  }

  private static boolean isFloating(IASTDeclSpecifier specifier) {
    return specifier instanceof IASTSimpleDeclSpecifier s
        && (s.getType() == IASTSimpleDeclSpecifier.t_float
            || s.getType() == IASTSimpleDeclSpecifier.t_double);
  }

  private Value assigned(String name, IASTNode by) {
    if (outputs.getOrDefault(by, List.of()).contains(name)) {
      return Value.of(Spread.LANE);
    }
    return switch (by) {
      case IASTEqualsInitializer e -> initial(e.getInitializerClause());
      case ICPPASTConstructorInitializer c -> join(c.getArguments());
      case ICPPASTInitializerList l -> join(l.getClauses());
      case IASTBinaryExpression b when b.getOperator() == IASTBinaryExpression.op_assign ->
          isName(b.getOperand1(), name)
              ? of(b.getOperand2())
              : Value.of(of(b.getOperand2()).spread());
      case IASTBinaryExpression b -> plain(List.of(now(name), of(b.getOperand2())));
      case IASTUnaryExpression _ -> plain(List.of(now(name)));
      default -> of(by);
    };
  }

  private Value now(String name) {
    return values.getOrDefault(name, Value.UNIFORM);
  }

  /** The join of the spreads of other values; bottom while one of them is bottom. */
  private static Value plain(List<Value> parts) {
    Spread spread = Spread.BLOCK;
    for (Value part : parts) {
      if (part.isNone()) {
        return Value.NONE;
      }
      spread = spread.or(part.spread());
    }
    return Value.of(spread);
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
    return clauses.length == 1
        ? of(clauses[0])
        : plain(Arrays.stream(clauses).map(this::of).toList());
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
            case IASTBinaryExpression b when isShort(b) && from == b.getOperand2() ->
                b.getOperand1();
            case ICPPASTRangeBasedForStatement r -> r.getInitializerClause();
            default -> Ast.isLoop(n) ? Ast.condition(n) : null;
          };
      if (condition != null) {
        spread = spread.or(of(condition).spread());
      }
      if (Ast.isLoop(n)) {
        spread = spread.or(jumps(n));
      }
      below = n;
    }
    return spread;
  }

  private static boolean isShort(IASTBinaryExpression b) {
    return b.getOperator() == IASTBinaryExpression.op_logicalAnd
        || b.getOperator() == IASTBinaryExpression.op_logicalOr;
  }

  /** How far the conditions of the jumps out of and within a loop's body spread. */
  private Spread jumps(IASTNode loop) {
    Spread spread = Spread.BLOCK;
    for (IASTStatement jump : Ast.all(Ast.body(loop), IASTStatement.class)) {
      if (isJump(jump) && Ast.loopAround(jump, function.node()) == loop) {
        spread = spread.or(control(jump, Set.of(loop)));
      }
    }
    return spread;
  }

  private static boolean isJump(IASTStatement s) {
    return s instanceof IASTBreakStatement
        || s instanceof IASTContinueStatement
        || s instanceof IASTGotoStatement;
  }

  Value of(@Nullable IASTNode node) {
    return isFloatingCast(node) ? plain(List.of(bare(Ast.bare(node)))) : bare(Ast.bare(node));
  }

  /** True for a cast to a floating-point type, in brackets or below other casts, too. */
  private static boolean isFloatingCast(@Nullable IASTNode node) {
    IASTNode n = node;
    while (true) {
      if (n instanceof IASTUnaryExpression u
          && u.getOperator() == IASTUnaryExpression.op_bracketedPrimary) {
        n = u.getOperand();
      } else if (n instanceof IASTCastExpression c) {
        if (isFloating(c.getTypeId().getDeclSpecifier())
            && c.getTypeId().getAbstractDeclarator().getPointerOperators().length == 0) {
          return true;
        }
        n = c.getOperand();
      } else {
        return false;
      }
    }
  }

  private Value bare(@Nullable IASTNode n) {
    return switch (n) {
      case null -> Value.UNIFORM;
      case IASTLiteralExpression l -> literal(l.toString());
      case IASTIdExpression id -> name(Ast.simple(id.getName()));
      case IASTFieldReference f -> field(f);
      case IASTBinaryExpression b -> binary(b);
      case IASTUnaryExpression u -> unary(u);
      case IASTFunctionCallExpression c -> call(c);
      case IASTConditionalExpression c ->
          plain(
              List.of(
                  of(c.getLogicalConditionExpression()),
                  of(c.getPositiveResultExpression()),
                  of(c.getNegativeResultExpression())));
      case IASTArraySubscriptExpression a ->
          plain(List.of(of(a.getArrayExpression()), of(a.getArgument())));
      case IASTExpressionList list -> {
        Value last = Value.UNIFORM;
        for (IASTNode e : list.getExpressions()) {
          last = of(e);
        }
        yield last;
      }
      default -> plain(Arrays.stream(n.getChildren()).map(this::of).toList());
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

  /** The only expression that is assigned to a variable; null if there is none. */
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
    return isSure(node, loads, new HashSet<>());
  }

  /**
   * As {@link #isSure(IASTNode, boolean)}.
   *
   * @param open the variables whose only value this one is part of
   */
  private boolean isSure(@Nullable IASTNode node, boolean loads, Set<String> open) {
    IASTNode n = Ast.bare(node);
    if (n == null) {
      return false;
    }
    Value v = of(n);
    return switch (n) {
      case IASTIdExpression id ->
          v.spread() == Spread.BLOCK
              || v.kind() != Kind.OTHER
              || isSureVariable(Ast.simple(id.getName()), loads, open);
      case IASTFieldReference _, IASTLiteralExpression _ -> true;
      case IASTBinaryExpression b ->
          isSure(b.getOperand1(), loads, open) && isSure(b.getOperand2(), loads, open);
      case IASTUnaryExpression u ->
          (loads || u.getOperator() != IASTUnaryExpression.op_star)
              && isSure(u.getOperand(), loads, open);
      case IASTFunctionCallExpression c -> {
        boolean sure = !Ast.callee(c).startsWith("__");
        for (IASTInitializerClause a : Ast.arguments(c)) {
          sure &= isSure(a, loads, open);
        }
        yield sure || v.kind() != Kind.OTHER;
      }
      case IASTArraySubscriptExpression a -> loads && isSure(a.getArgument(), loads, open);
      case IASTConditionalExpression c ->
          loads
              && isSure(c.getPositiveResultExpression(), loads, open)
              && isSure(c.getNegativeResultExpression(), loads, open);
      default -> v.spread() == Spread.BLOCK;
    };
  }

  private boolean isSureVariable(String name, boolean loads, Set<String> open) {
    boolean sure = open.add(name) && isSure(onlyValue(name), loads, open);
    open.remove(name);
    return sure;
  }

  /** True if a value goes back to a call of such a function, in this one. */
  boolean comesFrom(IASTNode node, Predicate<String> called) {
    return reachable(node).stream().anyMatch(n -> Ast.calls(n, called));
  }

  /**
   * True for what another block stores: its address differs from that of this block by a distance.
   */
  boolean isOfOtherBlock(IASTNode node) {
    if (isInSharedMemory(node, new HashSet<>())) {
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
  private boolean isInSharedMemory(@Nullable IASTNode node, Set<String> seen) {
    return switch (Ast.bare(node)) {
      case IASTFieldReference f -> isInSharedMemory(f.getFieldOwner(), seen);
      case IASTArraySubscriptExpression a -> isInSharedMemory(a.getArrayExpression(), seen);
      case IASTUnaryExpression u -> isInSharedMemory(u.getOperand(), seen);
      case IASTEqualsInitializer e -> isInSharedMemory(e.getInitializerClause(), seen);
      case IASTIdExpression id -> {
        String name = Ast.simple(id.getName());
        yield file.isShared(name)
            || (seen.add(name)
                && sources.getOrDefault(name, List.of()).stream()
                    .anyMatch(s -> isInSharedMemory(s, seen)));
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
    Value known = values.get(name);
    return known != null
        ? known
        : switch (name) {
          case "warpSize" -> Value.constant(32);
          case "threadIdx" -> Value.of(Spread.LANE);
          default -> file.constant(name);
        };
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
        case "blockIdx" -> {
          return Value.of(Kind.BLOCK, 0);
        }
        default -> {}
      }
    }
    return plain(List.of(of(f.getFieldOwner())));
  }

  private Value unary(IASTUnaryExpression u) {
    Value v = of(u.getOperand());
    if (v.isNone()) {
      return v;
    }
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
    if (x.isNone() || y.isNone()) {
      return Value.NONE;
    }
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
          y.isConstant() && y.number() >= 0 && y.number() < 31
              ? product(x, Value.constant(1L << y.number()), spread)
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
    if (numbered && other.kind() == Kind.FIRST) {
      return Value.of(thread.kind() == Kind.COLUMN ? Kind.COLUMN : Kind.GLOBAL, 0);
    }
    return x.kind() == Kind.FIRST && y.kind() == Kind.FIRST ? x : Value.of(spread);
  }

  private static Value product(Value x, Value y, Spread spread) {
    if (x.isConstant() && y.isConstant()) {
      return Value.constant(x.number() * y.number());
    }
    if (spread == Spread.BLOCK) {
      return isFirst(x, y) || isFirst(y, x) ? Value.of(Kind.FIRST, 0) : Value.UNIFORM;
    }
    boolean row =
        (x.kind() == Kind.WIDTH && y.spread() == Spread.WARP)
            || (y.kind() == Kind.WIDTH && x.spread() == Spread.WARP);
    return row ? Value.of(Kind.ROW, 0) : Value.of(spread);
  }

  /**
   * True if a product is a multiple of a block's width. A block's number is multiplied by the
   * threads of a block in practice, whatever name or constant they have.
   */
  private static boolean isFirst(Value x, Value y) {
    return x.kind() == Kind.WIDTH
        || x.kind() == Kind.FIRST
        || (x.kind() == Kind.BLOCK && (!y.isConstant() || y.number() % 64 == 0));
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

  /** How far a comparison spreads: all threads below a multiple of 64 are in the same waves. */
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
    Value all = plain(Arrays.stream(arguments).map(this::of).toList());
    IASTExpression object = Ast.receiver(c);
    if (object != null) {
      Value team = of(object);
      return team.isNone() || all.isNone() ? Value.NONE : member(name, team, all.spread());
    }
    if (VOTES.contains(name)) {
      return Value.of(Spread.WARP);
    }
    if (name.startsWith("__syncthreads_")) {
      return Value.UNIFORM;
    }
    if (name.equals("__shfl_sync") && arguments.length >= 3) {
      if (all.isNone()) {
        return Value.NONE;
      }
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
        yield known != null ? known : all;
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
    return returned;
  }

  private Value result() {
    List<IASTReturnStatement> all = function.all(IASTReturnStatement.class);
    Value result = all.isEmpty() ? Value.UNIFORM : Value.NONE;
    for (IASTReturnStatement r : all) {
      Value v = of(r.getReturnValue()).atLeast(control(r, Set.of(function.body())));
      result = result.join(v);
    }
    return result;
  }
}
