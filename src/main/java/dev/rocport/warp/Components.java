package dev.rocport.warp;

import dev.rocport.rules.PortOptions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Puts interpretations together that share functions with warp code, and decides about them.
 * Components are put together and weighed when a file is asked for.
 */
final class Components {
  private final Facts facts;
  private final PortOptions.Warp mode;
  private final Consumer<Interpretation> completes;

  /** The components that were needed for a plan and still hold. */
  private final Set<Component> components = new HashSet<>();

  /** The component of each interpretation that is in one of them. */
  private final Map<Interpretation, Component> joined = new HashMap<>();

  /** The functions of interpretations that are about warps. */
  private final SharedFunctions shared = new SharedFunctions();

  /** The interpretations that name the warp size in a file. */
  private final Map<String, Set<Interpretation>> placed = new HashMap<>();

  /** The components whose decisions depend on a file. */
  private final Map<String, Set<Component>> using = new HashMap<>();

  /** The plans that were asked for and still hold. */
  private final Map<String, WarpPlan> plans = new HashMap<>();

  /**
   * @param mode the mode that the user selected
   * @param completes is called before the interpretations are needed that share functions with one;
   *     may add some
   */
  Components(Facts facts, PortOptions.Warp mode, Consumer<Interpretation> completes) {
    this.facts = facts;
    this.mode = mode;
    this.completes = completes;
  }

  /**
   * Adds an interpretation about warps that shares no function with one whose component is known.
   */
  void add(Interpretation i) {
    shared.add(i);
    for (String file : i.files()) {
      SharedFunctions.add(placed, file, i);
      plans.remove(file);
    }
  }

  /** Adds and removes interpretations about warps, and drops the decisions that this may change. */
  void change(
      Collection<Interpretation> gone,
      Collection<Interpretation> come,
      ProjectFacts.Change change) {
    Set<Component> old = new HashSet<>();
    for (Interpretation i : gone) {
      shared.remove(i);
      for (String file : i.files()) {
        SharedFunctions.remove(placed, file, i);
        plans.remove(file);
      }
      of(i).ifPresent(old::add);
    }
    for (Interpretation i : come) {
      shared.sharing(i).forEach(o -> of(o).ifPresent(old::add));
    }
    change.files().keySet().forEach(f -> old.addAll(using.getOrDefault(f, Set.of())));
    old.forEach(this::drop);
    come.forEach(this::add);
    List.copyOf(components).stream()
        .filter(c -> c.verdict().filter(v -> isOpen(v, change)).isPresent())
        .forEach(this::reopen);
  }

  /** Takes a component apart: functions may have moved, or other ones may share them. */
  private void drop(Component c) {
    reopen(c);
    components.remove(c);
    c.members().forEach(joined::remove);
  }

  /** Returns whether a change of other files may change a decision. */
  private boolean isOpen(Verdict v, ProjectFacts.Change change) {
    return v.names().meets(change.counts())
        || (change.includes()
            && v.includers().entrySet().stream()
                .anyMatch(e -> !facts.includers().unread(e.getKey()).equals(e.getValue())));
  }

  /** Drops the decision about a component. */
  private void reopen(Component c) {
    plans.keySet().removeAll(c.files());
    c.verdict().ifPresent(v -> v.files().forEach(f -> SharedFunctions.remove(using, f, c)));
    c.decide(null);
  }

  private Optional<Component> of(Interpretation i) {
    return Optional.ofNullable(joined.get(i));
  }

  /** Returns the component of an interpretation: all that share functions with it in the end. */
  private Component component(Interpretation i) {
    Component known = joined.get(i);
    if (known != null) {
      return known;
    }
    Set<Interpretation> members = new HashSet<>(Set.of(i));
    Deque<Interpretation> open = new ArrayDeque<>(members);
    while (!open.isEmpty()) {
      Interpretation next = open.remove();
      completes.accept(next);
      for (Interpretation o : shared.sharing(next)) {
        if (members.add(o)) {
          open.add(o);
        }
      }
    }
    members.forEach(m -> m.locate(facts.functions()));
    Component made =
        new Component(
            members.stream()
                .sorted(Comparator.comparing(Interpretation::root, Root.ORDER))
                .toList());
    members.forEach(m -> joined.put(m, made));
    components.add(made);
    return made;
  }

  /** Returns the plan for a file. */
  WarpPlan plan(String path) {
    WarpPlan known = plans.get(path);
    if (known == null && placed.containsKey(path)) {
      known = planned(path);
      plans.put(path, known);
    }
    return known == null ? WarpPlan.NONE : known;
  }

  private WarpPlan planned(String path) {
    List<WarpPlan.Placed> sites = new ArrayList<>();
    List<WarpPlan.Note> notes = new ArrayList<>();
    SortedSet<Component> here = new TreeSet<>(Component.ORDER);
    List.copyOf(placed.getOrDefault(path, Set.of())).forEach(i -> here.add(component(i)));
    for (Component c : here) {
      WarpPlan plan = decided(c).plans().getOrDefault(path, WarpPlan.NONE);
      sites.addAll(plan.sites());
      notes.addAll(plan.notes());
    }
    return sites.isEmpty() ? WarpPlan.NONE : new WarpPlan(sites, notes);
  }

  private Verdict decided(Component c) {
    return c.verdict()
        .orElseGet(
            () -> {
              Verdict verdict = ComponentJudge.judge(facts, mode, c);
              verdict.files().forEach(f -> SharedFunctions.add(using, f, c));
              c.decide(verdict);
              return verdict;
            });
  }

  /** Returns the files with places that name the warp size. */
  Set<String> files() {
    return Set.copyOf(placed.keySet());
  }

  /** Returns the keys of functions in which something names the warp size. */
  Set<String> holders() {
    return shared.holders();
  }
}
