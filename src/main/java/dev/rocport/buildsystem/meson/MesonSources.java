package dev.rocport.buildsystem.meson;

import dev.rocport.buildsystem.calls.Call;
import dev.rocport.buildsystem.calls.Group;
import dev.rocport.buildsystem.calls.Item;
import dev.rocport.buildsystem.calls.Part;
import dev.rocport.buildsystem.calls.Token;
import dev.rocport.buildsystem.meson.MesonFacts.Sources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Tells which sources of an expression are CUDA sources. */
final class MesonSources {
  private static final Pattern SOURCE =
      Pattern.compile("(?i).*\\.(cu|cpp|cc|cxx|c\\+\\+|c|h|hpp|hh|hxx|f90|s|cuh|inl|y|l|proto)");

  private final Map<String, List<MesonFacts.Value>> variables;

  /** Cached results by variable; without it, lists that share other lists take exponential time. */
  private final Map<String, Sources> known = new HashMap<>();

  /** Number of times that a variable was skipped because it is defined by itself. */
  private int cuts;

  /**
   * @param variables what is assigned to each variable of the project; complete
   */
  MesonSources(Map<String, List<MesonFacts.Value>> variables) {
    this.variables = variables;
  }

  /** Returns which sources of a term are CUDA sources. */
  Sources of(Item term) {
    return of(term, new HashSet<>());
  }

  private Sources of(Item term, Set<String> seen) {
    if (term.string().isPresent()) {
      return term.string().get().value().endsWith(".cu") ? Sources.ALL : Sources.NONE;
    }
    if (!term.name().isEmpty()) {
      return variable(term.name(), seen);
    }
    if (term.parts().size() == 1 && term.parts().getFirst() instanceof Group g) {
      return all(g.items(), seen);
    }
    List<Call> calls = Call.in(term.parts());
    Call first = calls.isEmpty() ? null : calls.getFirst();
    boolean whole = first != null && first.start() == term.start() && first.end() == term.end();
    if (first != null && whole && first.is("files")) {
      return all(first.arguments().items(), seen);
    }
    if (first != null && whole && first.name().text().matches("process|custom_target")) {
      return Sources.NONE; // the output is not a CUDA source
    }
    return guess(term.parts(), seen);
  }

  private Sources all(List<Item> items, Set<String> seen) {
    Sources all = null;
    for (Item i : items) {
      Sources s = MesonFacts.isText(i) ? guess(i.parts(), seen) : Sources.NONE;
      if (!MesonFacts.isText(i)) {
        for (Item term : i.terms()) {
          s = s == Sources.NONE ? of(term, seen) : and(s, of(term, seen));
        }
      }
      all = all == null ? s : and(all, s);
    }
    return all == null ? Sources.NONE : all;
  }

  private static Sources and(Sources a, Sources b) {
    return a == b
        ? a
        : a == Sources.UNKNOWN || b == Sources.UNKNOWN ? Sources.UNKNOWN : Sources.SOME;
  }

  private Sources variable(String variable, Set<String> seen) {
    Sources before = known.get(variable);
    if (before != null) {
      return before;
    }
    if (!seen.add(variable)) {
      cuts++;
      return Sources.NONE;
    }
    int cutsBefore = cuts;
    Sources all = null;
    for (MesonFacts.Value v : variables.getOrDefault(variable, List.of())) {
      Sources s;
      if (v.element()) {
        s = guess(v.parts(), seen);
        s = s == Sources.SOME ? Sources.UNKNOWN : s;
      } else {
        s = null;
        for (Item term : Item.terms(v.parts())) {
          if (isEmpty(term)) {
            continue;
          }
          Sources one = of(term, seen);
          s = s == null ? one : and(s, one);
        }
        if (s == null) {
          continue; // an empty list
        }
      }
      all = all == null ? s : and(all, s);
    }
    seen.remove(variable);
    Sources result = all == null ? Sources.NONE : all;
    if (cuts == cutsBefore) {
      known.put(variable, result);
    }
    return result;
  }

  private static boolean isEmpty(Item term) {
    return term.parts().size() == 1
        && term.parts().getFirst() instanceof Group g
        && g.items().isEmpty();
  }

  /** Classifies sources by the extensions of the names in an expression. */
  Sources guess(List<Part> parts) {
    return guess(parts, new HashSet<>());
  }

  private Sources guess(List<Part> parts, Set<String> seen) {
    boolean device = false;
    boolean host = false;
    List<String> values = new ArrayList<>();
    MesonFacts.strings(parts).forEach(t -> values.add(t.value()));
    for (Token n : MesonFacts.names(parts)) {
      if (!seen.add(n.text())) {
        cuts++;
      } else {
        for (MesonFacts.Value v : variables.getOrDefault(n.text(), List.of())) {
          MesonFacts.strings(v.parts()).forEach(t -> values.add(t.value()));
        }
      }
    }
    for (String v : values) {
      boolean is = v.endsWith(".cu");
      device |= is;
      host |= !is && SOURCE.matcher(v.toLowerCase(Locale.ROOT)).matches();
    }
    return !device ? Sources.NONE : host ? Sources.SOME : Sources.ALL;
  }

  /** Returns whether all outputs of a build step are headers. */
  boolean isHeader(String variable) {
    List<MesonFacts.Value> values = variables.getOrDefault(variable, List.of());
    return !values.isEmpty()
        && values.stream()
            .allMatch(
                v ->
                    Call.in(v.parts()).stream()
                        .anyMatch(
                            c ->
                                c.is("custom_target")
                                    && c.arguments()
                                        .keyword("output")
                                        .filter(o -> areHeaders(MesonFacts.strings(o.parts())))
                                        .isPresent()));
  }

  private static boolean areHeaders(List<Token> outputs) {
    return !outputs.isEmpty()
        && outputs.stream().allMatch(t -> t.value().matches("(?i).*\\.(h|hpp|hh|hxx|cuh|inc)"));
  }
}
