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
  private final Map<String, List<File>> includers = new HashMap<>();

  /** The first of those that were not looked into, by the same; found when it is asked for. */
  private final Map<String, Optional<String>> unread = new HashMap<>();

  private final boolean isAnyUnread;

  /**
   * A file that may include headers.
   *
   * @param includes last parts of the paths that it includes
   * @param isUnread whether it has device code that was not looked into
   */
  record File(String path, List<String> includes, boolean isUnread) {}

  /**
   * @param files in order of their paths
   */
  Includers(Collection<File> files) {
    this.isAnyUnread = files.stream().anyMatch(File::isUnread);
    if (isAnyUnread) {
      for (File s : files) {
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
      for (File s : includers.getOrDefault(open.remove(), List.of())) {
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
