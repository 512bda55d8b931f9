package dev.rocport.warp;

import dev.rocport.rules.PortOptions;
import dev.rocport.warp.ir.NameSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what 32 means in the warp code of a project: follows kernels and all functions that they
 * call over all files. Kernels that share a function with warp code get one decision.
 *
 * <p>Files may change: what does not depend on a change is kept, and the decisions are those that a
 * new project with the same files would make.
 */
public final class WarpProject implements WarpPlans {
  private final ProjectFacts facts = new ProjectFacts();
  private final Components components;

  /** The functions of each file. */
  private final SortedMap<String, FileRoots> roots = new TreeMap<>();

  /** How many kernels reach a function, by its key. */
  private final Map<String, Integer> reached = new HashMap<>();

  /** Interpretations about warps that do not hold any more. */
  private final List<Interpretation> gone = new ArrayList<>();

  /** Interpretations about warps that are new. */
  private final Set<Interpretation> come = new LinkedHashSet<>();

  /** What has changed since the last decisions, if some were not needed any more. */
  private ProjectFacts.@Nullable Change open;

  /**
   * Creates a project without files.
   *
   * @param mode the mode that the user selected
   */
  public WarpProject(PortOptions.Warp mode) {
    this.components = new Components(facts, mode, i -> {});
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
  public WarpModel decide(Collection<WarpScan> scans) {
    return decide(scans, () -> false);
  }

  /**
   * The same until the decisions are not needed any more; then, another call must follow.
   *
   * @param isCancelled whether nobody needs the decisions any more; asked often
   * @throws CancellationException if nobody does
   */
  public synchronized WarpModel decide(Collection<WarpScan> scans, BooleanSupplier isCancelled) {
    SortedMap<String, WarpScan> now = new TreeMap<>();
    scans.forEach(s -> now.put(s.path(), s));
    ProjectFacts.Change change = facts.update(now);
    ProjectFacts.Change all = open == null ? change : open.and(change);
    open = all;
    change.files().forEach(this::replace);
    forgetAll(change);
    interpretAll(isCancelled);
    components.change(gone, come, all);
    gone.clear();
    come.clear();
    open = null;
    return new WarpModel(this);
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
              if (i.isAboutWarps() && !come.remove(i)) {
                gone.add(i);
              }
            });
  }

  private void count(Root kernel, int n) {
    for (String key : kernel.reached()) {
      reached.merge(key, n, (a, b) -> a + b == 0 ? null : a + b);
    }
  }

  /** Drops what does not hold any more. */
  private void forgetAll(ProjectFacts.Change change) {
    for (FileRoots file : roots.values()) {
      if (file.mayDependOn(change)) {
        for (Root root : file.kernels()) {
          if (!holds(root, change)) {
            forget(root);
            file.changed();
          }
        }
      }
      for (Root root : file.functions()) {
        if (!holds(root, change)) {
          forget(root);
        }
      }
    }
  }

  /** Interprets the roots of which nothing is known. */
  private void interpretAll(BooleanSupplier isCancelled) {
    for (FileRoots file : roots.values()) {
      for (Root root : file.kernels()) {
        if (root.interpretation().isEmpty()) {
          interpret(root, isCancelled);
          count(root, 1);
          file.changed();
        }
      }
    }
    Set<String> called = new HashSet<>();
    for (FileRoots file : roots.values()) {
      for (Root root : file.functions()) {
        if (reached.containsKey(root.key()) || called.contains(root.key())) {
          forget(root);
        } else if (root.interpretation().isEmpty()) {
          interpret(root, isCancelled);
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

  private void interpret(Root root, BooleanSupplier isCancelled) {
    if (isCancelled.getAsBoolean()) {
      throw new CancellationException("the decisions are not needed any more");
    }
    SortedSet<Long> blocks = facts.launches().threads(root.function().name());
    Interpretation now = new Interpretation(root, facts.functions(), blocks);
    root.interpret(now);
    if (now.isAboutWarps()) {
      come.add(now);
    }
  }

  @Override
  public synchronized WarpPlan plan(String path) {
    return components.plan(path);
  }

  @Override
  public synchronized Set<String> files() {
    return components.files();
  }

  /**
   * Returns what later runs need to know of the project as it is.
   *
   * @param scans the facts of all files, in order of their paths
   */
  public WarpEvidence evidence(Collection<WarpScan> scans) {
    return WarpEvidence.of(scans, this);
  }

  /** Returns the names that the interpretations of the functions of a file asked for. */
  NameSet asked(String path) {
    return roots.getOrDefault(path, FileRoots.NONE).asked();
  }

  /** Returns how many kernels reach a function, by its key. */
  Map<String, Integer> reached() {
    return reached;
  }

  /** Returns the keys of functions in which something names the warp size. */
  Set<String> holders() {
    return components.holders();
  }
}
