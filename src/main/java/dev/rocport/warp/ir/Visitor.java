package dev.rocport.warp.ir;

import java.util.function.Consumer;

/** Walks statements and expressions, in the order of the source. */
public final class Visitor {
  private Visitor() {}

  /** Shows every statement and every expression in it. */
  public static void statements(Stmt s, Consumer<Stmt> onStatement, Consumer<Expr> onExpression) {
    onStatement.accept(s);
    switch (s) {
      case Stmt.Block b -> b.list().forEach(x -> statements(x, onStatement, onExpression));
      case Stmt.Let l -> {
        l.variable().dimensions().forEach(x -> expressions(x, onExpression));
        l.variable().init().ifPresent(x -> expressions(x, onExpression));
      }
      case Stmt.Eval e -> expressions(e.x(), onExpression);
      case Stmt.If i -> {
        expressions(i.condition(), onExpression);
        statements(i.yes(), onStatement, onExpression);
        i.no().ifPresent(x -> statements(x, onStatement, onExpression));
      }
      case Stmt.For f -> {
        statements(f.init(), onStatement, onExpression);
        f.condition().ifPresent(x -> expressions(x, onExpression));
        f.step().ifPresent(x -> expressions(x, onExpression));
        statements(f.body(), onStatement, onExpression);
      }
      case Stmt.While w -> {
        expressions(w.condition(), onExpression);
        statements(w.body(), onStatement, onExpression);
      }
      case Stmt.Return r -> r.value().ifPresent(x -> expressions(x, onExpression));
      case Stmt.Jump j -> {}
      case Stmt.Unknown u -> u.parts().forEach(x -> expressions(x, onExpression));
    }
  }

  /** Shows an expression, then those in it. */
  public static void expressions(Expr x, Consumer<Expr> on) {
    on.accept(x);
    switch (x) {
      case Expr.Name n -> {}
      case Expr.Literal n -> {}
      case Expr.Unary u -> expressions(u.x(), on);
      case Expr.Binary b -> {
        expressions(b.left(), on);
        expressions(b.right(), on);
      }
      case Expr.Pick p -> {
        expressions(p.condition(), on);
        expressions(p.yes(), on);
        expressions(p.no(), on);
      }
      case Expr.Call c -> {
        c.receiver().forEach(r -> expressions(r, on));
        c.templates().forEach(r -> expressions(r, on));
        c.args().forEach(r -> expressions(r, on));
      }
      case Expr.Index i -> {
        expressions(i.base(), on);
        expressions(i.index(), on);
      }
      case Expr.Field f -> expressions(f.base(), on);
      case Expr.Cast c -> expressions(c.x(), on);
      case Expr.Other o -> o.parts().forEach(p -> expressions(p, on));
    }
  }
}
