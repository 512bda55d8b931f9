package dev.rocport.conformance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The results of a run as Markdown and as a table of tests.
 *
 * @param results of the suites, in the order in which they ran
 * @param about a sentence about the run: the date, the target, what was run
 */
public record ConformanceReport(List<SuiteResult> results, KnownFailures known, String about) {
  public ConformanceReport {
    results = List.copyOf(results);
  }

  /** The number of failures without a known reason. */
  public int unexplained() {
    return results.stream().mapToInt(r -> r.unexplained(known).size()).sum();
  }

  /** Whether a suite that could run did not, or not to its end. */
  public boolean isIncomplete() {
    return results.stream()
        .anyMatch(r -> r.failure().isPresent() && r.suite().obstacle().isEmpty());
  }

  /** Tables of suites and failures, with all notes. */
  public String markdown() {
    StringBuilder out = new StringBuilder(about).append("\n\n");
    out.append(
        "| suite | version | tests | run | passed | failed | known to fail | skipped by the suite"
            + " | cut by time | time |\n|---|---|---|---|---|---|---|---|---|---|\n");
    results.forEach(r -> out.append(row(r)));
    results.forEach(r -> out.append(details(r)));
    return out.toString();
  }

  private String row(SuiteResult r) {
    long unexplained = r.unexplained(known).size();
    return "| %s | %s | %d | %d | %d | %d | %d | %d | %d | %s |%n"
        .formatted(
            r.suite().title(),
            r.version().isEmpty() ? "not run" : r.version(),
            r.tests(),
            r.results().size(),
            r.count(Verdict.PASSED),
            unexplained,
            r.count(Verdict.FAILED) - unexplained,
            r.count(Verdict.SKIPPED),
            r.count(Verdict.CUT),
            time(r.time()));
  }

  private String details(SuiteResult r) {
    List<String> lines = new ArrayList<>();
    r.failure().ifPresent(f -> lines.add("- not run: " + f));
    r.notes().forEach(n -> lines.add("- " + n));
    for (TestResult t : r.results()) {
      Optional<KnownFailures.Entry> entry = known.of(r.suite(), t.test());
      switch (t.verdict()) {
        case FAILED ->
            lines.add(
                entry
                    .map(
                        e ->
                            "- known to fail since %s: `%s`: %s"
                                .formatted(e.date(), t.test(), e.reason()))
                    .orElseGet(() -> "- FAILED: `%s`: %s".formatted(t.test(), t.message())));
        case CUT -> lines.add("- cut by time: `%s`".formatted(t.test()));
        case PASSED ->
            entry.ifPresent(
                e ->
                    lines.add(
                        "- passed, and is listed as known to fail: `%s`".formatted(t.test())));
        case SKIPPED -> {}
      }
    }
    return lines.isEmpty()
        ? ""
        : "\n%s:%n%n%s%n".formatted(r.suite().title(), String.join("\n", lines));
  }

  /** One line for each test: suite, program, test, result, milliseconds, message. */
  public String table() {
    StringBuilder out = new StringBuilder("suite\tprogram\ttest\tresult\tms\tmessage\n");
    for (SuiteResult r : results) {
      for (TestResult t : r.results()) {
        out.append(
            String.join(
                "\t",
                r.suite().name(),
                t.test().program(),
                t.test().name(),
                t.verdict().name().toLowerCase(Locale.ROOT),
                String.valueOf(t.time().toMillis()),
                t.message().replace('\t', ' ')));
        out.append('\n');
      }
    }
    return out.toString();
  }

  private static String time(Duration time) {
    return "%d min %02d s".formatted(time.toMinutes(), time.toSecondsPart());
  }
}
