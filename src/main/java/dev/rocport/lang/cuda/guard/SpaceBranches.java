package dev.rocport.lang.cuda.guard;

import dev.rocport.lang.cuda.condition.Regions.Branch;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Finds functions that are for the device in a branch for the device pass and for the host in the
 * other one. clang checks the calls of host code in the device pass, too, so that the functions
 * must be for the host as well there.
 */
final class SpaceBranches {
  private static final Set<String> ATTRIBUTES =
      Set.of(
          "__device__",
          "__forceinline__",
          "__inline__",
          "__noinline__",
          "constexpr",
          "inline",
          "static");

  private final Tokens t;

  SpaceBranches(Tokens t) {
    this.t = t;
  }

  /** Returns each {@code __device__} of such functions. */
  List<Integer> deviceWords(Branch device, Branch host) {
    boolean attributes = hasOnlyAttributes(device) && hasOnlyAttributes(host);
    Set<String> names = attributes ? Set.of() : names(host);
    List<Integer> words = new ArrayList<>();
    for (int i = device.from(); i < device.to(); i++) {
      if (t.is(i, "__device__") && !t.inDirective(i) && (attributes || isNamed(i, names))) {
        words.add(i);
      }
    }
    return words;
  }

  private boolean hasOnlyAttributes(Branch branch) {
    return IntStream.range(branch.from(), branch.to())
        .allMatch(i -> !t.inDirective(i) && ATTRIBUTES.contains(t.text(i)));
  }

  /** Returns the names of macros and functions that a branch defines. */
  private Set<String> names(Branch branch) {
    Set<String> names = new HashSet<>();
    for (int i = branch.from(); i < branch.to(); i++) {
      if (t.inDirective(i)) {
        Directive d = t.directives().get(t.directiveOf(i));
        if (d.name().equals("define") && i == d.body()) {
          names.add(t.text(i));
        }
      } else if (t.is(i, '(') && t.isIdentifier(i - 1) && t.is(t.match(i) + 1, '{')) {
        names.add(t.text(i - 1));
      }
    }
    return names;
  }

  /** Returns whether the definition around a word is that of a device function with such a name. */
  private boolean isNamed(int word, Set<String> names) {
    int open = word;
    while (open < t.count() && !t.is(open, '(') && !t.is(open, ';') && !t.is(open, '{')) {
      open++;
    }
    return t.is(open, '(')
        && names.contains(t.text(open - 1))
        && t.is(t.match(open) + 1, '{')
        && IntStream.range(Statements.definitionStart(t, word), open)
            .noneMatch(i -> t.is(i, "__host__") || t.is(i, "__global__"));
  }
}
