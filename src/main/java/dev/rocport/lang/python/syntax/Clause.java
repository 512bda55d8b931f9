package dev.rocport.lang.python.syntax;

import java.util.List;
import java.util.Optional;

/** A part of a compound statement or of a comprehension. */
public sealed interface Clause extends Node {
  /** {@code for target in over if ...} of a comprehension. */
  record For(Expr target, Expr over, List<Expr> conditions, int start, int end) implements Clause {}

  /** {@code except type as name:}. */
  record Except(List<Expr> types, String name, List<Stmt> body, int start, int end)
      implements Clause {}

  /** {@code context as target} of a {@code with}. */
  record With(Expr context, Optional<Expr> target, int start, int end) implements Clause {}

  /**
   * {@code case pattern if guard:}.
   *
   * @param captures names in the pattern, those that it binds among them
   */
  record Case(List<Expr.Name> captures, Optional<Expr> guard, List<Stmt> body, int start, int end)
      implements Clause {}
}
