package dev.rocport.warp;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Who uses a function, and for whom something in it names the warp size. */
final class SharedFunctions<T> {
  private final Map<String, Set<T>> users = new HashMap<>();
  private final Map<String, Set<T>> holders = new HashMap<>();

  /**
   * Adds a user.
   *
   * @param functions keys of the functions that it uses
   * @param warps keys of those among them in which something names the warp size
   */
  void add(T user, Collection<String> functions, Collection<String> warps) {
    functions.forEach(key -> users.computeIfAbsent(key, k -> new HashSet<>(2)).add(user));
    warps.forEach(key -> holders.computeIfAbsent(key, k -> new HashSet<>(2)).add(user));
  }

  /** Takes a user away. */
  void remove(T user, Collection<String> functions, Collection<String> warps) {
    functions.forEach(key -> remove(users, key, user));
    warps.forEach(key -> remove(holders, key, user));
  }

  private void remove(Map<String, Set<T>> map, String key, T user) {
    map.computeIfPresent(
        key,
        (k, all) -> {
          all.remove(user);
          return all.isEmpty() ? null : all;
        });
  }

  /** Returns who shares a function in which something names the warp size, for one or the other. */
  Set<T> sharing(Collection<String> functions, Set<String> warps) {
    Set<T> found = new HashSet<>();
    for (String key : functions) {
      found.addAll((warps.contains(key) ? users : holders).getOrDefault(key, Set.of()));
    }
    return found;
  }
}
