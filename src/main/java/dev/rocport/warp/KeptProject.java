package dev.rocport.warp;

import dev.rocport.rules.PortOptions;
import dev.rocport.warp.ir.Function;
import dev.rocport.warp.ir.Names;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Decides about the warp code of a project that differs from an earlier state in some files, with
 * the evidence about that state. Interprets only what a change concerns and what decides about the
 * files that are asked for. The plans are those of a {@link WarpProject} with the same files.
 *
 * <p>An interpretation is the same as before if its function, the launches of a kernel, and the
 * answers for the names that it asked for are the same. All others are made first, so that for
 * every function it is known whether something in it may name the warp size. Whoever shares such a
 * function asked for its name.
 */
final class KeptProject implements WarpPlans {
  private final WarpEvidence kept;
  private final SortedMap<String, WarpScan> changed;
  private final KeptFacts facts;
  private final Components components;
  private final Map<String, FileRoots> roots = new HashMap<>();

  /** Roots that were looked at, with all that may reach them. */
  private final Set<Root> known = new HashSet<>();

  /** Those whose interpretations do not count yet. */
  private final List<Root> fresh = new ArrayList<>();

  /** Functions that kernels among them reach, by their keys. */
  private final Set<String> reached = new HashSet<>();

  /** Functions among them that are interpreted for themselves, by the functions that they reach. */
  private final Map<String, SortedSet<Root>> called = new HashMap<>();

  /** Functions in which something names the warp size, as far as interpretations show. */
  private final Set<String> holders = new HashSet<>();

  /** Functions of which all that reach them are known. */
  private final Set<String> complete = new HashSet<>();

  /** Files of which all that name the warp size in them are known. */
  private final Set<String> planned = new HashSet<>();

  /** Names of functions and constants that mean something else than before. */
  private final Set<String> answers;

  /** What may be reached by fewer kernels than before: names by their keys. */
  private final Set<Long> loose = new HashSet<>();

  /** How many kernels at most do not reach any more what they did. */
  private int lost;

  /**
   * @param mode the mode that the user selected
   * @param changed files that were added, changed or removed, as they are now
   */
  KeptProject(
      WarpEvidence kept,
      KeptScans files,
      SortedMap<String, WarpScan> changed,
      PortOptions.Warp mode) {
    this.kept = kept;
    this.changed = changed;
    this.facts = new KeptFacts(kept, files, changed);
    this.components = new Components(facts, mode, this::complete);
    this.answers = facts.answers();
    follow(concerned());
  }

  /** Returns the files with functions whose interpretations may be others than before. */
  private Set<String> concerned() {
    Set<String> concerned = new TreeSet<>(changed.keySet());
    for (String name : answers) {
      facts.unchanged(kept.asking().of(name)).forEach(s -> concerned.add(s.path()));
    }
    for (String kernel : facts.launched(answers)) {
      facts.unchanged(kept.defining().of(kernel)).forEach(s -> concerned.add(s.path()));
    }
    return concerned;
  }

  /** Interprets again what changes concern, and what is interpreted for itself only now. */
  private void follow(Set<String> concerned) {
    List<Root> open = new ArrayList<>();
    for (String path : concerned) {
      lost += (int) facts.before(path).functions().stream().filter(Function::kernel).count();
      loose.addAll(kept.asked(path));
      open.addAll(rootsOf(path));
    }
    concerned.forEach(path -> open.addAll(reachedFrom(path)));
    Set<String> followed = new HashSet<>(concerned);
    SortedSet<Root> functions = new TreeSet<>(Root.ORDER);
    while (!open.isEmpty()) {
      while (!open.isEmpty()) {
        SortedSet<Root> more = gather(List.copyOf(open));
        open.clear();
        for (Root root : more) {
          if (followed.add(root.function().path())) {
            open.addAll(reachedFrom(root.function().path()));
          }
        }
        functions.addAll(more);
      }
      called.clear();
      functions.forEach(root -> root.interpret(null));
      settle(functions);
      open.addAll(newlyReached());
    }
    accept();
  }

  /** Returns the functions that those of a file may have reached before. */
  private List<Root> reachedFrom(String path) {
    List<Root> found = new ArrayList<>();
    for (long name : kept.asked(path)) {
      for (WarpScan scan : facts.unchanged(kept.defining().of(name))) {
        rootsOf(scan.path()).stream()
            .filter(r -> Names.key(r.function().name()) == name)
            .forEach(found::add);
      }
    }
    return found;
  }

  /** Returns functions that no kernel reached before, and that were not looked at yet. */
  private List<Root> newlyReached() {
    Map<String, Function> others = new TreeMap<>();
    for (Root root : known) {
      root.interpretation()
          .ifPresent(
              i ->
                  i.functions()
                      .forEach(
                          (key, f) -> {
                            if (!f.kernel() && kept.functions().reached(key) == 0) {
                              others.put(key, f);
                            }
                          }));
    }
    return others.values().stream()
        .flatMap(f -> rootsOf(f.path()).stream())
        .filter(r -> others.containsKey(r.key()) && !known.contains(r))
        .toList();
  }

  private List<Root> rootsOf(String path) {
    FileRoots here =
        roots.computeIfAbsent(path, p -> FileRoots.NONE.with(facts.scan(p).functions()));
    List<Root> all = new ArrayList<>(here.kernels());
    all.addAll(here.functions());
    return all;
  }

  /** Returns the roots of all files that may reach a function; those of changed files are known. */
  private List<Root> above(Function function) {
    List<Root> above = new ArrayList<>();
    facts
        .unchanged(kept.asking().of(function.name()))
        .forEach(s -> above.addAll(rootsOf(s.path())));
    return above;
  }

  /** Returns whether kernels that no change concerns reach a function. */
  private boolean isSurelyReached(Root root) {
    String name = root.function().name();
    boolean isLoose = loose.contains(Names.key(name));
    boolean isNew = answers.contains(name) && changed.containsKey(root.function().path());
    return !root.function().kernel()
        && !isNew
        && kept.functions().reached(root.key()) > (isLoose ? lost : 0);
  }

  /**
   * Interprets those that are kernels, and all kernels that may reach the others.
   *
   * @return the others, and all that may reach them: some may have to be interpreted
   */
  private SortedSet<Root> gather(Collection<Root> asked) {
    SortedSet<Root> functions = new TreeSet<>(Root.ORDER);
    Deque<Root> open = new ArrayDeque<>(asked);
    while (!open.isEmpty()) {
      Root root = open.remove();
      if (isSurelyReached(root) || !known.add(root)) {
        continue;
      }
      fresh.add(root);
      if (root.function().kernel()) {
        interpret(root);
        reached.addAll(root.reached());
      } else {
        functions.add(root);
        open.addAll(above(root.function()));
      }
    }
    return functions;
  }

  /** Interprets functions that nothing reaches that was interpreted. */
  private void settle(SortedSet<Root> functions) {
    for (Root root : functions) {
      SortedSet<Root> callers = called.get(root.key());
      boolean isCalled = callers != null && Root.ORDER.compare(callers.first(), root) < 0;
      if (!isCalled && !reached.contains(root.key())) {
        interpret(root);
        for (String key : root.reached()) {
          called.computeIfAbsent(key, k -> new TreeSet<>(Root.ORDER)).add(root);
        }
      }
    }
  }

  private void interpret(Root root) {
    SortedSet<Long> blocks = facts.launches().threads(root.function().name());
    root.interpret(new Interpretation(root, facts.functions(), blocks));
  }

  /** Takes the interpretations of roots that were looked at last. */
  private void accept() {
    for (Root root : fresh) {
      root.interpretation()
          .filter(Interpretation::isAboutWarps)
          .ifPresent(
              i -> {
                holders.addAll(i.warps());
                components.add(i);
              });
    }
    fresh.clear();
  }

  private void include(Collection<Root> asked) {
    settle(gather(asked));
    accept();
  }

  /** Finds all interpretations that share functions with one in which something is about warps. */
  private void complete(Interpretation i) {
    i.functions().forEach(this::complete);
  }

  private void complete(String key, Function function) {
    boolean mayHold = holders.contains(key) || kept.functions().isHolder(key);
    if (mayHold && complete.add(key)) {
      List<Root> all = above(function);
      all.addAll(rootsOf(function.path()).stream().filter(r -> r.key().equals(key)).toList());
      include(all);
    }
  }

  @Override
  public synchronized WarpPlan plan(String path) {
    if (planned.add(path)) {
      include(rootsOf(path));
      facts.scan(path).functions().forEach(f -> complete(f.key(), f));
    }
    return components.plan(path);
  }

  @Override
  public Set<String> files() {
    Set<String> all = new HashSet<>(changed.keySet());
    kept.includers().forEach(f -> all.add(f.path()));
    return all;
  }
}
