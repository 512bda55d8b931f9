package dev.rocport.lang.python.syntax;

/**
 * An argument of a call, or a base of a class.
 *
 * @param name keyword; empty for a positional argument, {@code **} for a dictionary that is spread
 */
public record Argument(String name, Expr value, int start, int end) implements Node {
  public boolean isPositional() {
    return name.isEmpty() && !(value instanceof Expr.Starred);
  }
}
