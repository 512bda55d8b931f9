package dev.rocport.warp;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Files with device code that were not looked into, by the headers that they include. */
final class Includers {
  /** Who includes a file, by the last part of its path. */
  private final Map<String, List<WarpScan>> includers = new HashMap<>();

  /** The first of those that were not looked into, by the same; found when it is asked for. */
  private final Map<String, Optional<String>> unread = new HashMap<>();

  private final boolean isAnyUnread;

  /**
   * @param scans in order of their paths
   */
  Includers(Collection<WarpScan> scans) {
    this.isAnyUnread = scans.stream().anyMatch(WarpScan::isUnread);
    if (isAnyUnread) {
      for (WarpScan s : scans) {
        s.includes().forEach(i -> includers.computeIfAbsent(i, k -> new ArrayList<>()).add(s));
      }
    }
  }

  /** Returns the first file that was not looked into and includes a header, directly or not. */
  Optional<String> unread(String header) {
    return isAnyUnread ? unread.computeIfAbsent(name(header), this::find) : Optional.empty();
  }

  private Optional<String> find(String header) {
    Optional<String> first = Optional.empty();
    Set<String> names = new HashSet<>(Set.of(header));
    Deque<String> open = new ArrayDeque<>(names);
    while (!open.isEmpty()) {
      for (WarpScan s : includers.getOrDefault(open.remove(), List.of())) {
        if (s.isUnread() && (first.isEmpty() || s.path().compareTo(first.get()) < 0)) {
          first = Optional.of(s.path());
        }
        if (names.add(name(s.path()))) {
          open.add(name(s.path()));
        }
      }
    }
    return first;
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
