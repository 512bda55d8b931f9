package dev.rocport.lang.python.syntax;

import java.util.List;
import java.util.Optional;

/**
 * An expression. As in CPython's {@code ast}, parentheses around it are not part of its span,
 * except those of a tuple and of a generator.
 */
public sealed interface Expr extends Node {
  record Name(String id, int start, int end) implements Expr {}

  /** A number, {@code None}, {@code True}, {@code False} or {@code ...}, by its text. */
  record Constant(String text, int start, int end) implements Expr {}

  /**
   * One or more string literals side by side.
   *
   * @param value its value, empty for bytes, f-strings and strings with rare escapes
   * @param parts the expressions inside f-strings
   */
  record Text(Optional<String> value, List<Expr> parts, int start, int end) implements Expr {}

  /**
   * {@code base.name}.
   *
   * @param nameStart where the name after the dot starts
   */
  record Attribute(Expr base, String name, int nameStart, int start, int end) implements Expr {}

  record Call(Expr function, List<Argument> arguments, int start, int end) implements Expr {}

  record Subscript(Expr base, Expr index, int start, int end) implements Expr {}

  record Slice(List<Expr> parts, int start, int end) implements Expr {}

  record Unary(String op, Expr operand, int start, int end) implements Expr {}

  record Binary(String op, Expr left, Expr right, int start, int end) implements Expr {}

  /** {@code and}, {@code or}. */
  record Logical(String op, List<Expr> operands, int start, int end) implements Expr {}

  /** {@code a < b < c}: one operator fewer than operands. */
  record Comparison(List<String> ops, List<Expr> operands, int start, int end) implements Expr {}

  record Conditional(Expr then, Expr condition, Expr otherwise, int start, int end)
      implements Expr {}

  record Lambda(List<Parameter> parameters, Expr body, int start, int end) implements Expr {}

  record TupleOf(List<Expr> items, int start, int end) implements Expr {}

  record ListOf(List<Expr> items, int start, int end) implements Expr {}

  record SetOf(List<Expr> items, int start, int end) implements Expr {}

  /** {@code {key: value, **spread}}. */
  record Dict(List<Entry> entries, int start, int end) implements Expr {}

  /**
   * An entry of a dictionary.
   *
   * @param key empty where {@code value} is spread
   */
  record Entry(Optional<Expr> key, Expr value) {}

  /**
   * A comprehension or generator.
   *
   * @param kind its opening bracket
   * @param items the item, or key and value
   */
  record Comprehension(char kind, List<Expr> items, List<Clause.For> clauses, int start, int end)
      implements Expr {}

  record Starred(Expr value, int start, int end) implements Expr {}

  record Await(Expr value, int start, int end) implements Expr {}

  /** {@code yield} and {@code yield from}. */
  record Yield(boolean from, Optional<Expr> value, int start, int end) implements Expr {}

  /** {@code name := value}. */
  record Walrus(Name target, Expr value, int start, int end) implements Expr {}
}
