package dev.rocport.build.compile;

import dev.rocport.build.unit.Unit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Names of sources in debug information: below {@value #TREE} if only reports need it, so that
 * objects are valid for every copy of the tree; real paths if the project requests debug
 * information.
 *
 * @param copy the folder that the compiler uses as the root of the tree
 * @param root root of the tree
 * @param levels number of parent folders of the root that the copy contains
 */
public record DebugNames(Path copy, Path root, int levels) {

  /**
   * Represents the root of the tree. It is absolute, because relative names refer to the working
   * directory of the compiler; the device omits it in reports.
   */
  static final String TREE = "/rocport.tree";

  /** Returns names for a tree that is compiled in place. */
  public static DebugNames of(Path root) {
    return new DebugNames(root, root, 0);
  }

  /** Returns whether the unit's flags set debug information explicitly. */
  private static boolean isExplicit(Unit unit) {
    return unit.arguments().stream().anyMatch(a -> a.startsWith("-g"));
  }

  /** Returns whether these flags produce debug information; the last flag applies. */
  static boolean isMade(List<String> flags) {
    return flags.stream()
        .filter(f -> f.startsWith("-g"))
        .reduce((first, last) -> last)
        .filter(f -> !f.equals("-g0"))
        .isPresent();
  }

  /** Returns flags that map the paths of the copy; if several match, the compiler uses the last. */
  List<String> flags(Unit unit) {
    boolean explicit = isExplicit(unit);
    if (explicit && copy.equals(root)) {
      return List.of();
    }
    List<String> flags = new ArrayList<>();
    for (int up = levels; up >= 0; up--) {
      Path from = above(copy, up);
      String to = explicit ? above(root, up).toString() : TREE + "/..".repeat(up);
      flags.add("-fdebug-prefix-map=" + from + "=" + to);
    }
    return flags;
  }

  /** Returns what debug information depends on in addition to the unit's flags. */
  String key(Unit unit) {
    Path folder = unit.directory();
    boolean fitsCopies = !isExplicit(unit) && folder.startsWith(copy);
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
