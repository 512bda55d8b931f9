package dev.rocport.lang.cuda.symbols;

import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Finds classes whose members have initializers, and other names of such classes. */
public final class InitializedClasses {
  private static final String CLASS = "initialized ";
  private static final String ALIAS = "alias ";

  /** Words with which {@code =} in a class initializes no member of an object. */
  private static final Set<String> OTHERS =
      Set.of(
          "static",
          "constexpr",
          "using",
          "typedef",
          "enum",
          "struct",
          "class",
          "union",
          "friend",
          "template",
          "operator");

  /** Words at the end of the head of a function. */
  private static final Set<String> HEADS = Set.of("const", "noexcept", "override", "final");

  private InitializedClasses() {}

  /** Returns the entries of a file for the index of the project. */
  static SortedSet<String> in(Tokens t) {
    SortedSet<String> entries = new TreeSet<>();
    for (int i = 0; i < t.count(); i++) {
      if (t.inDirective(i)) {
        continue;
      }
      if (t.is(i, "struct") || t.is(i, "class")) {
        int open = body(t, i);
        if (open > 0 && initializes(t, open)) {
          entries.add(CLASS + t.text(name(t, i, open)));
        }
      } else if (t.is(i, "using") && t.isIdentifier(i + 1) && t.is(i + 2, '=')) {
        alias(t, i + 3, t.text(i + 1), entries);
      } else if (t.is(i, "typedef") && t.isIdentifier(i + 1)) {
        int end = i;
        while (end < t.count() && !t.is(end, ';')) {
          end = t.after(end);
        }
        while (t.is(end - 1, ']') && t.match(end - 1) > i) {
          end = t.match(end - 1);
        }
        alias(t, i + 1, t.text(end - 1), entries);
      }
    }
    return entries;
  }

  /** Whether an entry of the index of a project is one of these. */
  public static boolean isEntry(String entry) {
    return entry.startsWith(CLASS) || entry.startsWith(ALIAS);
  }

  /**
   * Returns the names of the classes of a project.
   *
   * @param shared the entries of all files
   */
  static SortedSet<String> names(Collection<String> shared) {
    SortedSet<String> names = new TreeSet<>();
    Map<String, List<String>> aliases = new HashMap<>();
    for (String entry : shared) {
      if (entry.startsWith(CLASS)) {
        names.add(entry.substring(CLASS.length()));
      } else if (entry.startsWith(ALIAS)) {
        String[] words = entry.split(" ");
        aliases.computeIfAbsent(words[2], type -> new ArrayList<>()).add(words[1]);
      }
    }
    Deque<String> open = new ArrayDeque<>(names);
    while (!open.isEmpty()) {
      for (String alias : aliases.getOrDefault(open.remove(), List.of())) {
        if (names.add(alias)) {
          open.add(alias);
        }
      }
    }
    return names;
  }

  private static void alias(Tokens t, int type, String name, Set<String> entries) {
    int last = Scopes.nameEnd(t, type);
    int next = last + 1;
    boolean object = t.is(next, '<') || t.is(next, ';') || t.is(next, '[') || t.is(next, name);
    if (t.isIdentifier(last) && object) {
      entries.add(ALIAS + name + " " + t.text(last));
    }
  }

  /** The brace of a definition, or -1. */
  static int body(Tokens t, int word) {
    int i = word + 1;
    while (i < t.count()
        && !t.is(i, '{')
        && !t.is(i, ';')
        && !t.is(i, '=')
        && !t.is(i, ')')
        && !t.is(i, '}')) {
      i = t.is(i, '(') ? t.after(i) : i + 1;
    }
    return t.is(i, '{') && t.match(i) > i ? i : -1;
  }

  /** The name of a class: the last identifier before its bases or its arguments. */
  static int name(Tokens t, int word, int open) {
    int name = word;
    for (int i = word + 1; i < open && !t.is(i, ':') && !t.is(i, '<'); i = t.after(i)) {
      name = t.isIdentifier(i) && !t.is(i, "final") ? i : name;
    }
    return name;
  }

  private static boolean initializes(Tokens t, int open) {
    boolean other = false;
    for (int i = open + 1; i < t.match(open); i = t.after(i)) {
      if (t.isIdentifier(i) && OTHERS.contains(t.text(i))) {
        other = true;
      }
      boolean value = t.is(i, '=') || (t.is(i, '{') && t.is(t.after(i), ';'));
      boolean member =
          t.is(i - 1, ']') || (t.isIdentifier(i - 1) && !HEADS.contains(t.text(i - 1)));
      if (value && member && !other) {
        return true;
      }
      if (t.is(i, ';') || t.is(i, ':') || t.is(i, '{')) {
        other = false;
      }
    }
    return false;
  }
}
