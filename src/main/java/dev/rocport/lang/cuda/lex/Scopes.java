package dev.rocport.lang.cuda.lex;

import java.util.Set;

/** Distinguishes names of the global scope from members of classes and namespaces. */
public final class Scopes {
  /** Words that can precede a name in the global scope: {@code return ::cudaFree(p)}. */
  private static final Set<String> KEYWORDS =
      Set.of(
          "alignof",
          "and",
          "case",
          "class",
          "co_await",
          "co_return",
          "co_yield",
          "const",
          "consteval",
          "constexpr",
          "constinit",
          "delete",
          "do",
          "else",
          "enum",
          "explicit",
          "extern",
          "friend",
          "inline",
          "mutable",
          "namespace",
          "new",
          "not",
          "or",
          "private",
          "protected",
          "public",
          "register",
          "return",
          "sizeof",
          "static",
          "struct",
          "thread_local",
          "throw",
          "typedef",
          "typename",
          "union",
          "using",
          "virtual",
          "volatile",
          "xor",
          "__constant__",
          "__device__",
          "__forceinline__",
          "__global__",
          "__host__",
          "__inline__",
          "__managed__",
          "__noinline__",
          "__shared__");

  /** What may be between the parameters of a function and its return type. */
  private static final Set<String> QUALIFIERS =
      Set.of("const", "volatile", "noexcept", "mutable", "&", "&&");

  private Scopes() {}

  /** True if a name with {@code ::}, other than that alone, is before token {@code i}. */
  public static boolean isInNamed(Tokens t, int i) {
    return t.isPair(i - 1, ':')
        && ((t.isIdentifier(i - 2) && !KEYWORDS.contains(t.text(i - 2))) || t.is(i - 2, '>'));
  }

  /** True if the name at token {@code i} is a member of an object, a class or a namespace. */
  public static boolean isMember(Tokens t, int i) {
    return t.is(i - 1, '.') || (t.isPair(i - 1, '-') && !isReturnType(t, i)) || isInNamed(t, i);
  }

  /** True if token {@code i} begins the type after {@code auto f() ->} or {@code []() ->}. */
  private static boolean isReturnType(Tokens t, int i) {
    int k = i - 2;
    while (k >= 0 && (QUALIFIERS.contains(t.text(k)) || isNoexcept(t, k))) {
      k = t.before(k);
    }
    if (!t.is(k, ')')) {
      return false;
    }
    k = t.before(k);
    if (t.is(k, ']')) {
      k = t.before(k);
      return !t.isIdentifier(k) && !t.is(k, ')') && !t.is(k, ']');
    }
    while (t.isIdentifier(k) || t.isPair(k, ':')) {
      if (t.is(k, "auto")) {
        return true;
      }
      k--;
    }
    return false;
  }

  private static boolean isNoexcept(Tokens t, int close) {
    return t.is(close, ')') && t.is(t.before(close), "noexcept");
  }

  /** The last token of a name, such as {@code ::a::b}, that begins at token {@code first}. */
  public static int nameEnd(Tokens t, int first) {
    int last = t.isPair(first, ':') ? first + 1 : first;
    while (t.isIdentifier(last) && t.isPair(last + 1, ':') && t.isIdentifier(last + 2)) {
      last += 2;
    }
    return last;
  }

  /** The brace that opens those directly around token {@code i}, or -1. */
  public static int enclosing(Tokens t, int i) {
    int k = i - 1;
    while (k >= 0 && !t.is(k, '{')) {
      k = t.before(k);
    }
    return k;
  }

  /** True if the braces directly around token {@code i} are those of a class. */
  public static boolean isInClass(Tokens t, int i) {
    for (int k = enclosing(t, i) - 1; k >= 0 && !isEnd(t, k); k--) {
      if (t.is(k, "class") || t.is(k, "struct") || t.is(k, "union")) {
        return true;
      }
    }
    return false;
  }

  private static boolean isEnd(Tokens t, int i) {
    return t.is(i, ';') || t.is(i, '{') || t.is(i, '}') || t.is(i, ')');
  }
}
