package dev.rocport.lang.cuda.symbols;

import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds the variables that a part of a function declares, assigns, and names. */
public final class Variables {
  /** Words that no declaration begins with. */
  private static final Set<String> NO_TYPES =
      Set.of(
          "return",
          "else",
          "goto",
          "case",
          "if",
          "for",
          "while",
          "do",
          "switch",
          "using",
          "delete",
          "throw",
          "break",
          "continue",
          "default",
          "asm",
          "sizeof",
          "new");

  private Variables() {}

  /** The names in a stretch, members left out. */
  public static Set<String> named(Tokens t, Arguments.Span s) {
    Set<String> names = new HashSet<>();
    for (int i = s.first(); i <= s.last(); i++) {
      if (t.isIdentifier(i) && !t.is(i - 1, '.') && !t.isPair(i - 1, '-')) {
        names.add(t.text(i));
      }
    }
    return names;
  }

  /** The variables that a span declares, in nested brackets or not. */
  public static Set<String> declared(Tokens t, Arguments.Span s) {
    Set<String> names = new HashSet<>();
    for (int i = s.first(); i <= s.last(); i++) {
      boolean begins =
          i == s.first()
              || t.is(i - 1, ';')
              || t.is(i - 1, '{')
              || t.is(i - 1, '}')
              || (t.is(i - 1, '(') && t.is(i - 2, "for"));
      if (begins) {
        declarators(t, i).forEach(name -> names.add(t.text(name)));
      }
    }
    return names;
  }

  /** The variables, arrays or targets of pointers that a stretch assigns to or counts with. */
  public static Set<String> assigned(Tokens t, Arguments.Span s) {
    Set<String> names = new HashSet<>();
    for (int i = s.first(); i <= s.last(); i++) {
      if (t.isIdentifier(i) && isAssigned(t, i)) {
        names.add(t.text(i));
      }
    }
    return names;
  }

  /**
   * The names that the statement at a token declares: {@code const T *a = b, c[2];}.
   *
   * @return their tokens; none if it declares nothing
   */
  public static List<Integer> declarators(Tokens t, int first) {
    List<Integer> names = new ArrayList<>();
    int name = behindType(t, first);
    while (t.isIdentifier(name)) {
      names.add(name);
      int k = name + 1;
      while (k < t.count() && !t.is(k, ',') && !t.is(k, ';') && !t.is(k, ')') && !t.is(k, '}')) {
        k = t.after(k);
      }
      name = t.is(k, ',') ? k + 1 : -1;
      while (t.is(name, '*') || t.is(name, '&')) {
        name++;
      }
    }
    return names;
  }

  /** The first name that is declared; -1 if no type with a name after it begins here. */
  private static int behindType(Tokens t, int first) {
    boolean typed = false;
    int k = first;
    while (k < t.count()) {
      if (t.isIdentifier(k)) {
        if (NO_TYPES.contains(t.text(k))) {
          return -1;
        }
        if (typed && !t.isPair(k - 1, ':') && declaresAt(t, k + 1)) {
          return k;
        }
        typed = true;
        k++;
      } else if (typed && t.is(k, '<') && Angles.close(t, k, t.count()) > 0) {
        k = Angles.close(t, k, t.count()) + 1;
      } else if (t.isPair(k, ':') || (typed && (t.is(k, '*') || t.is(k, '&')))) {
        k++;
      } else {
        return -1;
      }
    }
    return -1;
  }

  private static boolean declaresAt(Tokens t, int i) {
    return (t.is(i, '=') && !t.is(i + 1, '='))
        || t.is(i, ';')
        || t.is(i, ',')
        || t.is(i, '[')
        || t.is(i, '(')
        || t.is(i, '{')
        || t.is(i, ':');
  }

  /**
   * {@code name = x}, {@code name[k] += x}, {@code name->m = x}, {@code ++name}, {@code name--}.
   */
  public static boolean isAssigned(Tokens t, int i) {
    if (t.is(i - 1, '.') || t.isPair(i - 1, '-')) {
      return false;
    }
    if (isTwice(t, i - 2, '+') || isTwice(t, i - 2, '-')) {
      return true;
    }
    int k = objectEnd(t, i) + 1;
    return isAssignment(t, k) || isTwice(t, k, '+') || isTwice(t, k, '-');
  }

  /** The last token of the member or element that begins at a token: {@code f[j].x[i]}. */
  public static int objectEnd(Tokens t, int first) {
    int i = first;
    while (true) {
      if (t.is(i + 1, '[') && t.match(i + 1) > i) {
        i = t.match(i + 1);
      } else if ((t.is(i + 1, '.') || t.isPair(i + 1, '-')) && t.isIdentifier(i + 2)) {
        i += 2;
      } else {
        return i;
      }
    }
  }

  private static boolean isTwice(Tokens t, int i, char c) {
    return t.is(i, c) && t.is(i + 1, c) && t.touches(i);
  }

  private static boolean isAssignment(Tokens t, int i) {
    if (t.is(i, '=')) {
      return !(t.is(i + 1, '=') && t.touches(i));
    }
    for (char c : new char[] {'+', '-', '*', '/', '%', '&', '|', '^'}) {
      if (t.is(i, c)) {
        return t.is(i + 1, '=') && t.touches(i) && !(t.is(i + 2, '=') && t.touches(i + 1));
      }
    }
    boolean shift = isTwice(t, i, '<') || isTwice(t, i, '>');
    return shift && t.is(i + 2, '=') && t.touches(i + 1);
  }
}
