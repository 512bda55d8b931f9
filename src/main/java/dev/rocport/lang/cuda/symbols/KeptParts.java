package dev.rocport.lang.cuda.symbols;

import dev.rocport.lang.cuda.symbols.ProjectIndex.Scan;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Tells which parts of a project's index a change of files leaves as they are. */
final class KeptParts {
  private final SortedMap<String, Scan> now;
  private final boolean sameFiles;

  /** Files whose facts have changed, before the change. */
  private final List<Scan> changed = new ArrayList<>();

  /**
   * Compares the facts of files before and after a change.
   *
   * @param sameCommands whether the commands of the project's compiler are as before
   */
  @SuppressWarnings("ReferenceEquality") // equal facts of a changed file would only cost time
  KeptParts(SortedMap<String, Scan> before, SortedMap<String, Scan> now, boolean sameCommands) {
    this.now = now;
    before.forEach(
        (path, scan) -> {
          if (now.get(path) != scan) {
            changed.add(scan);
          }
        });
    this.sameFiles =
        !before.isEmpty()
            && before.keySet().equals(now.keySet())
            && sameCommands
            && isSameInChanged(Scan::isToolkit);
  }

  /** Returns whether the project has the same files and commands as before. */
  boolean sameFiles() {
    return sameFiles;
  }

  /** Returns whether a part of the facts is the same in all files. */
  boolean isKept(Function<Scan, ? extends List<?>> part) {
    return sameFiles && isSameInChanged(part);
  }

  private boolean isSameInChanged(Function<Scan, ?> part) {
    return changed.stream().allMatch(s -> Objects.equals(part.apply(s), part.apply(after(s))));
  }

  private Scan after(Scan before) {
    return Objects.requireNonNull(now.get(before.path()));
  }

  /** Returns the names that a part of the facts has in any file. */
  Set<String> names(Function<Scan, List<String>> part, Set<String> known) {
    return isKept(part)
        ? known
        : now.values().stream()
            .flatMap(s -> part.apply(s).stream())
            .collect(Collectors.toUnmodifiableSet());
  }
}
