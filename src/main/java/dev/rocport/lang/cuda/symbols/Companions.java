package dev.rocport.lang.cuda.symbols;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds out for each file which names from companions of CUDA headers the translation units with
 * the file use. Files and names are numbers, since a large project has many units with many
 * headers.
 */
final class Companions {
  private final List<ProjectIndex.Scan> files;
  private final List<String> names;
  private final int[][] targets;

  /** The names that each file uses itself. */
  private final List<BitSet> used = new ArrayList<>();

  private Companions(Map<String, ProjectIndex.Scan> byPath, Includes includes) {
    this.files = List.copyOf(byPath.values());
    this.targets = new int[files.size()][];
    Set<String> all = new TreeSet<>();
    Map<String, Integer> numbers = new HashMap<>();
    for (ProjectIndex.Scan file : files) {
      numbers.put(file.path(), numbers.size());
      all.addAll(file.companions());
    }
    this.names = List.copyOf(all);
    for (int i = 0; i < targets.length; i++) {
      ProjectIndex.Scan file = files.get(i);
      targets[i] =
          includes.targets(file.path(), file.includes()).stream()
              .filter(numbers::containsKey)
              .mapToInt(numbers::get)
              .toArray();
      BitSet own = new BitSet();
      file.companions().forEach(n -> own.set(Collections.binarySearch(names, n)));
      used.add(own);
    }
  }

  /** Returns the names by the path of a file; files without any are left out. */
  static Map<String, Set<String>> of(Collection<ProjectIndex.Scan> scans, Includes includes) {
    if (scans.stream().allMatch(s -> s.companions().isEmpty())) {
      return Map.of();
    }
    Map<String, ProjectIndex.Scan> byPath = new TreeMap<>();
    scans.forEach(s -> byPath.put(s.path(), s));
    return new Companions(byPath, includes).names();
  }

  private Map<String, Set<String>> names() {
    List<BitSet> found = new ArrayList<>();
    files.forEach(f -> found.add(new BitSet()));
    for (int unit = 0; unit < targets.length; unit++) {
      if (Includes.isUnit(files.get(unit).path())) {
        BitSet reached = reachable(unit);
        BitSet here = new BitSet();
        reached.stream().forEach(f -> here.or(used.get(f)));
        if (!here.isEmpty()) {
          reached.stream().forEach(f -> found.get(f).or(here));
        }
      }
    }
    Map<BitSet, Set<String>> sets = new HashMap<>();
    Map<String, Set<String>> result = new TreeMap<>();
    for (int i = 0; i < targets.length; i++) {
      if (!found.get(i).isEmpty()) {
        result.put(files.get(i).path(), sets.computeIfAbsent(found.get(i), this::named));
      }
    }
    return result;
  }

  /** Returns a file and all files that it includes, directly or not. */
  private BitSet reachable(int root) {
    BitSet reached = new BitSet();
    Deque<Integer> open = new ArrayDeque<>(List.of(root));
    reached.set(root);
    while (!open.isEmpty()) {
      for (int target : targets[open.remove()]) {
        if (!reached.get(target)) {
          reached.set(target);
          open.add(target);
        }
      }
    }
    return reached;
  }

  private Set<String> named(BitSet numbers) {
    Set<String> set = new LinkedHashSet<>();
    numbers.stream().forEach(n -> set.add(names.get(n)));
    return Collections.unmodifiableSet(set);
  }
}
