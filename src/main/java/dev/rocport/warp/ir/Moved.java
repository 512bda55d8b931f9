package dev.rocport.warp.ir;

import java.util.List;

/** Functions as they are when text before them is inserted or removed. */
final class Moved {
  private final int bytes;

  private Moved(int bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns a function at another place of its file.
   *
   * @param bytes how far it is moved
   */
  static Function by(int bytes, Function f) {
    Moved m = new Moved(bytes);
    return new Function(
        f.path(),
        f.name(),
        f.number(),
        f.kernel(),
        f.device(),
        f.templates().stream().map(m::variable).toList(),
        f.parameters().stream().map(m::variable).toList(),
        f.returns(),
        m.span(f.returnsAt()),
        m.span(f.nameAt()),
        new Body(m.block(f.body().block())),
        f.clean());
  }

  private Span span(Span s) {
    return s.equals(Span.NOWHERE) ? s : new Span(s.start() + bytes, s.end() + bytes, s.editable());
  }

  private Variable variable(Variable v) {
    return new Variable(
        v.name(),
        v.type(),
        span(v.typeAt()),
        v.alone(),
        v.pointer(),
        v.reference(),
        all(v.dimensions()),
        v.shared(),
        v.init().map(this::expr));
  }

  private Stmt.Block block(Stmt.Block b) {
    return new Stmt.Block(b.list().stream().map(this::stmt).toList());
  }

  private Stmt stmt(Stmt s) {
    return switch (s) {
      case Stmt.Block b -> block(b);
      case Stmt.Let l -> new Stmt.Let(variable(l.variable()));
      case Stmt.Eval e -> new Stmt.Eval(expr(e.x()));
      case Stmt.If i -> new Stmt.If(expr(i.condition()), stmt(i.yes()), i.no().map(this::stmt));
      case Stmt.For f ->
          new Stmt.For(
              stmt(f.init()),
              f.condition().map(this::expr),
              f.step().map(this::expr),
              stmt(f.body()),
              span(f.at()));
      case Stmt.While w -> new Stmt.While(expr(w.condition()), stmt(w.body()), w.bodyFirst());
      case Stmt.Return r -> new Stmt.Return(r.value().map(this::expr), span(r.at()));
      case Stmt.Jump j -> new Stmt.Jump(span(j.at()));
      case Stmt.Unknown u -> new Stmt.Unknown(all(u.parts()), span(u.at()));
    };
  }

  private Expr expr(Expr x) {
    Span at = span(x.at());
    return switch (x) {
      case Expr.Name n -> new Expr.Name(n.id(), at);
      case Expr.Literal n -> new Expr.Literal(n.value(), n.integer(), n.text(), at);
      case Expr.Unary u -> new Expr.Unary(u.op(), expr(u.x()), at);
      case Expr.Binary b -> new Expr.Binary(b.op(), expr(b.left()), expr(b.right()), at);
      case Expr.Pick p -> new Expr.Pick(expr(p.condition()), expr(p.yes()), expr(p.no()), at);
      case Expr.Call c ->
          new Expr.Call(
              c.name(), all(c.receiver()), all(c.templates()), all(c.args()), span(c.nameAt()), at);
      case Expr.Index i -> new Expr.Index(expr(i.base()), expr(i.index()), at);
      case Expr.Field f -> new Expr.Field(expr(f.base()), f.name(), at);
      case Expr.Cast c -> new Expr.Cast(c.type(), expr(c.x()), at);
      case Expr.Other o -> new Expr.Other(o.text(), all(o.parts()), at);
    };
  }

  private List<Expr> all(List<Expr> list) {
    return list.stream().map(this::expr).toList();
  }
}
