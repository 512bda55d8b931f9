package dev.rocport.lang.cuda.condition;

import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import java.math.BigInteger;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the condition of an {@code #if} as far as it is known. Follows the grammar of the C
 * preprocessor; an unknown macro makes only its part of the condition unknown.
 */
public final class Condition {
  /** Brackets and signs in each other; no one writes more, and generated ones must not crash. */
  private static final int DEEPEST = 200;

  private final Tokens t;
  private final int end;
  private final Function<String, Macro> macros;
  private int at;
  private int depth;

  /** What is known about a macro. */
  public sealed interface Macro {
    /** Defined with this value. */
    record Value(long value) implements Macro {}

    /** Known not to be defined. */
    record Undefined() implements Macro {}

    /** Nothing is known. */
    record Unknown() implements Macro {}
  }

  private Condition(Tokens t, int from, int end, Function<String, Macro> macros) {
    this.t = t;
    this.at = from;
    this.end = end;
    this.macros = macros;
  }

  /** True, false, or null if it depends on what is not known. */
  public static @Nullable Boolean evaluate(Tokens t, Directive d, Function<String, Macro> macros) {
    boolean defined = d.name().equals("ifdef") || d.name().equals("elifdef");
    boolean undefined = d.name().equals("ifndef") || d.name().equals("elifndef");
    if (defined || undefined) {
      if (!t.isIdentifier(d.body())) {
        return null;
      }
      return switch (macros.apply(t.text(d.body()))) {
        case Macro.Value v -> defined;
        case Macro.Undefined u -> undefined;
        case Macro.Unknown u -> null;
      };
    }
    if (d.name().equals("else")) {
      return true;
    }
    Condition condition = new Condition(t, d.body(), d.last(), macros);
    Long value = condition.ternary();
    if (condition.at < d.last() || condition.depth > DEEPEST) {
      return null; // something that is not understood, such as the word "or"
    }
    return value == null ? null : Boolean.valueOf(value != 0);
  }

  private @Nullable Long ternary() {
    Long c = binary(0);
    if (!t.is(at, '?') || at >= end) {
      return c;
    }
    at++;
    depth++;
    Long yes = depth > DEEPEST ? null : ternary();
    if (t.is(at, ':')) {
      at++;
    }
    Long no = depth > DEEPEST ? null : ternary();
    depth -= depth > DEEPEST ? 0 : 1;
    return c == null ? null : c != 0 ? yes : no;
  }

  private static final String[][] LEVELS = {
    {"||"},
    {"&&"},
    {"|"},
    {"^"},
    {"&"},
    {"==", "!="},
    {"<=", ">=", "<", ">"},
    {"<<", ">>"},
    {"+", "-"},
    {"*", "/", "%"}
  };

  private @Nullable Long binary(int level) {
    if (level == LEVELS.length) {
      return unary();
    }
    Long left = binary(level + 1);
    String op = operator(level);
    while (op != null) {
      at += op.length();
      Long right = binary(level + 1);
      left = apply(op, left, right);
      op = operator(level);
    }
    return left;
  }

  private @Nullable String operator(int level) {
    for (String op : LEVELS[level]) {
      if (isOperator(op)) {
        return op;
      }
    }
    return null;
  }

  private boolean isOperator(String op) {
    if (at + op.length() > end || !t.is(at, op.charAt(0))) {
      return false;
    }
    if (op.length() == 2) {
      return t.touches(at) && t.is(at + 1, op.charAt(1));
    }
    // A one-character operator must not be the start of a longer one.
    char c = op.charAt(0);
    if (at + 1 < end && t.touches(at)) {
      boolean doubled = t.is(at + 1, c) && "|&<>".indexOf(c) >= 0;
      boolean compared = t.is(at + 1, '=') && "<>".indexOf(c) >= 0;
      return !doubled && !compared;
    }
    return true;
  }

  private static @Nullable Long apply(String op, @Nullable Long a, @Nullable Long b) {
    if (op.equals("&&")) {
      if ((a != null && a == 0) || (b != null && b == 0)) {
        return 0L;
      }
      return a == null || b == null ? null : Long.valueOf(1);
    }
    if (op.equals("||")) {
      if ((a != null && a != 0) || (b != null && b != 0)) {
        return 1L;
      }
      return a == null || b == null ? null : Long.valueOf(0);
    }
    if (a == null || b == null) {
      return null;
    }
    long x = a;
    long y = b;
    return switch (op) {
      case "|" -> x | y;
      case "^" -> x ^ y;
      case "&" -> x & y;
      case "==" -> x == y ? 1L : 0L;
      case "!=" -> x != y ? 1L : 0L;
      case "<=" -> x <= y ? 1L : 0L;
      case ">=" -> x >= y ? 1L : 0L;
      case "<" -> x < y ? 1L : 0L;
      case ">" -> x > y ? 1L : 0L;
      case "<<" -> x << y;
      case ">>" -> x >> y;
      case "+" -> x + y;
      case "-" -> x - y;
      case "*" -> x * y;
      case "/" -> y == 0 ? null : Long.valueOf(x / y);
      case "%" -> y == 0 ? null : Long.valueOf(x % y);
      default -> throw new IllegalStateException(op);
    };
  }

  private @Nullable Long unary() {
    if (depth > DEEPEST) {
      at = end;
    }
    if (at >= end) {
      return null;
    }
    depth++;
    Long value = operand();
    depth -= depth > DEEPEST ? 0 : 1; // once too deep, the whole is not understood
    return value;
  }

  private @Nullable Long operand() {
    if (t.is(at, '!')) {
      at++;
      Long v = unary();
      return v == null ? null : Long.valueOf(v == 0 ? 1 : 0);
    }
    if (t.is(at, '-')) {
      at++;
      Long v = unary();
      return v == null ? null : Long.valueOf(-v);
    }
    if (t.is(at, '+')) {
      at++;
      return unary();
    }
    if (t.is(at, '(')) {
      int close = t.match(at);
      at++;
      Long v = ternary();
      at = close < 0 ? end : close + 1;
      return v;
    }
    if (t.kind(at) == Tokens.NUMBER) {
      return number(t.text(at++));
    }
    if (t.is(at, "defined")) {
      return defined();
    }
    if (t.isIdentifier(at)) {
      String name = t.text(at++);
      if (at < end && t.is(at, '(') && t.match(at) > 0) { // a function-like macro or __has_include
        at = t.match(at) + 1;
        return null;
      }
      return switch (macros.apply(name)) {
        case Macro.Value(long value) -> value;
        case Macro.Undefined u -> 0L;
        case Macro.Unknown u -> null;
      };
    }
    at++;
    return null;
  }

  private @Nullable Long defined() {
    at++;
    boolean bracket = t.is(at, '(');
    int name = bracket ? at + 1 : at;
    at = bracket ? name + 2 : name + 1;
    if (!t.isIdentifier(name)) {
      return null;
    }
    return switch (macros.apply(t.text(name))) {
      case Macro.Value v -> 1L;
      case Macro.Undefined u -> 0L;
      case Macro.Unknown u -> null;
    };
  }

  private static @Nullable Long number(String text) {
    String s = text.replace("'", "").toLowerCase(Locale.ROOT).replaceAll("[ul]+$", "");
    try {
      if (s.startsWith("0x")) {
        return new BigInteger(s.substring(2), 16).longValue();
      }
      if (s.startsWith("0b")) {
        return new BigInteger(s.substring(2), 2).longValue();
      }
      return s.length() > 1 && s.startsWith("0") ? Long.parseLong(s, 8) : Long.parseLong(s);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
