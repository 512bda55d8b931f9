package dev.rocport.conformance;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The result of a run of a suite.
 *
 * @param version of the tested library; empty if the suite did not run
 * @param tests how many the suite has
 * @param results of the tests that were run, in their order
 * @param notes sentences for the report
 * @param failure why the suite did not run, or not to its end
 */
public record SuiteResult(
    Suite suite,
    String version,
    int tests,
    List<TestResult> results,
    List<String> notes,
    Optional<String> failure,
    Duration time) {

  public SuiteResult {
    results = List.copyOf(results);
    notes = List.copyOf(notes);
  }

  long count(Verdict verdict) {
    return results.stream().filter(r -> r.verdict() == verdict).count();
  }

  /** Failures for which the list of known ones has no reason. */
  List<TestResult> unexplained(KnownFailures known) {
    return results.stream()
        .filter(r -> r.verdict() == Verdict.FAILED && known.of(suite, r.test()).isEmpty())
        .toList();
  }
}
