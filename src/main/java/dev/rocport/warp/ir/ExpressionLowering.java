package dev.rocport.warp.ir;

import dev.rocport.warp.code.Symbol;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
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
import org.eclipse.cdt.core.dom.ast.IASTInitializer;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTInitializerList;
import org.eclipse.cdt.core.dom.ast.IASTLiteralExpression;
import org.eclipse.cdt.core.dom.ast.IASTName;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTProblemHolder;
import org.eclipse.cdt.core.dom.ast.IASTTypeId;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTConstructorInitializer;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTLambdaExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTQualifiedName;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTSimpleTypeConstructorExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTTemplateId;
import org.jspecify.annotations.Nullable;

/** Reads expressions of the syntax tree into {@link Expr}. */
final class ExpressionLowering {
  private final String path;
  private final NodeText nodes;
  private final ConstantTable constants;
  private final LoweringState state;

  ExpressionLowering(String path, NodeText nodes, ConstantTable constants, LoweringState state) {
    this.path = path;
    this.nodes = nodes;
    this.constants = constants;
    this.state = state;
  }

  /** Returns an expression as a record. */
  Expr expr(IASTExpression x) {
    if (!state.enter()) {
      return new Expr.Other("", List.of(), nodes.span(x));
    }
    try {
      Span at = nodes.span(x);
      String macro = macro(at);
      if (macro != null) {
        return new Expr.Name(macro, new Span(at.start(), at.end(), true));
      }
      return expr(x, at);
    } finally {
      state.leave();
    }
  }

  Expr clause(IASTInitializerClause c) {
    return switch (c) {
      case IASTExpression e -> expr(e);
      case IASTInitializerList l -> list(l);
      default -> new Expr.Other(nodes.text(c), List.of(), nodes.span(c));
    };
  }

  /** Returns the value that an initializer gives to a variable of a type. */
  Optional<Expr> init(@Nullable IASTInitializer i, String type) {
    return switch (i) {
      case null -> Optional.empty();
      case IASTEqualsInitializer e -> Optional.of(clause(e.getInitializerClause()));
      case ICPPASTConstructorInitializer c -> {
        List<Expr> args = new ArrayList<>();
        for (IASTInitializerClause a : c.getArguments()) {
          args.add(clause(a));
        }
        boolean plain = args.size() == 1 && !type.contains("dim3");
        yield Optional.of(
            plain
                ? args.getFirst()
                : new Expr.Call(
                    type.strip(), List.of(), List.of(), args, nodes.span(c), nodes.span(c)));
      }
      case IASTInitializerList l -> Optional.of(list(l));
      default -> Optional.of(new Expr.Other(nodes.text(i), List.of(), nodes.span(i)));
    };
  }

  /** Returns the outermost expressions below a node. */
  List<Expr> parts(IASTNode n) {
    Parts parts = new Parts();
    n.accept(parts);
    return List.copyOf(parts.found);
  }

  /** Returns the name of a variable, distinct from that of another one that it hides. */
  static String name(@Nullable Symbol variable, IASTName name) {
    return variable == null ? NodeText.plain(name) : variable.id();
  }

  /** Reads the outermost expressions below a node. */
  private final class Parts extends ASTVisitor {
    private final List<Expr> found = new ArrayList<>();

    Parts() {
      shouldVisitExpressions = true;
    }

    @Override
    public int visit(IASTExpression e) {
      found.add(expr(e));
      return PROCESS_SKIP;
    }
  }

  private Expr list(IASTInitializerList l) {
    List<Expr> parts = new ArrayList<>();
    for (IASTInitializerClause c : l.getClauses()) {
      parts.add(clause(c));
    }
    return new Expr.Other("{}", List.copyOf(parts), nodes.span(l));
  }

  private Expr expr(IASTExpression x, Span at) {
    return switch (x) {
      case IASTIdExpression i -> new Expr.Name(name(state.symbols().of(i), i.getName()), at);
      case IASTLiteralExpression l -> literal(l, at);
      case IASTUnaryExpression u -> unary(u, at);
      case IASTBinaryExpression b ->
          new Expr.Binary(operator(b.getOperator()), expr(b.getOperand1()), right(b), at);
      case IASTConditionalExpression c ->
          new Expr.Pick(
              expr(c.getLogicalConditionExpression()),
              expr(
                  c.getPositiveResultExpression() == null
                      ? c.getLogicalConditionExpression()
                      : c.getPositiveResultExpression()),
              expr(c.getNegativeResultExpression()),
              at);
      case IASTFunctionCallExpression c -> call(c, at);
      case IASTArraySubscriptExpression a ->
          new Expr.Index(expr(a.getArrayExpression()), clause(a.getArgument()), at);
      case IASTFieldReference f ->
          new Expr.Field(expr(f.getFieldOwner()), NodeText.plain(f.getFieldName()), at);
      case IASTCastExpression c ->
          new Expr.Cast(nodes.text(c.getTypeId()), expr(c.getOperand()), at);
      case ICPPASTSimpleTypeConstructorExpression c -> {
        Optional<Expr> value = init(c.getInitializer(), "");
        yield value.isPresent()
            ? new Expr.Cast(nodes.text(c.getDeclSpecifier()), value.get(), at)
            : new Expr.Other(nodes.text(x), List.of(), at);
      }
      case IASTExpressionList l -> {
        List<Expr> parts = new ArrayList<>();
        for (IASTExpression e : l.getExpressions()) {
          parts.add(expr(e));
        }
        yield new Expr.Other(",", List.copyOf(parts), at);
      }
      default -> other(x, at);
    };
  }

  private Expr right(IASTBinaryExpression b) {
    IASTInitializerClause right = b.getInitOperand2();
    return right == null ? new Expr.Other("", List.of(), nodes.span(b)) : clause(right);
  }

  private Expr other(IASTExpression x, Span at) {
    Parts parts = new Parts();
    for (IASTNode child : x.getChildren()) {
      child.accept(parts);
    }
    if (x instanceof IASTProblemHolder) {
      state.unclear();
    }
    return new Expr.Other(nodes.text(x), List.copyOf(parts.found), at);
  }

  private Expr unary(IASTUnaryExpression u, Span at) {
    IASTExpression operand = u.getOperand();
    if (operand == null) {
      return new Expr.Other(nodes.text(u), List.of(), at);
    }
    Expr x = expr(operand);
    return switch (u.getOperator()) {
      case IASTUnaryExpression.op_bracketedPrimary -> x;
      case IASTUnaryExpression.op_plus -> new Expr.Unary("+", x, at);
      case IASTUnaryExpression.op_minus -> new Expr.Unary("-", x, at);
      case IASTUnaryExpression.op_not -> new Expr.Unary("!", x, at);
      case IASTUnaryExpression.op_tilde -> new Expr.Unary("~", x, at);
      case IASTUnaryExpression.op_star -> new Expr.Unary("*", x, at);
      case IASTUnaryExpression.op_amper -> new Expr.Unary("&", x, at);
      case IASTUnaryExpression.op_prefixIncr, IASTUnaryExpression.op_postFixIncr ->
          new Expr.Unary("++", x, at);
      case IASTUnaryExpression.op_prefixDecr, IASTUnaryExpression.op_postFixDecr ->
          new Expr.Unary("--", x, at);
      default -> new Expr.Other(nodes.text(u), List.of(x), at);
    };
  }

  private Expr literal(IASTLiteralExpression l, Span at) {
    String t = l.toString();
    if (l.getKind() == IASTLiteralExpression.lk_integer_constant) {
      Long v = ConstantText.integer(t);
      if (v != null) {
        return new Expr.Literal(v, true, t, at);
      }
    }
    if (l.getKind() == IASTLiteralExpression.lk_true
        || l.getKind() == IASTLiteralExpression.lk_false) {
      return new Expr.Literal(t.equals("true") ? 1 : 0, true, t, at);
    }
    boolean number = l.getKind() == IASTLiteralExpression.lk_float_constant;
    return number ? new Expr.Literal(0, false, t, at) : new Expr.Other(t, List.of(), at);
  }

  private Expr call(IASTFunctionCallExpression c, Span at) {
    List<Expr> args = new ArrayList<>();
    for (IASTInitializerClause a : c.getArguments()) {
      args.add(clause(a));
    }
    IASTExpression callee = c.getFunctionNameExpression();
    if (callee instanceof IASTFunctionCallExpression configured) {
      launch(configured, at);
      List<Expr> parts = new ArrayList<>(args);
      for (IASTInitializerClause a : configured.getArguments()) {
        parts.add(clause(a));
      }
      return new Expr.Other("launch", List.copyOf(parts), at);
    }
    return switch (callee) {
      case IASTIdExpression i ->
          new Expr.Call(
              NodeText.plain(i.getName()),
              List.of(),
              templates(i.getName()),
              args,
              nodes.span(i),
              at);
      case IASTFieldReference f ->
          new Expr.Call(
              NodeText.plain(f.getFieldName()),
              List.of(expr(f.getFieldOwner())),
              templates(f.getFieldName()),
              args,
              nodes.span(f.getFieldName()),
              at);
      default -> {
        args.add(expr(callee));
        yield new Expr.Other("call", List.copyOf(args), at);
      }
    };
  }

  private void launch(IASTFunctionCallExpression configured, Span at) {
    Span name = nodes.span(configured.getFunctionNameExpression());
    if (nodes.isLaunched(name)
        && configured.getArguments().length >= 2
        && configured.getFunctionNameExpression() instanceof IASTIdExpression id) {
      Expr block = clause(configured.getArguments()[1]);
      if (NodeText.isIn(ICPPASTLambdaExpression.class, configured)) {
        block = new Expr.Other("", List.of(block), at); // its parameters are not followed
      }
      state.pending().add(new Launch(path, NodeText.plain(id.getName()), block, Map.of(), at));
    }
  }

  private List<Expr> templates(IASTName name) {
    IASTName last = name instanceof ICPPASTQualifiedName q ? q.getLastName() : name;
    if (!(last instanceof ICPPASTTemplateId id)) {
      return List.of();
    }
    List<Expr> list = new ArrayList<>();
    for (IASTNode a : id.getTemplateArguments()) {
      list.add(
          switch (a) {
            case IASTExpression e -> expr(e);
            case IASTTypeId t -> new Expr.Other(nodes.text(t), List.of(), nodes.span(t));
            default -> new Expr.Other(nodes.text(a), List.of(), nodes.span(a));
          });
    }
    return List.copyOf(list);
  }

  private static String operator(int op) {
    return switch (op) {
      case IASTBinaryExpression.op_multiply -> "*";
      case IASTBinaryExpression.op_divide -> "/";
      case IASTBinaryExpression.op_modulo -> "%";
      case IASTBinaryExpression.op_plus -> "+";
      case IASTBinaryExpression.op_minus -> "-";
      case IASTBinaryExpression.op_shiftLeft -> "<<";
      case IASTBinaryExpression.op_shiftRight -> ">>";
      case IASTBinaryExpression.op_lessThan -> "<";
      case IASTBinaryExpression.op_greaterThan -> ">";
      case IASTBinaryExpression.op_lessEqual -> "<=";
      case IASTBinaryExpression.op_greaterEqual -> ">=";
      case IASTBinaryExpression.op_binaryAnd -> "&";
      case IASTBinaryExpression.op_binaryXor -> "^";
      case IASTBinaryExpression.op_binaryOr -> "|";
      case IASTBinaryExpression.op_logicalAnd -> "&&";
      case IASTBinaryExpression.op_logicalOr -> "||";
      case IASTBinaryExpression.op_assign -> "=";
      case IASTBinaryExpression.op_multiplyAssign -> "*=";
      case IASTBinaryExpression.op_divideAssign -> "/=";
      case IASTBinaryExpression.op_moduloAssign -> "%=";
      case IASTBinaryExpression.op_plusAssign -> "+=";
      case IASTBinaryExpression.op_minusAssign -> "-=";
      case IASTBinaryExpression.op_shiftLeftAssign -> "<<=";
      case IASTBinaryExpression.op_shiftRightAssign -> ">>=";
      case IASTBinaryExpression.op_binaryAndAssign -> "&=";
      case IASTBinaryExpression.op_binaryXorAssign -> "^=";
      case IASTBinaryExpression.op_binaryOrAssign -> "|=";
      case IASTBinaryExpression.op_equals -> "==";
      case IASTBinaryExpression.op_notequals -> "!=";
      default -> "?";
    };
  }

  /** Returns the constant that expands to all of these bytes; null if there is none. */
  private @Nullable String macro(Span at) {
    String name = nodes.macro(at);
    return name != null && constants.has(name) ? name : null;
  }
}
