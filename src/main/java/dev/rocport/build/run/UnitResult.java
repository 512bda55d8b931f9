package dev.rocport.build.run;

import dev.rocport.build.unit.Language;
import dev.rocport.core.result.Finding;
import java.util.List;
import java.util.SortedMap;

/**
 * What became of one translation unit.
 *
 * @param path of its source, relative to the tree's root
 * @param status how it ended
 * @param seconds wall time of the compiler; 0 for cached objects
 * @param targets how it ended for each target, by target; {@code host} for the CPU side
 * @param kernels number of kernels for each target, by target; 0 for all where they are linked
 *     later
 * @param warnings number of the compiler's warnings
 * @param findings one an error
 * @param message why it failed where the findings do not say; else empty
 */
public record UnitResult(
    String path,
    Language language,
    Status status,
    double seconds,
    SortedMap<String, Boolean> targets,
    SortedMap<String, Integer> kernels,
    long warnings,
    List<Finding> findings,
    String message) {

  /** How a unit ended. */
  public enum Status {
    COMPILED,
    CACHED,
    /** It uses names of a later HIP version than the toolchain's; nothing is wrong with it. */
    TOO_NEW,
    FAILED
  }

  public UnitResult {
    findings = List.copyOf(findings);
  }

  public boolean ok() {
    return status == Status.COMPILED || status == Status.CACHED;
  }
}
