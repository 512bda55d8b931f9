package dev.rocport.warp.ir;

import java.util.List;

/** Expressions without their places: equal if they say the same. */
final class Placeless {
  private Placeless() {}

  static Expr of(Expr x) {
    return switch (x) {
      case Expr.Name n -> new Expr.Name(n.id(), Span.NOWHERE);
      case Expr.Literal n -> new Expr.Literal(n.value(), n.integer(), n.text(), Span.NOWHERE);
      case Expr.Unary u -> new Expr.Unary(u.op(), of(u.x()), Span.NOWHERE);
      case Expr.Binary b -> new Expr.Binary(b.op(), of(b.left()), of(b.right()), Span.NOWHERE);
      case Expr.Pick p -> new Expr.Pick(of(p.condition()), of(p.yes()), of(p.no()), Span.NOWHERE);
      case Expr.Call c ->
          new Expr.Call(
              c.name(),
              all(c.receiver()),
              all(c.templates()),
              all(c.args()),
              Span.NOWHERE,
              Span.NOWHERE);
      case Expr.Index i -> new Expr.Index(of(i.base()), of(i.index()), Span.NOWHERE);
      case Expr.Field f -> new Expr.Field(of(f.base()), f.name(), Span.NOWHERE);
      case Expr.Cast c -> new Expr.Cast(c.type(), of(c.x()), Span.NOWHERE);
      case Expr.Other o -> new Expr.Other(o.text(), all(o.parts()), Span.NOWHERE);
    };
  }

  private static List<Expr> all(List<Expr> list) {
    return list.stream().map(Placeless::of).toList();
  }
}
