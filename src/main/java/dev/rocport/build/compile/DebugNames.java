package dev.rocport.build.compile;

import dev.rocport.build.unit.Unit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How debug information names the sources of a tree: below {@value #TREE} where it is there for
 * reports alone, so that objects fit every copy of the tree; by the tree's own path where the
 * project asks for debug information, for debuggers.
 *
 * @param copy the folder that the compiler sees as the tree's root
 * @param root the tree's root
 * @param levels how many folders above the root the copy has, too
 */
public record DebugNames(Path copy, Path root, int levels) {

  /**
   * Stands for the tree's root. Absolute, as other names are read from the folder that the compiler
   * ran in; the device leaves it out of what it reports.
   */
  static final String TREE = "/rocport.tree";

  /** A tree that is compiled where it is. */
  public static DebugNames of(Path root) {
    return new DebugNames(root, root, 0);
  }

  /** Whether the unit's flags ask for debug information, or for none. */
  private static boolean isTold(Unit unit) {
    return unit.arguments().stream().anyMatch(a -> a.startsWith("-g"));
  }

  /** Whether these flags make debug information: the last of them decides. */
  static boolean isMade(List<String> flags) {
    return flags.stream()
        .filter(f -> f.startsWith("-g"))
        .reduce((first, last) -> last)
        .filter(f -> !f.equals("-g0"))
        .isPresent();
  }

  /** Flags that map the copy's paths; of several that fit, the compiler takes the last. */
  List<String> flags(Unit unit) {
    boolean told = isTold(unit);
    if (told && copy.equals(root)) {
      return List.of();
    }
    List<String> flags = new ArrayList<>();
    for (int up = levels; up >= 0; up--) {
      Path from = above(copy, up);
      String to = told ? above(root, up).toString() : TREE + "/..".repeat(up);
      flags.add("-fdebug-prefix-map=" + from + "=" + to);
    }
    return flags;
  }

  /** All that an object's debug information depends on beyond the unit's flags. */
  String key(Unit unit) {
    Path folder = unit.directory();
    boolean fitsCopies = !isTold(unit) && folder.startsWith(copy);
    return fitsCopies ? TREE + "/" + copy.relativize(folder) : folder + " of " + root;
  }

  private static Path above(Path folder, int up) {
    Path above = folder;
    for (int i = 0; i < up; i++) {
      Path parent = above.getParent();
      above = parent == null ? above : parent;
    }
    return above;
  }
}
