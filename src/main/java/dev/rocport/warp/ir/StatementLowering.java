package dev.rocport.warp.ir;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.cdt.core.dom.ast.IASTASMDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTArrayDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTArrayModifier;
import org.eclipse.cdt.core.dom.ast.IASTBreakStatement;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTContinueStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTDeclarationStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTDoStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpressionStatement;
import org.eclipse.cdt.core.dom.ast.IASTForStatement;
import org.eclipse.cdt.core.dom.ast.IASTIfStatement;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTNullStatement;
import org.eclipse.cdt.core.dom.ast.IASTPointer;
import org.eclipse.cdt.core.dom.ast.IASTPointerOperator;
import org.eclipse.cdt.core.dom.ast.IASTProblemHolder;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTSimpleDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTWhileStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTFunctionDeclarator;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTParameterDeclaration;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTReferenceOperator;
import org.jspecify.annotations.Nullable;

/** Reads statements and declarations of the syntax tree into {@link Stmt} and {@link Variable}. */
final class StatementLowering {
  private final NodeText nodes;
  private final LoweringState state;
  private final ExpressionLowering expressions;

  StatementLowering(NodeText nodes, LoweringState state, ExpressionLowering expressions) {
    this.nodes = nodes;
    this.state = state;
    this.expressions = expressions;
  }

  /** Returns a block as a record. */
  Stmt.Block block(IASTCompoundStatement s) {
    List<Stmt> list = new ArrayList<>();
    for (IASTStatement x : s.getStatements()) {
      statement(x, list);
    }
    return new Stmt.Block(List.copyOf(list));
  }

  /**
   * Returns a variable or parameter as a record.
   *
   * @param alone whether the declaration declares no other
   * @param head the text before the declaration
   */
  Variable variable(IASTDeclarator d, IASTDeclSpecifier type, boolean alone, String head) {
    IASTDeclarator inner = d;
    while (inner.getNestedDeclarator() != null) {
      inner = inner.getNestedDeclarator();
    }
    boolean pointer = false;
    boolean reference = false;
    for (IASTPointerOperator op : d.getPointerOperators()) {
      pointer |= op instanceof IASTPointer;
      reference |= op instanceof ICPPASTReferenceOperator;
    }
    List<Expr> dimensions = new ArrayList<>();
    if (d instanceof IASTArrayDeclarator a) {
      for (IASTArrayModifier m : a.getArrayModifiers()) {
        IASTExpression size = m.getConstantExpression();
        dimensions.add(
            size == null ? new Expr.Other("", List.of(), nodes.span(m)) : expressions.expr(size));
      }
    }
    String text = nodes.text(type);
    return new Variable(
        ExpressionLowering.name(state.symbols().declared(inner), inner.getName()),
        text,
        nodes.span(type),
        alone,
        pointer || inner != d,
        reference,
        List.copyOf(dimensions),
        head.contains("__shared__"),
        expressions.init(d.getInitializer(), text));
  }

  private Stmt single(@Nullable IASTStatement s) {
    List<Stmt> list = new ArrayList<>();
    if (s != null) {
      statement(s, list);
    }
    return list.size() == 1 ? list.getFirst() : new Stmt.Block(List.copyOf(list));
  }

  private void statement(IASTStatement s, List<Stmt> out) {
    if (!state.enter()) {
      return;
    }
    switch (s) {
      case IASTProblemHolder p -> unknown(s, out);
      case IASTCompoundStatement c -> out.add(block(c));
      case IASTNullStatement n -> {}
      case IASTExpressionStatement e -> out.add(new Stmt.Eval(expressions.expr(e.getExpression())));
      case IASTDeclarationStatement d -> declaration(d.getDeclaration(), out);
      case IASTIfStatement i -> {
        if (i.getConditionExpression() == null) {
          unknown(s, out);
        } else {
          IASTStatement no = i.getElseClause();
          out.add(
              new Stmt.If(
                  expressions.expr(i.getConditionExpression()),
                  single(i.getThenClause()),
                  no == null ? Optional.empty() : Optional.of(single(no))));
        }
      }
      case IASTForStatement f -> {
        IASTExpression step = f.getIterationExpression();
        IASTExpression condition = f.getConditionExpression();
        out.add(
            new Stmt.For(
                single(f.getInitializerStatement()),
                condition == null ? Optional.empty() : Optional.of(expressions.expr(condition)),
                step == null ? Optional.empty() : Optional.of(expressions.expr(step)),
                single(f.getBody()),
                nodes.span(f)));
      }
      case IASTWhileStatement w -> {
        if (w.getCondition() == null) {
          unknown(s, out);
        } else {
          out.add(new Stmt.While(expressions.expr(w.getCondition()), single(w.getBody()), false));
        }
      }
      case IASTDoStatement w ->
          out.add(new Stmt.While(expressions.expr(w.getCondition()), single(w.getBody()), true));
      case IASTReturnStatement r -> {
        IASTInitializerClause value = r.getReturnArgument();
        out.add(
            new Stmt.Return(
                value == null ? Optional.empty() : Optional.of(expressions.clause(value)),
                nodes.span(r)));
      }
      case IASTBreakStatement b -> out.add(new Stmt.Jump(nodes.span(b)));
      case IASTContinueStatement c -> out.add(new Stmt.Jump(nodes.span(c)));
      default -> unknown(s, out);
    }
    state.leave();
  }

  /** Keeps the expressions of what is not understood, so that nothing in it goes unseen. */
  private void unknown(IASTNode n, List<Stmt> out) {
    state.unclear();
    out.add(new Stmt.Unknown(expressions.parts(n), nodes.span(n)));
  }

  private void declaration(IASTDeclaration d, List<Stmt> out) {
    if (!(d instanceof IASTSimpleDeclaration s)) {
      if (d instanceof IASTProblemHolder || d instanceof IASTASMDeclaration) {
        unknown(d, out);
      }
      return; // using, static_assert
    }
    String head = nodes.head(s.getDeclarators().length > 0 ? s.getDeclarators()[0].getName() : s);
    boolean alone = s.getDeclarators().length == 1;
    for (IASTDeclarator x : s.getDeclarators()) {
      if (x instanceof ICPPASTFunctionDeclarator f
          && !x.getName().toString().isEmpty()
          && f.getParameters().length > 0) {
        // dim3 block(n) is read as a function's declaration where n might be a type.
        List<Expr> args = new ArrayList<>();
        for (ICPPASTParameterDeclaration p : f.getParameters()) {
          args.add(new Expr.Name(nodes.text(p), nodes.span(p)));
        }
        Span at = nodes.span(x);
        out.add(
            new Stmt.Let(
                new Variable(
                    NodeText.plain(x.getName()),
                    nodes.text(s.getDeclSpecifier()),
                    nodes.span(s.getDeclSpecifier()),
                    alone,
                    false,
                    false,
                    List.of(),
                    false,
                    Optional.of(
                        new Expr.Call(
                            nodes.text(s.getDeclSpecifier()),
                            List.of(),
                            List.of(),
                            args,
                            at,
                            at)))));
      } else {
        out.add(new Stmt.Let(variable(x, s.getDeclSpecifier(), alone, head)));
      }
    }
  }
}
