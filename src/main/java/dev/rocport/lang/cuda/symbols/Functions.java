package dev.rocport.lang.cuda.symbols;

import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The functions that a file defines, found by their brackets. */
public final class Functions {
  private static final Set<String> NO_CALLS =
      Set.of(
          "if",
          "for",
          "while",
          "switch",
          "catch",
          "return",
          "sizeof",
          "alignof",
          "decltype",
          "defined",
          "do",
          "else",
          "case",
          "throw",
          "new",
          "delete",
          "static_cast",
          "reinterpret_cast",
          "const_cast",
          "dynamic_cast",
          "noexcept",
          "static_assert");

  /** Words that can appear between the parameters and the body. */
  private static final Set<String> BETWEEN =
      Set.of("const", "noexcept", "override", "final", "volatile");

  private Functions() {}

  /**
   * A definition.
   *
   * @param name index of its name
   * @param open the round bracket of its parameters
   * @param body the brace that opens it
   * @param close the brace that closes it
   */
  public record Function(int name, int open, int body, int close) {}

  /** In source order; nested functions count as part of the outer function. */
  public static List<Function> of(Tokens t) {
    List<Function> list = new ArrayList<>();
    for (int i = 0; i < t.count(); i++) {
      if (!t.is(i, '{') || t.inDirective(i) || t.match(i) < 0) {
        continue;
      }
      int close = i - 1;
      while (t.isIdentifier(close) && BETWEEN.contains(t.text(close))) {
        close--;
      }
      int open = t.is(close, ')') ? t.match(close) : -1;
      if (open > 0 && t.isIdentifier(open - 1) && !NO_CALLS.contains(t.text(open - 1))) {
        list.add(new Function(open - 1, open, i, t.match(i)));
        i = t.match(i);
      }
    }
    return list;
  }

  /** True if the definition is a kernel. */
  public static boolean isKernel(Tokens t, Function function) {
    for (int i = Statements.definitionStart(t, function.body()); i < function.name(); i++) {
      if (t.is(i, "__global__")) {
        return true;
      }
    }
    return false;
  }

  /** True if token {@code i} is a name with arguments after it. */
  public static boolean isCall(Tokens t, int i) {
    return t.isIdentifier(i)
        && t.is(i + 1, '(')
        && !t.inDirective(i)
        && !NO_CALLS.contains(t.text(i));
  }
}
