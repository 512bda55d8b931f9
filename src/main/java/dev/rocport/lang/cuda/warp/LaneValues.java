package dev.rocport.lang.cuda.warp;

import dev.rocport.lang.cuda.lex.Arguments.Span;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.symbols.Functions;
import dev.rocport.lang.cuda.symbols.Functions.Function;
import dev.rocport.lang.cuda.symbols.Variables;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Variables that may differ between the lanes of a warp: by their names, and those that statements
 * with such variables set.
 */
final class LaneValues {
  private static final Pattern NAME =
      Pattern.compile("threadIdx|tid|thread_rank|lane.*|.*_lane.*|.*Lane.*|.*_LANE.*|.*laneid.*");

  private final Tokens t;

  /** Names that are left out. */
  private final Predicate<String> same;

  private final List<Function> functions;

  /** The variables of each function, by the token of its name. */
  private final Map<Integer, Set<String>> known = new HashMap<>();

  LaneValues(Tokens t, Predicate<String> same) {
    this.t = t;
    this.same = same;
    this.functions = Functions.of(t);
  }

  /** True if the name at a token may have different values. */
  boolean differs(int i) {
    return isNamed(i)
        || functions.stream()
            .filter(f -> f.open() < i && i < f.close())
            .anyMatch(f -> of(f).contains(t.text(i)));
  }

  private boolean isNamed(int i) {
    return t.isIdentifier(i) && NAME.matcher(t.text(i)).matches();
  }

  private Set<String> of(Function f) {
    return known.computeIfAbsent(f.name(), k -> variables(f));
  }

  private Set<String> variables(Function f) {
    Set<String> names = new HashSet<>();
    int size = -1;
    while (size < names.size()) {
      size = names.size();
      int first = f.body() + 1;
      for (int i = first; i <= f.close(); i++) {
        boolean header = t.is(i, ')') && t.is(t.match(i) - 1, "for");
        if (header || t.is(i, ';') || t.is(i, '{') || t.is(i, '}')) {
          if (first < i) {
            add(new Span(first, i - 1), names);
          }
          first = i + 1;
        }
      }
    }
    names.removeIf(same);
    return names;
  }

  /** Adds what a statement, or a part of a header between semicolons, sets to such values. */
  private void add(Span s, Set<String> names) {
    int first = t.is(s.first(), "for") ? s.first() + 2 : s.first();
    List<Integer> declared = Variables.declarators(t, first);
    boolean found = false;
    for (int i = s.first(); i <= s.last() && !found; i++) {
      String text = t.text(i);
      if (t.kind(i) == Tokens.STRING && (text.contains("laneid") || text.contains("%tid"))) {
        names.addAll(Variables.named(t, s)); // the operands of asm
      }
      boolean known = names.contains(text) && !same.test(text) && !declared.contains(i);
      found = known || isNamed(i);
    }
    if (found) {
      names.addAll(Variables.assigned(t, s));
      names.addAll(Variables.declared(t, s));
    }
  }
}
