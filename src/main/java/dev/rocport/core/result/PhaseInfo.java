package dev.rocport.core.result;

import java.util.List;
import java.util.Set;

/**
 * A phase of the porting guide, and whether a tree needs it.
 *
 * @param phase its number
 * @param title one or two words
 * @param what the work of this phase
 * @param needed whether it is needed
 * @param reasons why, or why not; at least one
 * @param findings fingerprints of the findings that belong to it, also of suppressed ones; no
 *     finding belongs to two phases
 */
public record PhaseInfo(
    int phase, String title, String what, Need needed, List<Reason> reasons, Set<String> findings) {

  /** Whether a phase is needed. */
  public enum Need {
    NO,
    /** A person should look. */
    MAYBE,
    YES
  }

  /**
   * The reasons.
   *
   * @param what was found, or a sentence
   * @param count how often; 0 for a sentence
   * @param files in how many files
   * @param example the first place: {@code path} or {@code path:line}; empty for a sentence
   */
  public record Reason(String what, int count, int files, String example) {
    /** The reason in words. */
    public String text() {
      return count == 0 ? what : what + ": " + count + " (" + example + ")";
    }
  }

  public PhaseInfo {
    reasons = List.copyOf(reasons);
    findings = Set.copyOf(findings);
  }
}
