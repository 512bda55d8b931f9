package dev.rocport.lang.cuda.api;

import dev.rocport.lang.cuda.lex.Tokens;
import java.util.HashMap;
import java.util.Map;

/** Finds aliases of namespaces, such as {@code namespace cg = cooperative_groups;}. */
final class NamespaceAliases {
  private NamespaceAliases() {}

  /**
   * Returns the aliases of a file, each with the first token of the namespace that it names. An
   * alias of two namespaces, in two scopes, is left out.
   */
  static Map<String, Integer> of(Tokens t) {
    Map<String, Integer> aliases = new HashMap<>();
    if (!t.mentions("namespace")) {
      return aliases;
    }
    for (int i = 0; i + 3 < t.count(); i++) {
      if (t.is(i, "namespace") && t.isIdentifier(i + 1) && t.is(i + 2, '=')) {
        int first = t.isPair(i + 3, ':') ? i + 4 : i + 3;
        if (t.isIdentifier(first)) {
          aliases.merge(t.text(i + 1), first, (a, b) -> name(t, a).equals(name(t, b)) ? a : -1);
        }
      }
    }
    aliases.values().removeIf(first -> first < 0);
    return aliases;
  }

  private static String name(Tokens t, int first) {
    return first < 0 ? "" : t.file().text(t.start(first), t.end(first + 2 * (parts(t, first) - 1)));
  }

  /** Returns the number of identifiers of a qualified name that begins at this token. */
  static int parts(Tokens t, int first) {
    int n = 1;
    while (t.isPair(first + 2 * n - 1, ':') && t.isIdentifier(first + 2 * n)) {
      n++;
    }
    return n;
  }
}
