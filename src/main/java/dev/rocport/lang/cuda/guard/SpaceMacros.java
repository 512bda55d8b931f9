package dev.rocport.lang.cuda.guard;

import dev.rocport.lang.cuda.condition.Regions.Branch;
import dev.rocport.lang.cuda.condition.Regions.Chain;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds macros that make a function one of the device in the device pass, and one of the host in
 * the host pass. nvcc generates code for one side in each pass; clang checks the calls of both
 * sides in both passes, and rejects a host function that calls such a function in the device pass.
 */
final class SpaceMacros {
  private static final Set<String> WORDS =
      Set.of("inline", "__inline__", "__forceinline__", "static", "constexpr");

  private final Tokens t;

  SpaceMacros(Tokens t) {
    this.t = t;
  }

  /**
   * Returns the {@code __device__} in each definition; empty if the chain has anything but two
   * branches that define the same macros.
   */
  List<Integer> deviceWords(Chain chain) {
    if (chain.branches().size() != 2 || !chain.hasElse()) {
      return List.of();
    }
    List<Integer> words = new ArrayList<>();
    Set<String> device = names(chain.branches().getFirst(), words);
    int found = words.size();
    Set<String> host = names(chain.branches().getLast(), words);
    return found == device.size() && words.size() == found && device.equals(host)
        ? words
        : List.of();
  }

  /** Returns the macros that a branch defines; empty if it has anything else. */
  private Set<String> names(Branch branch, List<Integer> deviceWords) {
    Set<String> names = new TreeSet<>();
    for (int i = branch.from(); i < branch.to(); i++) {
      if (!t.inDirective(i)) {
        return Set.of();
      }
      Directive d = t.directives().get(t.directiveOf(i));
      if (!d.name().equals("define") || d.body() >= d.last()) {
        return Set.of();
      }
      names.add(t.text(d.body()));
      for (int k = d.body() + 1; k < d.last(); k++) {
        if (t.is(k, "__device__")) {
          deviceWords.add(k);
        } else if (!WORDS.contains(t.text(k))) {
          return Set.of();
        }
      }
      i = d.last() - 1;
    }
    return names;
  }
}
