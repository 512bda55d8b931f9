package dev.rocport.lang.cuda.guard;

import dev.rocport.lang.cuda.condition.Regions.Branch;
import dev.rocport.lang.cuda.condition.Regions.Chain;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.symbols.SharedNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds macros that make a function one of the device in the device pass, and one of the host in
 * the host pass. nvcc generates code for one side in each pass; clang checks the calls of both
 * sides in both passes, and rejects a host function that calls such a function in the device pass.
 */
final class SpaceMacros {
  private static final Set<String> INLINE = Set.of("inline", "__inline__", "__forceinline__");

  private static final Set<String> OTHERS = Set.of("static", "constexpr");

  private final Tokens t;
  private final Set<String> shared;

  /**
   * @param shared the entries of {@link SharedNames} in the project
   */
  SpaceMacros(Tokens t, Set<String> shared) {
    this.t = t;
    this.shared = shared;
  }

  /**
   * Returns each {@code __device__} that needs {@code __host__}; nothing if the chain has anything
   * but two branches that define the same macros, if a variable of the project has one of them,
   * which would be one of the device only, or if a function would no longer be inline or static on
   * the host.
   *
   * @param chain whose first condition can hold in the device pass only
   */
  Optional<List<Integer>> deviceWords(Chain chain) {
    if (chain.branches().size() != 2) {
      return Optional.empty();
    }
    List<Integer> words = new ArrayList<>();
    Map<String, Set<String>> device = macros(chain.branches().getFirst(), words);
    int found = words.size();
    Map<String, Set<String>> host = macros(chain.branches().getLast(), words);
    boolean same =
        found == device.size()
            && words.size() == found
            && device.keySet().equals(host.keySet())
            && host.entrySet().stream()
                .allMatch(e -> device.getOrDefault(e.getKey(), Set.of()).containsAll(e.getValue()));
    if (!same
        || words.isEmpty()
        || device.keySet().stream().map(SharedNames::variable).anyMatch(shared::contains)) {
      return Optional.empty();
    }
    words.removeIf(w -> t.is(w - 1, "__host__") || t.is(w + 1, "__host__"));
    return Optional.of(words);
  }

  /** Returns the other words of each macro that a branch defines; empty if it has anything else. */
  private Map<String, Set<String>> macros(Branch branch, List<Integer> deviceWords) {
    Map<String, Set<String>> macros = new TreeMap<>();
    for (int i = branch.from(); i < branch.to(); i++) {
      if (!t.inDirective(i)) {
        return Map.of();
      }
      Directive d = t.directives().get(t.directiveOf(i));
      if (!d.name().equals("define") || d.body() >= d.last()) {
        return Map.of();
      }
      Set<String> others = new TreeSet<>();
      macros.put(t.text(d.body()), others);
      for (int k = d.body() + 1; k < d.last(); k++) {
        if (t.is(k, "__device__")) {
          deviceWords.add(k);
        } else if (INLINE.contains(t.text(k))) {
          others.add("inline");
        } else if (OTHERS.contains(t.text(k))) {
          others.add(t.text(k));
        } else if (!t.is(k, "__host__")) {
          return Map.of();
        }
      }
      i = d.last() - 1;
    }
    return macros;
  }
}
