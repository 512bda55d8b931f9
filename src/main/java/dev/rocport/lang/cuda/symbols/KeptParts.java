package dev.rocport.lang.cuda.symbols;

import dev.rocport.lang.cuda.symbols.ProjectIndex.Scan;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Tells which parts of a project's index a change of files leaves as they are. */
final class KeptParts {
  private final ProjectIndex.Change change;
  private final boolean sameFiles;

  /**
   * @param sameCommands whether the commands of the project's compiler are as before
   */
  KeptParts(ProjectIndex.Change change, boolean sameCommands) {
    this.change = change;
    this.sameFiles = change.sameFiles() && sameCommands && isSameInChanged(Scan::isToolkit);
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
    return change.before().stream()
        .allMatch(s -> Objects.equals(part.apply(s), part.apply(after(s))));
  }

  private Scan after(Scan before) {
    return Objects.requireNonNull(change.now().get(before.path()));
  }

  /** Returns the names that a part of the facts has in any file. */
  Set<String> names(Function<Scan, List<String>> part, Set<String> known) {
    return isKept(part)
        ? known
        : change.all().get().stream()
            .flatMap(s -> part.apply(s).stream())
            .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Returns the functions that prepare buffers for MPI.
   *
   * @param known those before
   */
  MpiCalls mpi(MpiCalls known) {
    boolean isNone =
        sameFiles
            && !known.isAny()
            && change.now().values().stream().noneMatch(s -> MpiCalls.isAny(s.calls()));
    return isNone || isKept(Scan::calls)
        ? known
        : MpiCalls.of(change.all().get().stream().flatMap(s -> s.calls().stream()).toList());
  }
}
