package dev.rocport.build.run;

import dev.rocport.build.unit.Language;
import dev.rocport.build.unit.Unit;
import dev.rocport.core.result.Finding;
import java.util.List;
import java.util.SortedMap;

/**
 * Result of one translation unit.
 *
 * @param unit its source and the flags that it was compiled with
 * @param status outcome
 * @param seconds wall time of the compiler; 0 for cached objects
 * @param targets outcome by target; {@code host} for the CPU side
 * @param kernels number of kernels by target; 0 if they are linked later
 * @param warnings number of compiler warnings
 * @param findings one per error
 * @param message reason of a failure without findings; otherwise empty
 */
public record UnitResult(
    Unit unit,
    Status status,
    double seconds,
    SortedMap<String, Boolean> targets,
    SortedMap<String, Integer> kernels,
    long warnings,
    List<Finding> findings,
    String message) {

  /** Outcome of a unit. */
  public enum Status {
    COMPILED,
    CACHED,
    /** It uses names of a later HIP version than the toolchain provides; the port is correct. */
    TOO_NEW,
    FAILED
  }

  public UnitResult {
    findings = List.copyOf(findings);
  }

  /** Returns the path of the source, relative to the root of the tree. */
  public String path() {
    return unit.path();
  }

  public Language language() {
    return unit.language();
  }

  /** Returns the same with other findings. */
  public UnitResult with(List<Finding> others) {
    return new UnitResult(unit, status, seconds, targets, kernels, warnings, others, message);
  }

  public boolean ok() {
    return status == Status.COMPILED || status == Status.CACHED;
  }
}
