package dev.rocport.lang.cuda;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Puts passes in an order in which each finds the facts that it needs. */
final class PassOrder {
  private PassOrder() {}

  /**
   * The passes in order. Where the facts leave a choice, the earlier one of the list comes first:
   * text that two passes insert at one place nests by their order.
   *
   * @throws IllegalStateException if passes need each other, or a fact that none provides
   */
  static List<Pass> of(List<Pass> listed) {
    Set<Fact> provided = EnumSet.noneOf(Fact.class);
    listed.forEach(p -> provided.addAll(p.provides()));
    for (Pass p : listed) {
      if (!provided.containsAll(p.needs())) {
        throw new IllegalStateException(p.id() + " needs what no pass provides: " + p.needs());
      }
    }
    List<Pass> open = new ArrayList<>(listed);
    List<Pass> ordered = new ArrayList<>();
    while (!open.isEmpty()) {
      Pass next =
          open.stream()
              .filter(p -> open.stream().noneMatch(o -> isBefore(o, p)))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalStateException(
                          "passes need each other: "
                              + open.stream().map(Pass::id).collect(Collectors.joining(", "))));
      open.remove(next);
      ordered.add(next);
    }
    return List.copyOf(ordered);
  }

  /** True if the second needs what the first provides; a pass does not wait for itself. */
  static boolean isBefore(Pass first, Pass second) {
    return first != second && first.provides().stream().anyMatch(second.needs()::contains);
  }
}
