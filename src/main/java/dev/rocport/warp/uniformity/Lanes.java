package dev.rocport.warp.uniformity;

import dev.rocport.warp.code.ControlFlow;
import dev.rocport.warp.code.DeviceCode;
import dev.rocport.warp.code.DeviceFunction;
import dev.rocport.warp.code.Symbol;
import dev.rocport.warp.code.Symbols;
import dev.rocport.warp.code.Syntax;
import dev.rocport.warp.uniformity.LaneValue.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTCastExpression;
import org.eclipse.cdt.core.dom.ast.IASTConditionalExpression;
import org.eclipse.cdt.core.dom.ast.IASTEqualsInitializer;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpressionList;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTLiteralExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTConstructorInitializer;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTInitializerList;
import org.jspecify.annotations.Nullable;

/**
 * The uniformity of the values in one function. A forward analysis over its symbols: a variable's
 * value joins all that is ever assigned to it, with the conditions that these assignments are
 * control dependent on. {@link UniformityAnalysis} solves all functions of a file together.
 */
public final class Lanes {
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

  /** Groups of the lanes that happen to be active, or that have one value alike. */
  private static final Set<String> GROUPS =
      Set.of("coalesced_threads", "labeled_partition", "binary_partition");

  private static final Set<String> CLOCKS = Set.of("clock", "clock64", "__clock", "__globaltimer");

  private final UniformityAnalysis analysis;
  private final DeviceFunction function;
  private final Symbols symbols;
  private final ControlFlow flow;

  private final Definitions definitions;
  private final boolean flat;
  private final Provenance provenance = new Provenance(this);

  Lanes(UniformityAnalysis analysis, DeviceFunction function) {
    this.analysis = analysis;
    this.function = function;
    this.symbols = Symbols.of(function.node());
    this.flow = new ControlFlow(function);
    this.flat = isFlat();
    this.definitions = new Definitions(code(), function, symbols);
  }

  /** Blocks have one dimension, as far as this function uses them. */
  private boolean isFlat() {
    for (IASTFieldReference f : function.all(IASTFieldReference.class)) {
      if (Syntax.bare(f.getFieldOwner()) instanceof IASTIdExpression id
          && Syntax.simple(id.getName()).equals("threadIdx")
          && !Syntax.simple(f.getFieldName()).equals("x")) {
        return false;
      }
    }
    return true;
  }

  Definitions definitions() {
    return definitions;
  }

  Symbols symbols() {
    return symbols;
  }

  DeviceCode code() {
    return analysis.code();
  }

  /** The equation of a variable. */
  LaneValue variable(Symbol s) {
    LaneValue result = s.parameter() < 0 ? LaneValue.NONE : given(s.parameter());
    for (IASTNode by : definitions.of(s)) {
      result = result.join(assigned(s, by).atLeast(control(flow.conditions(by, s.scope()))));
    }
    // A quotient of floating-point numbers does not number groups of threads.
    return definitions.isFloating(s) && !result.isNone()
        ? LaneValue.of(result.uniformity())
        : result;
  }

  /** The equation of what the function returns. */
  LaneValue result() {
    List<IASTReturnStatement> all = function.all(IASTReturnStatement.class);
    LaneValue result = all.isEmpty() ? LaneValue.UNIFORM : LaneValue.NONE;
    for (IASTReturnStatement r : all) {
      result = result.join(of(r.getReturnValue()).atLeast(control(flow.conditions(r))));
    }
    return result;
  }

  /**
   * Returns the groups of threads that reach a place together: all or none of the threads of a
   * group that have not returned, in each iteration of the loops around it.
   */
  public Uniformity reached(IASTNode node) {
    return control(flow.conditions(node, function.body()));
  }

  private Uniformity control(Set<IASTNode> conditions) {
    Uniformity uniformity = Uniformity.BLOCK;
    for (IASTNode c : conditions) {
      uniformity = uniformity.join(of(c).uniformity());
    }
    return uniformity;
  }

  /** Parameters of a kernel are uniform; other parameters depend on their calls or names. */
  private LaneValue given(int parameter) {
    return function.kernel() ? LaneValue.UNIFORM : analysis.argument(function, parameter);
  }

  private LaneValue assigned(Symbol s, IASTNode by) {
    if (definitions.isOutput(by, s)) {
      return LaneValue.of(Uniformity.LANE);
    }
    return switch (by) {
      case IASTEqualsInitializer e -> initial(e.getInitializerClause());
      case ICPPASTConstructorInitializer c -> join(c.getArguments());
      case ICPPASTInitializerList l -> join(l.getClauses());
      case IASTBinaryExpression b when b.getOperator() == IASTBinaryExpression.op_assign ->
          Syntax.bare(b.getOperand1()) instanceof IASTIdExpression
              ? of(b.getOperand2())
              : LaneValue.of(of(b.getOperand2()).uniformity());
      case IASTBinaryExpression b ->
          Arithmetic.plain(List.of(analysis.value(this, s), of(b.getOperand2())));
      case IASTUnaryExpression _ -> Arithmetic.plain(List.of(analysis.value(this, s)));
      default -> of(by);
    };
  }

  private LaneValue initial(IASTInitializerClause clause) {
    // Without the header a parser may take the brackets of the template for comparisons.
    return clause instanceof IASTBinaryExpression
            && code().text().of(clause).contains("tiled_partition")
        ? LaneValue.of(Kind.TEAM, analysis.tileWidth(clause))
        : of(clause);
  }

  private LaneValue join(IASTInitializerClause[] clauses) {
    return clauses.length == 1
        ? of(clauses[0])
        : Arithmetic.plain(Arrays.stream(clauses).map(this::of).toList());
  }

  /** Returns the abstract value of an expression; uniform for none. */
  public LaneValue of(@Nullable IASTNode node) {
    return isFloatingCast(node)
        ? Arithmetic.plain(List.of(bare(Syntax.bare(node))))
        : bare(Syntax.bare(node));
  }

  /** True for a cast to a floating-point type, in brackets or below other casts, too. */
  private static boolean isFloatingCast(@Nullable IASTNode node) {
    IASTNode n = node;
    while (true) {
      if (n instanceof IASTUnaryExpression u
          && u.getOperator() == IASTUnaryExpression.op_bracketedPrimary) {
        n = u.getOperand();
      } else if (n instanceof IASTCastExpression c) {
        if (Definitions.isFloating(c.getTypeId().getDeclSpecifier())
            && c.getTypeId().getAbstractDeclarator().getPointerOperators().length == 0) {
          return true;
        }
        n = c.getOperand();
      } else {
        return false;
      }
    }
  }

  private LaneValue bare(@Nullable IASTNode n) {
    return switch (n) {
      case null -> LaneValue.UNIFORM;
      case IASTLiteralExpression l -> Arithmetic.literal(l.toString());
      case IASTIdExpression id -> name(id);
      case IASTFieldReference f -> field(f);
      case IASTBinaryExpression b -> binary(b);
      case IASTUnaryExpression u -> unary(u);
      case IASTFunctionCallExpression c -> call(c);
      case IASTConditionalExpression c ->
          Arithmetic.plain(
              List.of(
                  of(c.getLogicalConditionExpression()),
                  of(c.getPositiveResultExpression()),
                  of(c.getNegativeResultExpression())));
      case IASTArraySubscriptExpression a ->
          Arithmetic.plain(List.of(of(a.getArrayExpression()), of(a.getArgument())));
      case IASTExpressionList list -> {
        LaneValue last = LaneValue.UNIFORM;
        for (IASTNode e : list.getExpressions()) {
          last = of(e);
        }
        yield last;
      }
      default -> Arithmetic.plain(Arrays.stream(n.getChildren()).map(this::of).toList());
    };
  }

  private LaneValue name(IASTIdExpression id) {
    Symbol s = symbols.of(id);
    if (s != null) {
      return analysis.value(this, s);
    }
    String name = Syntax.simple(id.getName());
    return switch (name) {
      case "warpSize" -> LaneValue.constant(32);
      case "threadIdx" -> LaneValue.of(Uniformity.LANE);
      default -> analysis.constant(name);
    };
  }

  private LaneValue field(IASTFieldReference f) {
    String field = Syntax.simple(f.getFieldName());
    if (Syntax.bare(f.getFieldOwner()) instanceof IASTIdExpression id) {
      switch (Syntax.simple(id.getName())) {
        case "threadIdx" -> {
          return field.equals("x")
              ? LaneValue.of(flat ? Kind.THREAD : Kind.COLUMN, 0)
              : LaneValue.of(Uniformity.WARP);
        }
        case "blockDim" -> {
          return field.equals("x") ? LaneValue.of(Kind.WIDTH, 0) : LaneValue.UNIFORM;
        }
        case "blockIdx" -> {
          return LaneValue.of(Kind.BLOCK, 0);
        }
        default -> {}
      }
    }
    return Arithmetic.plain(List.of(of(f.getFieldOwner())));
  }

  private LaneValue unary(IASTUnaryExpression u) {
    LaneValue v = of(u.getOperand());
    if (v.isNone()) {
      return v;
    }
    return switch (u.getOperator()) {
      case IASTUnaryExpression.op_minus ->
          v.isConstant() ? LaneValue.constant(-v.number()) : LaneValue.of(v.uniformity());
      case IASTUnaryExpression.op_tilde ->
          v.isConstant() ? LaneValue.constant(~v.number()) : LaneValue.of(v.uniformity());
      case IASTUnaryExpression.op_plus -> v;
      default -> LaneValue.of(v.uniformity());
    };
  }

  private LaneValue binary(IASTBinaryExpression b) {
    LaneValue x = of(b.getOperand1());
    LaneValue y = of(b.getOperand2());
    if (x.isNone() || y.isNone()) {
      return LaneValue.NONE;
    }
    Uniformity uniformity = x.uniformity().join(y.uniformity());
    return switch (b.getOperator()) {
      case IASTBinaryExpression.op_assign -> y;
      case IASTBinaryExpression.op_plus -> Arithmetic.sum(x, y, uniformity);
      case IASTBinaryExpression.op_multiply -> Arithmetic.product(x, y, uniformity);
      case IASTBinaryExpression.op_divide ->
          y.isConstant() ? Arithmetic.divided(x, y.number()) : LaneValue.of(uniformity);
      case IASTBinaryExpression.op_shiftRight ->
          y.isConstant() && y.number() >= 0 && y.number() < 31
              ? Arithmetic.divided(x, 1L << y.number())
              : LaneValue.of(uniformity);
      case IASTBinaryExpression.op_shiftLeft ->
          y.isConstant() && y.number() >= 0 && y.number() < 31
              ? Arithmetic.product(x, LaneValue.constant(1L << y.number()), uniformity)
              : LaneValue.of(uniformity);
      case IASTBinaryExpression.op_modulo ->
          y.isConstant() ? Arithmetic.modulo(x, y.number()) : LaneValue.of(uniformity);
      case IASTBinaryExpression.op_binaryAnd ->
          y.isConstant() && Long.bitCount(y.number() + 1) == 1
              ? Arithmetic.modulo(x, y.number() + 1)
              : LaneValue.of(uniformity);
      case IASTBinaryExpression.op_minus ->
          x.isConstant() && y.isConstant()
              ? LaneValue.constant(x.number() - y.number())
              : LaneValue.of(uniformity);
      case IASTBinaryExpression.op_lessThan, IASTBinaryExpression.op_greaterEqual ->
          LaneValue.of(Arithmetic.split(x, y, 0, uniformity));
      case IASTBinaryExpression.op_lessEqual, IASTBinaryExpression.op_greaterThan ->
          LaneValue.of(Arithmetic.split(x, y, 1, uniformity));
      default -> LaneValue.of(uniformity);
    };
  }

  private LaneValue call(IASTFunctionCallExpression c) {
    String name = Syntax.callee(c);
    IASTInitializerClause[] arguments = Syntax.arguments(c);
    LaneValue all = Arithmetic.plain(Arrays.stream(arguments).map(this::of).toList());
    IASTExpression object = Syntax.receiver(c);
    if (object != null) {
      LaneValue team = of(object);
      if (team.isNone() || all.isNone()) {
        return LaneValue.NONE;
      }
      LaneValue result = Arithmetic.member(name, team, all.uniformity());
      LaneValue known = team.kind() == Kind.TEAM ? null : analysis.result(name);
      return known == null ? result : known.isNone() ? known : result.join(known);
    }
    if (VOTES.contains(name)) {
      // Lanes with different masks vote apart.
      boolean apart =
          name.endsWith("_sync")
              && arguments.length > 0
              && of(arguments[0]).uniformity() == Uniformity.LANE;
      return LaneValue.of(apart ? Uniformity.LANE : Uniformity.WARP);
    }
    if (name.startsWith("__syncthreads_")) {
      return LaneValue.UNIFORM;
    }
    if (name.equals("__shfl_sync") && arguments.length >= 3) {
      if (all.isNone()) {
        return LaneValue.NONE;
      }
      boolean whole =
          arguments.length == 3
              || (of(arguments[3]).isConstant() && of(arguments[3]).number() == 32);
      Uniformity source = of(arguments[2]).uniformity();
      return LaneValue.of(whole && source != Uniformity.LANE ? Uniformity.WARP : Uniformity.LANE);
    }
    if (name.startsWith("__shfl")
        || name.startsWith("__match")
        || name.startsWith("atomic")
        || GROUPS.contains(name)
        || CLOCKS.contains(name)) {
      return LaneValue.of(Uniformity.LANE);
    }
    return switch (name) {
      case "this_thread_block" -> LaneValue.of(Kind.TEAM, 0);
      case "this_grid" -> LaneValue.of(Kind.TEAM, -1);
      case "tiled_partition" -> LaneValue.of(Kind.TEAM, analysis.tileWidth(c));
      default -> {
        LaneValue known = analysis.result(name);
        yield known != null ? known : all;
      }
    };
  }

  /** As {@link Provenance#onlyValue}. */
  public @Nullable IASTExpression onlyValue(IASTIdExpression id) {
    return provenance.onlyValue(id);
  }

  /** As {@link Provenance#isSure}. */
  public boolean isSure(@Nullable IASTNode node, boolean loads) {
    return provenance.isSure(node, loads);
  }

  /** As {@link Provenance#comesFrom}. */
  public boolean comesFrom(IASTNode node, Predicate<String> called) {
    return provenance.comesFrom(node, called);
  }

  /** As {@link Provenance#isOfOtherBlock}. */
  public boolean isOfOtherBlock(IASTNode node) {
    return provenance.isOfOtherBlock(node);
  }
}
