package dev.rocport.lang.cuda.symbols;

import dev.rocport.lang.cuda.lex.Tokens;
import java.util.HashSet;
import java.util.Set;

/** Names, with hashes that spare the making of strings. */
final class Words {
  private final Set<Integer> hashes = new HashSet<>();
  private final Set<String> names = new HashSet<>();

  static Words of(String... names) {
    Words words = new Words();
    for (String n : names) {
      words.add(n);
    }
    return words;
  }

  boolean add(String name) {
    hashes.add(Tokens.hash(name));
    return names.add(name);
  }

  int size() {
    return names.size();
  }

  boolean hold(Tokens t, int i) {
    return !names.isEmpty()
        && t.isIdentifier(i)
        && hashes.contains(t.hash(i))
        && names.contains(t.text(i));
  }
}
