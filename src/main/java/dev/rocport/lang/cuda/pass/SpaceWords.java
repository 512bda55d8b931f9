package dev.rocport.lang.cuda.pass;

import dev.rocport.lang.cuda.symbols.SharedNames;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The execution spaces of the macros of a project, such as {@code HOST_DEVICE}. */
final class SpaceWords {
  private final Map<String, Set<String>> definitions = new TreeMap<>();

  private SpaceWords(Collection<String> shared) {
    String prefix = SharedNames.space("", "").stripTrailing() + " ";
    for (String entry : shared) {
      if (entry.startsWith(prefix)) {
        String[] parts = entry.substring(prefix.length()).split(" ", 2);
        definitions.computeIfAbsent(parts[0], k -> new HashSet<>()).add(parts[1]);
      }
    }
  }

  /**
   * Returns the spaces of each macro whose definitions with a space all have the same ones. A
   * definition without any is for other compilers.
   *
   * @param shared the entries of {@link SharedNames} in the project
   */
  static Map<String, Integer> of(Collection<String> shared) {
    SpaceWords words = new SpaceWords(shared);
    Map<String, Integer> spaces = new HashMap<>();
    for (String macro : words.definitions.keySet()) {
      int of = words.spaces(macro, new HashSet<>());
      if (of > 0) {
        spaces.put(macro, of);
      }
    }
    return spaces;
  }

  /** Returns the spaces of a word; 0 for none, and -1 if its definitions differ. */
  private int spaces(String word, Set<String> around) {
    if (word.equals("__host__")) {
      return FunctionHeads.HOST;
    }
    if (word.equals("__device__")) {
      return FunctionHeads.DEVICE;
    }
    if (!around.add(word)) {
      return 0;
    }
    int found = 0;
    for (String definition : definitions.getOrDefault(word, Set.of())) {
      int here = 0;
      for (String part : definition.split(" ")) {
        int of = spaces(part, around);
        here = of < 0 || here < 0 ? -1 : here | of;
      }
      found = here == 0 || here == found ? found : found == 0 ? here : -1;
    }
    around.remove(word);
    return found;
  }
}
