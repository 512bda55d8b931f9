package dev.rocport.lang.cuda.symbols;

import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.Collection;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Finds the member functions of classes that are templates. */
public final class MemberTemplates {
  private static final String ENTRY = "member template ";

  /** Words with brackets that can precede the name of a function. */
  private static final Set<String> WITH_BRACKETS =
      Set.of(
          "__attribute__",
          "__launch_bounds__",
          "__align__",
          "__declspec",
          "alignas",
          "decltype",
          "explicit",
          "noexcept",
          "requires");

  private MemberTemplates() {}

  /** Returns the entries of a file for the index of the project. */
  static SortedSet<String> in(Tokens t) {
    SortedSet<String> entries = new TreeSet<>();
    if (!t.mentions("template")) {
      return entries;
    }
    for (int i = 0; i < t.count(); i++) {
      if (t.is(i, "template") && t.is(i + 1, '<') && !t.inDirective(i)) {
        int close = Angles.closeOfTemplate(t, i + 1);
        int name = close > 0 ? name(t, close + 1) : -1;
        if (name > 0 && Scopes.isInClass(t, i)) {
          entries.add(ENTRY + t.text(name));
        }
      }
    }
    return entries;
  }

  /**
   * Returns whether a class of the project has a member function template of this name.
   *
   * @param shared the entries of all files
   */
  public static boolean has(Collection<String> shared, String name) {
    return shared.contains(ENTRY + name);
  }

  /** The name in the declaration of a function that begins at a token; -1 for others. */
  private static int name(Tokens t, int first) {
    int i = first;
    while (t.isIdentifier(i) || t.isPair(i, ':') || t.is(i, '*') || t.is(i, '&') || t.is(i, '<')) {
      if (t.is(i, "class") || t.is(i, "struct") || t.is(i, "using") || t.is(i, "friend")) {
        return -1;
      }
      if (t.is(i, '<')) {
        i = Angles.closeOfTemplate(t, i);
        if (i < 0) {
          return -1;
        }
      } else if (t.isIdentifier(i) && t.is(i + 1, '(')) {
        if (!WITH_BRACKETS.contains(t.text(i))) {
          return t.is(i, "operator") ? -1 : i;
        }
        i = t.match(i + 1);
        if (i < 0) {
          return -1;
        }
      }
      i++;
    }
    return -1;
  }
}
