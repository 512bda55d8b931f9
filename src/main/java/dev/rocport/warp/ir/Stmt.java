package dev.rocport.warp.ir;

import java.util.List;
import java.util.Optional;

/** A statement. */
public sealed interface Stmt {
  record Block(List<Stmt> list) implements Stmt {}

  record Let(Variable variable) implements Stmt {}

  record Eval(Expr x) implements Stmt {}

  record If(Expr condition, Stmt yes, Optional<Stmt> no) implements Stmt {}

  record For(Stmt init, Optional<Expr> condition, Optional<Expr> step, Stmt body, Span at)
      implements Stmt {}

  record While(Expr condition, Stmt body, boolean bodyFirst) implements Stmt {}

  record Return(Optional<Expr> value, Span at) implements Stmt {}

  /** {@code break}, {@code continue}. */
  record Jump(Span at) implements Stmt {}

  /** Anything else, with the expressions in it. */
  record Unknown(List<Expr> parts, Span at) implements Stmt {}
}
