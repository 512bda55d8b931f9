package dev.rocport.warp.ir;

import java.util.List;

/** An expression. Parentheses appear only in the spans. */
public sealed interface Expr {
  Span at();

  /** A name without its scopes; or a use of a macro that expands to a constant. */
  record Name(String id, Span at) implements Expr {}

  /**
   * A number.
   *
   * @param value of integers; 0 for others
   * @param integer false for floating-point literals
   */
  record Literal(long value, boolean integer, String text, Span at) implements Expr {}

  /** {@code -x}, {@code !x}, {@code x++} (as {@code ++}), {@code *p}, {@code &x}, {@code ~x}. */
  record Unary(String op, Expr x, Span at) implements Expr {}

  /** Two operands; assignments ({@code =}, {@code +=}) and the comma, too. */
  record Binary(String op, Expr left, Expr right, Span at) implements Expr {
    /** True for {@code =} and the operators that assign. */
    public boolean assigns() {
      return op.equals("=")
          || (op.endsWith("=") && op.length() > 1 && !"==!=<=>=".contains(op.substring(0, 2)))
          || op.equals("<<=")
          || op.equals(">>=");
    }
  }

  /** {@code c ? a : b}. */
  record Pick(Expr condition, Expr yes, Expr no, Span at) implements Expr {}

  /**
   * A call by name.
   *
   * @param name without scopes; the member's name for {@code x.name(...)}
   * @param receiver {@code x} of {@code x.name(...)} as the one element, otherwise empty
   * @param templates template arguments, types as {@link Other}
   */
  record Call(
      String name, List<Expr> receiver, List<Expr> templates, List<Expr> args, Span nameAt, Span at)
      implements Expr {}

  record Index(Expr base, Expr index, Span at) implements Expr {}

  record Field(Expr base, String name, Span at) implements Expr {}

  /** A conversion; the type as it is written. */
  record Cast(String type, Expr x, Span at) implements Expr {}

  /** Anything else, with the expressions in it. */
  record Other(String text, List<Expr> parts, Span at) implements Expr {}
}
