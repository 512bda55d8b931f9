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
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Decides what 32 means in the warp code of a project: follows kernels and all functions that they
 * call over all files. Kernels that share a function with warp code get one decision.
 *
 * <p>Files may change: what does not depend on a change is kept, and the decisions are those that a
 * new project with the same files would make. Components are put together and weighed when a file
 * is asked for.
 */
public final class WarpProject {
  private final PortOptions.Warp mode;
  private final ProjectFacts facts = new ProjectFacts();

  /** The functions of each file. */
  private final SortedMap<String, FileRoots> roots = new TreeMap<>();

  /** How many kernels reach a function, by its key. */
  private final Map<String, Integer> reached = new HashMap<>();

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

  /** Interpretations about warps that do not hold any more. */
  private final List<Interpretation> gone = new ArrayList<>();

  /** Interpretations about warps that are new. */
  private final List<Interpretation> come = new ArrayList<>();

  /**
   * Creates a project without files.
   *
   * @param mode the mode that the user selected
   */
  public WarpProject(PortOptions.Warp mode) {
    this.mode = mode;
  }

  /** The launches of all files. */
  public LaunchSizes launches() {
    return facts.launches();
  }

  /**
   * Decides for the files as they are now. What was decided before must not be asked any more.
   *
   * @param scans the facts of all files; a file whose facts are the same object as before has not
   *     changed
   */
  public synchronized WarpModel decide(Collection<WarpScan> scans) {
    SortedMap<String, WarpScan> now = new TreeMap<>();
    scans.forEach(s -> now.put(s.path(), s));
    ProjectFacts.Change change = facts.update(now);
    change.files().forEach(this::replace);
    interpretAll(change);
    dissolve(change);
    return new WarpModel(this);
  }

  /** Returns whether a change of other files may change a decision. */
  private boolean isOpen(Verdict v, ProjectFacts.Change change) {
    return v.names().meets(change.counts())
        || (change.includes()
            && v.includers().entrySet().stream()
                .anyMatch(e -> !facts.includers().unread(e.getKey()).equals(e.getValue())));
  }

  /** Takes the functions of a file as they are now; those that are the same keep their evidence. */
  private void replace(String path, WarpScan scan) {
    FileRoots before = roots.getOrDefault(path, FileRoots.NONE);
    FileRoots now = before.with(scan.functions());
    before.without(now).forEach(this::forget);
    if (now.isEmpty()) {
      roots.remove(path);
    } else {
      roots.put(path, now);
    }
  }

  /** Drops what a root showed. */
  private void forget(Root root) {
    root.interpretation()
        .ifPresent(
            i -> {
              if (root.function().kernel()) {
                count(root, -1);
              }
              root.interpret(null);
              if (i.isAboutWarps()) {
                gone.add(i);
              }
            });
  }

  private void count(Root kernel, int n) {
    for (String key : kernel.reached()) {
      reached.merge(key, n, (a, b) -> a + b == 0 ? null : a + b);
    }
  }

  /** Interprets the roots of which nothing is known, or nothing that still holds. */
  private void interpretAll(ProjectFacts.Change change) {
    for (FileRoots file : roots.values()) {
      if (file.mayDependOn(change)) {
        for (Root root : file.kernels()) {
          if (!holds(root, change)) {
            interpret(root);
            count(root, 1);
            file.changed();
          }
        }
      }
    }
    Set<String> called = new HashSet<>();
    for (FileRoots file : roots.values()) {
      for (Root root : file.functions()) {
        if (reached.containsKey(root.key()) || called.contains(root.key())) {
          forget(root);
        } else if (!holds(root, change)) {
          interpret(root);
        }
        called.addAll(root.reached());
      }
    }
  }

  private boolean holds(Root root, ProjectFacts.Change change) {
    String name = root.function().name();
    return root.interpretation()
        .filter(i -> !i.evidence().asked().meets(change.answers()))
        .filter(
            i ->
                !change.counts().contains(name)
                    || facts.launches().threads(name).equals(i.blocks()))
        .isPresent();
  }

  private void interpret(Root root) {
    forget(root);
    SortedSet<Long> blocks = facts.launches().threads(root.function().name());
    Interpretation now = new Interpretation(root, facts.functions(), blocks);
    root.interpret(now);
    if (now.isAboutWarps()) {
      come.add(now);
    }
  }

  /** Drops the components that an interpretation has left, or that it will be part of. */
  private void dissolve(ProjectFacts.Change change) {
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
    for (Component c : old) {
      reopen(c);
      components.remove(c);
      c.members().forEach(joined::remove);
    }
    for (Interpretation i : come) {
      shared.add(i);
      for (String file : i.files()) {
        SharedFunctions.add(placed, file, i);
        plans.remove(file);
      }
    }
    gone.clear();
    come.clear();
    Set<Component> open = new HashSet<>();
    change.files().keySet().forEach(f -> open.addAll(using.getOrDefault(f, Set.of())));
    for (Component c : components) {
      if (c.verdict().filter(v -> isOpen(v, change)).isPresent()) {
        open.add(c);
      }
    }
    open.forEach(this::reopen);
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
      for (Interpretation o : shared.sharing(next)) {
        if (members.add(o)) {
          open.add(o);
        }
      }
    }
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
  synchronized WarpPlan plan(String path) {
    return placed.containsKey(path) ? plans.computeIfAbsent(path, this::planned) : WarpPlan.NONE;
  }

  private WarpPlan planned(String path) {
    List<WarpPlan.Placed> sites = new ArrayList<>();
    List<WarpPlan.Note> notes = new ArrayList<>();
    SortedSet<Component> here = new TreeSet<>(Component.ORDER);
    placed.getOrDefault(path, Set.of()).forEach(i -> here.add(component(i)));
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

  /** Returns the files with plans, sorted. */
  synchronized SortedSet<String> files() {
    return placed.keySet().stream()
        .filter(path -> !plan(path).sites().isEmpty())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
