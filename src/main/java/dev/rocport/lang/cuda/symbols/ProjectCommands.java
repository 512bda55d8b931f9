package dev.rocport.lang.cuda.symbols;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the compiler commands of a project specify for its files.
 *
 * @param units by path relative to the tree's root; empty if no commands are known
 */
public record ProjectCommands(SortedMap<String, Unit> units) {
  public static final ProjectCommands NONE = new ProjectCommands(new TreeMap<>());

  /**
   * A file that is compiled.
   *
   * @param cuda it is compiled as CUDA, whatever its name
   * @param folders searched for headers, relative to the tree's root; those outside are left out
   * @param defines values of the macros that its commands define, by name; an empty value where
   *     they differ
   */
  public record Unit(boolean cuda, List<String> folders, SortedMap<String, String> defines) {
    public Unit {
      folders = List.copyOf(folders);
      defines = Collections.unmodifiableSortedMap(new TreeMap<>(defines));
    }
  }

  public ProjectCommands {
    units = Collections.unmodifiableSortedMap(new TreeMap<>(units));
  }

  /** True if some command defines the macro. */
  public boolean define(String macro) {
    return units.values().stream().anyMatch(u -> u.defines().containsKey(macro));
  }

  public boolean isCuda(String path) {
    Unit unit = units.get(path);
    return unit != null && unit.cuda();
  }
}
