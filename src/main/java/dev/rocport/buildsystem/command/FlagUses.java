package dev.rocport.buildsystem.command;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The programs whose flags each variable holds. */
final class FlagUses {
  private final Syntax syntax;
  private final Map<String, List<String>> values;
  private final Map<String, EnumSet<Use>> uses = new TreeMap<>();

  /**
   * @param values what each variable is set to
   */
  FlagUses(Syntax syntax, Map<String, List<String>> values) {
    this.syntax = syntax;
    this.values = values;
  }

  /** The program whose flags a variable holds. */
  enum Use {
    NVCC,
    HOST
  }

  void note(String text, Use use) {
    syntax.names(text).forEach(n -> add(n, use));
    for (String prefix : syntax.prefixes(text)) {
      values.keySet().stream().filter(n -> n.startsWith(prefix)).forEach(n -> add(n, use));
    }
  }

  boolean add(String name, Use use) {
    return uses.computeIfAbsent(name, n -> EnumSet.noneOf(Use.class)).add(use);
  }

  /**
   * Gives the uses of a variable to the variables from which it is derived, except to compilers.
   */
  void spread(Set<String> compilers) {
    Deque<String> open = new ArrayDeque<>(uses.keySet());
    while (!open.isEmpty()) {
      String of = open.pop();
      EnumSet<Use> its = EnumSet.copyOf(uses.getOrDefault(of, none()));
      for (String value : values.getOrDefault(of, List.of())) {
        Set<String> names = new TreeSet<>(syntax.names(value));
        for (String prefix : syntax.prefixes(value)) {
          values.keySet().stream().filter(n -> n.startsWith(prefix)).forEach(names::add);
        }
        names.removeAll(compilers);
        for (String name : names) {
          if (its.stream().filter(use -> add(name, use)).count() > 0) {
            open.push(name);
          }
        }
      }
    }
  }

  private static EnumSet<Use> none() {
    return EnumSet.noneOf(Use.class);
  }

  boolean isUsed(String variable, Use use) {
    return uses.getOrDefault(variable, none()).contains(use);
  }
}
