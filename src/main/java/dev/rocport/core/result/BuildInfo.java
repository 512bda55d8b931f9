package dev.rocport.core.result;

import java.util.List;
import java.util.SortedMap;

/**
 * The result of a build, except its findings. It contains no times: the same tree gives the same
 * result.
 *
 * @param source the origin of the plan, such as {@code cmake}
 * @param compiler its version
 * @param hip version of the HIP headers
 * @param targets GPU targets
 * @param units in order of their path
 * @param links in the order they were linked
 * @param notes uncertainties of the build
 */
public record BuildInfo(
    String source,
    String compiler,
    String hip,
    List<String> targets,
    List<Unit> units,
    List<Link> links,
    List<String> notes) {

  /**
   * One translation unit.
   *
   * @param path relative to the tree's root
   * @param status {@code compiled}, {@code too-new} or {@code failed}
   * @param sides whether it compiled, by target; {@code host} for the CPU side
   * @param kernels number of kernels, by target
   * @param warnings number of the compiler's warnings
   * @param message why it failed if no finding does; otherwise empty
   */
  public record Unit(
      String path,
      String language,
      String status,
      SortedMap<String, Boolean> sides,
      SortedMap<String, Integer> kernels,
      long warnings,
      String message) {}

  /**
   * One program or library.
   *
   * @param kind what it is
   * @param status {@code linked}, {@code skipped} or {@code failed}
   * @param path relative to the tree's root where it is there
   * @param kernels names of the kernels in it, by target
   * @param message why it was not linked; otherwise empty
   */
  public record Link(
      String name,
      String kind,
      String status,
      String path,
      List<String> inputs,
      List<String> libraries,
      SortedMap<String, List<String>> kernels,
      String message) {}

  public BuildInfo {
    targets = List.copyOf(targets);
    units = List.copyOf(units);
    links = List.copyOf(links);
    notes = List.copyOf(notes);
  }
}
