package dev.rocport.warp.ir;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates constants in text outside the syntax tree: macro definitions, and block sizes of
 * launches.
 */
public final class ConstantText {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:([0-9][0-9a-zA-Z']*)|([A-Za-z_][A-Za-z_0-9]*)|(<<|>>|[-+*/%&|^~()]))");
  private static final List<Set<String>> LEVELS =
      List.of(
          Set.of("|"),
          Set.of("^"),
          Set.of("&"),
          Set.of("<<", ">>"),
          Set.of("+", "-"),
          Set.of("*", "/", "%"));

  private final List<String> tokens;
  private int at;

  private ConstantText(List<String> tokens) {
    this.tokens = tokens;
  }

  /** The expression, without places; null if it is none of integers and names. */
  public static @Nullable Expr parse(String text) {
    List<String> tokens = new ArrayList<>();
    String t = text.strip();
    Matcher m = TOKEN.matcher(t);
    int end = 0;
    while (end < t.length() && m.find(end) && m.start() == end) {
      tokens.add(m.group().strip());
      end = m.end();
    }
    if (end < t.length() || tokens.isEmpty() || tokens.size() > 40) {
      return null;
    }
    ConstantText p = new ConstantText(tokens);
    Expr x = p.level(0);
    return p.at == tokens.size() ? x : null;
  }

  /** The value of an integer literal, modulo 2^64; null for other literals. */
  static @Nullable Long integer(String literal) {
    String t = literal.replace("'", "").toLowerCase(Locale.ROOT);
    while (t.endsWith("u") || t.endsWith("l") || t.endsWith("z")) {
      t = t.substring(0, t.length() - 1);
    }
    try {
      if (t.startsWith("0x")) {
        return Long.parseUnsignedLong(t.substring(2), 16);
      }
      if (t.startsWith("0b")) {
        return Long.parseUnsignedLong(t.substring(2), 2);
      }
      return t.length() > 1 && t.startsWith("0")
          ? Long.parseUnsignedLong(t, 8)
          : Long.parseUnsignedLong(t);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private @Nullable Expr level(int level) {
    if (level == LEVELS.size()) {
      return unary();
    }
    Expr left = level(level + 1);
    while (left != null && at < tokens.size() && LEVELS.get(level).contains(tokens.get(at))) {
      String op = tokens.get(at++);
      Expr right = level(level + 1);
      left = right == null ? null : new Expr.Binary(op, left, right, Span.NOWHERE);
    }
    return left;
  }

  private @Nullable Expr unary() {
    if (at == tokens.size()) {
      return null;
    }
    String t = tokens.get(at++);
    if (t.equals("-") || t.equals("~") || t.equals("+")) {
      Expr x = unary();
      return x == null ? null : new Expr.Unary(t, x, Span.NOWHERE);
    }
    if (t.equals("(")) {
      Expr x = level(0);
      if (at < tokens.size() && tokens.get(at).equals(")")) {
        at++;
        return x;
      }
      return null;
    }
    if (Character.isDigit(t.charAt(0))) {
      Long v = integer(t);
      return v == null ? null : new Expr.Literal(v, true, t, Span.NOWHERE);
    }
    return Character.isLetter(t.charAt(0)) || t.charAt(0) == '_'
        ? new Expr.Name(t, Span.NOWHERE)
        : null;
  }
}
