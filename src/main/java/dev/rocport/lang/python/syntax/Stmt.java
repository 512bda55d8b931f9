package dev.rocport.lang.python.syntax;

import java.util.List;
import java.util.Optional;

/** A statement; its span ends with its last token, before a comment and the line's end. */
public sealed interface Stmt extends Node {
  record Expression(Expr value, int start, int end) implements Stmt {}

  /**
   * {@code a = b = value}, {@code a += value}, {@code a: type = value}.
   *
   * @param op {@code =}, {@code +=} and so on
   * @param value empty for a declaration without a value
   */
  record Assign(
      List<Expr> targets,
      String op,
      Optional<Expr> annotation,
      Optional<Expr> value,
      int start,
      int end)
      implements Stmt {}

  /** {@code return}, {@code del}, {@code raise}, {@code assert} and what they are given. */
  record Keyword(String word, List<Expr> values, int start, int end) implements Stmt {}

  /** {@code pass}, {@code break}, {@code continue}. */
  record Plain(String word, int start, int end) implements Stmt {}

  /** {@code global}, {@code nonlocal}. */
  record Scope(String word, List<String> names, int start, int end) implements Stmt {}

  /** {@code import a.b as c, d}. */
  record Import(List<Alias> names, int start, int end) implements Stmt {}

  /**
   * {@code from ..module import a as b}.
   *
   * @param level number of dots
   * @param module empty in {@code from . import a}
   * @param names {@code *} alone for all
   */
  record ImportFrom(int level, String module, List<Alias> names, int start, int end)
      implements Stmt {}

  /**
   * A name that is imported.
   *
   * @param as the name that it gets; empty if it keeps its own
   */
  record Alias(String name, String as, int start, int end) {
    /** What the importing file calls it. */
    public String bound() {
      return !as.isEmpty()
          ? as
          : name.indexOf('.') < 0 ? name : name.substring(0, name.indexOf('.'));
    }
  }

  /** {@code if} and {@code elif}; an {@code elif} is the only statement of {@code otherwise}. */
  record If(Expr condition, List<Stmt> body, List<Stmt> otherwise, int start, int end)
      implements Stmt {}

  record While(Expr condition, List<Stmt> body, List<Stmt> otherwise, int start, int end)
      implements Stmt {}

  record For(
      boolean async,
      Expr target,
      Expr over,
      List<Stmt> body,
      List<Stmt> otherwise,
      int start,
      int end)
      implements Stmt {}

  /**
   * {@code try} and all that belongs to it.
   *
   * @param group true for {@code except*}
   */
  record Try(
      boolean group,
      List<Stmt> body,
      List<Clause.Except> handlers,
      List<Stmt> otherwise,
      List<Stmt> finish,
      int start,
      int end)
      implements Stmt {}

  record With(boolean async, List<Clause.With> items, List<Stmt> body, int start, int end)
      implements Stmt {}

  /**
   * A function; starts with its {@code def} or {@code async}, after its decorators.
   *
   * @param types expressions in its type parameters
   */
  record Function(
      boolean async,
      String name,
      List<Expr> decorators,
      List<Expr> types,
      List<Parameter> parameters,
      Optional<Expr> returns,
      List<Stmt> body,
      int start,
      int end)
      implements Stmt {}

  record ClassOf(
      String name,
      List<Expr> decorators,
      List<Expr> types,
      List<Argument> bases,
      List<Stmt> body,
      int start,
      int end)
      implements Stmt {}

  record Match(Expr subject, List<Clause.Case> cases, int start, int end) implements Stmt {}

  /** {@code type name[...] = value}. */
  record TypeAlias(Expr.Name name, List<Expr> types, Expr value, int start, int end)
      implements Stmt {}
}
