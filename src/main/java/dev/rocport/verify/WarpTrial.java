package dev.rocport.verify;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.rules.RuleCatalog;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The results of one warp program: ported by rocport, and as people port it by hand.
 *
 * @param name of the fixture
 * @param kind the required result of a port
 * @param recorded whether its output on an NVIDIA GPU is known; otherwise its own checks decide
 * @param port the results of its files, the findings of the port included
 * @param stable whether porting the port changes nothing
 * @param runs the runs of the port by target; empty if it must not run
 * @param names with only its names ported, to HIP functions with 64-bit masks
 * @param byHand the same with {@code naive.h}
 */
public record WarpTrial(
    String name,
    Fixture.Warp kind,
    boolean recorded,
    List<FileResult> port,
    boolean stable,
    SortedMap<String, WarpOutcome> runs,
    WarpOutcome names,
    WarpOutcome byHand) {
  private static final RuleCatalog RULES = RuleCatalog.builtIn();

  public WarpTrial {
    port = List.copyOf(port);
    runs = Collections.unmodifiableSortedMap(new TreeMap<>(runs));
  }

  /** The verdict on a port. */
  public enum Verdict {
    /** Nothing was flagged, and it is right on every target. */
    RIGHT,
    /** An error finding about its warps. */
    FLAGGED,
    /** Anything else: the port claims success, but the result is wrong. */
    WRONG
  }

  /** Whether a rule is one of those about 32 and 64 lanes. */
  public static boolean isOfWarps(String rule) {
    return RULES.topic(rule).isOfWarps();
  }

  public Verdict verdict() {
    if (isFlagged()) {
      return Verdict.FLAGGED;
    }
    boolean right =
        errors().isEmpty()
            && !runs.isEmpty()
            && runs.values().stream().allMatch(WarpOutcome::isRight);
    return right ? Verdict.RIGHT : Verdict.WRONG;
  }

  /** Whether the port gives the required result. */
  public boolean isAsExpected() {
    return verdict() == (kind == Fixture.Warp.FLAGGED ? Verdict.FLAGGED : Verdict.RIGHT);
  }

  /** Whether it goes wrong without the rules about warps, so that it proves something. */
  public boolean needsTheRules() {
    return names.isWrong() || byHand.isWrong();
  }

  /** The port's error findings. */
  public List<Finding> errors() {
    return port.stream()
        .flatMap(f -> f.findings().stream())
        .filter(f -> f.severity() == Severity.ERROR)
        .toList();
  }

  private boolean isFlagged() {
    return errors().stream().anyMatch(f -> isOfWarps(f.rule()));
  }
}
