package dev.rocport.warp;

import dev.rocport.warp.ir.Function;
import dev.rocport.warp.ir.NameSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The functions for the GPU of one file, in their order. */
final class FileRoots {
  static final FileRoots NONE = new FileRoots(List.of());

  private final List<Root> kernels;
  private final List<Root> functions;

  /** All that decides whether interpretations of kernels hold; null if one is missing. */
  private @Nullable NameSet names;

  private FileRoots(List<Root> all) {
    this.kernels = all.stream().filter(r -> r.function().kernel()).toList();
    this.functions = all.stream().filter(r -> !r.function().kernel()).toList();
  }

  List<Root> kernels() {
    return kernels;
  }

  /** Those that are not kernels. */
  List<Root> functions() {
    return functions;
  }

  boolean isEmpty() {
    return kernels.isEmpty() && functions.isEmpty();
  }

  /**
   * Returns the roots of the file when it has these functions; those that are the same stay, at
   * their new places.
   */
  FileRoots with(List<Function> now) {
    Map<String, Root> known = new HashMap<>();
    for (List<Root> list : List.of(kernels, functions)) {
      list.forEach(r -> known.put(r.key(), r));
    }
    List<Root> all = new ArrayList<>();
    for (Function f : now) {
      Root there = known.get(f.key());
      Root root = there != null && there.function().isSame(f) ? there : new Root(f);
      root.move(f, all.size());
      all.add(root);
    }
    return new FileRoots(all);
  }

  /** Returns the roots that others do not have. */
  List<Root> without(FileRoots others) {
    Set<Root> left = new HashSet<>(others.kernels);
    left.addAll(others.functions);
    List<Root> gone = new ArrayList<>();
    for (List<Root> list : List.of(kernels, functions)) {
      list.stream().filter(r -> !left.contains(r)).forEach(gone::add);
    }
    return gone;
  }

  /** Returns the names that the interpretations of all roots asked for. */
  NameSet asked() {
    return NameSet.union(
        Stream.concat(kernels.stream(), functions.stream())
            .flatMap(r -> r.interpretation().stream())
            .map(i -> i.evidence().asked())
            .toList());
  }

  /** Notes that a kernel was interpreted again. */
  void changed() {
    names = null;
  }

  /** Returns whether an interpretation of a kernel may not hold after a change; mostly not. */
  boolean mayDependOn(ProjectFacts.Change change) {
    NameSet known = names;
    if (known == null) {
      List<NameSet> sets = new ArrayList<>();
      for (Root root : kernels) {
        if (root.interpretation().isEmpty()) {
          return true;
        }
        sets.add(root.interpretation().get().evidence().asked());
      }
      sets.add(NameSet.of(kernels.stream().map(r -> r.function().name()).toList()));
      known = NameSet.union(sets);
      names = known;
    }
    return known.meets(change.answers()) || known.meets(change.counts());
  }
}
