package dev.rocport.warp;

import dev.rocport.warp.ir.Constants;
import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Span;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The constants of all files by name. A name has a value if all files give it the same one, or
 * expressions with the same value. The files may come in any order.
 */
final class ProjectConstants {
  /** How many files give a name an expression; empty if one of them has several. */
  private final Map<String, Map<Optional<Expr>, Integer>> given = new HashMap<>();

  /** Names with several expressions. */
  private final Set<String> disputed = new HashSet<>();

  private final Map<String, Optional<Expr>> values = new HashMap<>();

  /** Adds those of a file, which count after {@link #settle}. */
  void add(Map<String, Optional<Expr>> constants) {
    constants.forEach(
        (name, x) -> given.computeIfAbsent(name, k -> new HashMap<>(2)).merge(x, 1, Integer::sum));
  }

  /** Takes those of a file away. */
  void remove(Map<String, Optional<Expr>> constants) {
    constants.forEach(
        (name, x) ->
            given.computeIfPresent(
                name,
                (k, all) -> {
                  all.computeIfPresent(x, (e, n) -> n == 1 ? null : n - 1);
                  return all.isEmpty() ? null : all;
                }));
  }

  /**
   * Determines the values of names after a change.
   *
   * @param changed names that were added or taken away
   * @return names whose values are others than before
   */
  Set<String> settle(Set<String> changed) {
    if (changed.isEmpty()) {
      return Set.of();
    }
    for (String name : changed) {
      if (given.getOrDefault(name, Map.of()).size() > 1) {
        disputed.add(name);
      } else {
        disputed.remove(name);
      }
    }
    Set<String> others = new HashSet<>();
    Set<String> open = new HashSet<>(changed);
    open.addAll(disputed);
    for (String name : open) {
      Optional<Expr> now = value(name);
      Optional<Expr> before =
          now.isEmpty() ? Optional.ofNullable(values.remove(name)).flatMap(x -> x) : of(name);
      if (now.isPresent()) {
        values.put(name, now);
      }
      if (!now.equals(before)) {
        others.add(name);
      }
    }
    return others;
  }

  /** Returns the value of a name; empty if it has none. */
  Optional<Expr> of(String name) {
    return values.getOrDefault(name, Optional.empty());
  }

  private Optional<Expr> value(String name) {
    return value(name, n -> given.getOrDefault(n, Map.of()));
  }

  /**
   * Returns the value of a name; empty if it has none.
   *
   * @param given how many files give a name an expression, by the name
   */
  static Optional<Expr> value(String name, Function<String, Map<Optional<Expr>, Integer>> given) {
    Iterator<Optional<Expr>> all = given.apply(name).keySet().iterator();
    if (!all.hasNext()) {
      return Optional.empty();
    }
    Optional<Expr> first = all.next();
    if (!all.hasNext()) {
      return first;
    }
    Optional<Long> same = number(first, given);
    while (all.hasNext() && same.isPresent()) {
      same = same.equals(number(all.next(), given)) ? same : Optional.empty();
    }
    return same.map(n -> new Expr.Literal(n, true, Long.toString(n), Span.NOWHERE));
  }

  /** Names with several expressions stand for nothing here, so that the order does not count. */
  private static Optional<Long> number(
      Optional<Expr> x, Function<String, Map<Optional<Expr>, Integer>> given) {
    return x.flatMap(
        e ->
            Constants.of(
                e,
                name -> {
                  Map<Optional<Expr>, Integer> one = given.apply(name);
                  return one.size() == 1 ? one.keySet().iterator().next() : Optional.empty();
                }));
  }
}
