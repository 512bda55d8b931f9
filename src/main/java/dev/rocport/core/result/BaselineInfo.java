package dev.rocport.core.result;

import java.util.Set;

/**
 * How the findings compare with a baseline.
 *
 * @param file the baseline, as given
 * @param known fingerprints of this run's findings that it lists
 * @param fresh number of findings that it does not list
 * @param fixed number of its findings that no longer occur
 */
public record BaselineInfo(String file, Set<String> known, int fresh, int fixed) {
  public BaselineInfo {
    known = Set.copyOf(known);
  }
}
