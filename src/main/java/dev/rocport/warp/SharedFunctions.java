package dev.rocport.warp;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Which interpretations use a function, and for which something in it names the warp size. */
final class SharedFunctions {
  private final Map<String, Set<Interpretation>> users = new HashMap<>();
  private final Map<String, Set<Interpretation>> holders = new HashMap<>();

  void add(Interpretation i) {
    i.functions().keySet().forEach(key -> add(users, key, i));
    i.warps().forEach(key -> add(holders, key, i));
  }

  void remove(Interpretation i) {
    i.functions().keySet().forEach(key -> remove(users, key, i));
    i.warps().forEach(key -> remove(holders, key, i));
  }

  /** Returns who shares a function in which something names the warp size, for one or the other. */
  Set<Interpretation> sharing(Interpretation i) {
    Set<Interpretation> found = new HashSet<>();
    for (String key : i.functions().keySet()) {
      found.addAll((i.warps().contains(key) ? users : holders).getOrDefault(key, Set.of()));
    }
    return found;
  }

  /** Returns the keys of functions in which something names the warp size. */
  Set<String> holders() {
    return holders.keySet();
  }

  /** Adds a value to those of a key. */
  static <T> void add(Map<String, Set<T>> to, String key, T value) {
    to.computeIfAbsent(key, k -> new HashSet<>(2)).add(value);
  }

  /** Removes a value from those of a key. */
  static <T> void remove(Map<String, Set<T>> from, String key, T value) {
    from.computeIfPresent(
        key,
        (k, all) -> {
          all.remove(value);
          return all.isEmpty() ? null : all;
        });
  }
}
