package dev.rocport.conformance;

import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Runs the tests of a suite, program by program. */
final class SuiteTests {
  private static final Duration REPORTED = Duration.ofSeconds(20);

  private final Suite suite;
  private final ProgramTests runs;
  private final Consumer<String> progress;

  SuiteTests(Suite suite, ProgramTests runs, Consumer<String> progress) {
    this.suite = suite;
    this.runs = runs;
    this.progress = progress;
  }

  /**
   * Runs tests, in the order in which the programs list them. A program that names a test only
   * after its end runs them in this order, so the first one without a result is the one that runs.
   *
   * @param all tests of the suite
   * @param selection which of them run
   * @param results receives each result as soon as it is there
   * @throws ToolchainException if no test has a name of the sample and of the selection
   */
  void run(List<TestCase> all, Selection selection, Consumer<TestResult> results)
      throws IOException, InterruptedException, ToolchainException {
    List<TestCase> from = selection.quick() ? suite.sample().from(all) : all;
    if (from.isEmpty() && !all.isEmpty()) {
      throw new ToolchainException(
          "none of the %d tests of %s has a name of its sample: %s"
              .formatted(all.size(), suite.name(), suite.sample().names()));
    }
    List<TestCase> named = selection.named(from);
    if (named.isEmpty() && !from.isEmpty()) {
      throw new ToolchainException(
          "none of the %d tests of %s has a name that matches %s"
              .formatted(
                  from.size(), suite.name(), selection.names().map(Pattern::pattern).orElse("")));
    }
    Set<TestCase> chosen = new HashSet<>(selection.of(named, suite.sample().tests()));
    List<TestCase> tests = all.stream().filter(chosen::contains).toList();
    SortedMap<String, List<String>> byProgram = new TreeMap<>();
    tests.forEach(
        t -> byProgram.computeIfAbsent(t.program(), p -> new ArrayList<>()).add(t.name()));
    progress.accept("%s: running %d tests".formatted(suite.name(), tests.size()));
    int[] done = {0};
    long[] last = {System.nanoTime()};
    for (Map.Entry<String, List<String>> e : byProgram.entrySet()) {
      runs.run(
          e.getKey(),
          e.getValue(),
          result -> {
            results.accept(result);
            done[0]++;
            if (System.nanoTime() - last[0] > REPORTED.toNanos()) {
              last[0] = System.nanoTime();
              progress.accept(
                  "%s: %d of %d tests, now in %s"
                      .formatted(suite.name(), done[0], tests.size(), e.getKey()));
            }
          });
    }
  }
}
