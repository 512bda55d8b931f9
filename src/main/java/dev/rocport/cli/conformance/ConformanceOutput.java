package dev.rocport.cli.conformance;

import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.conformance.ConformanceReport;
import dev.rocport.conformance.KnownFailures;
import dev.rocport.conformance.Selection;
import dev.rocport.conformance.SuiteResult;
import dev.rocport.io.AtomicFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Prints and writes the results of suites.
 *
 * @param report the folder for files; null for none
 */
record ConformanceOutput(Console console, @Nullable Path report) {
  /**
   * Which tests are to run.
   *
   * @param shard I/N; null for all shards
   * @param tests a regular expression for names; null for all names
   */
  static Selection selection(boolean quick, @Nullable String shard, @Nullable String tests) {
    Selection selection =
        shard == null
            ? Selection.whole(quick)
            : Selection.shard(quick, shard)
                .orElseThrow(
                    () ->
                        new UsageException(
                            "--shard must be I/N, such as 2/5, with I from 1 to N: not " + shard));
    try {
      return tests == null ? selection : selection.named(Pattern.compile(tests));
    } catch (PatternSyntaxException e) {
      throw new UsageException("--tests is not a regular expression: " + e.getDescription());
    }
  }

  /**
   * Writes the tables.
   *
   * @param on what the tests ran on
   * @param selection which tests ran
   * @return the exit code
   */
  int write(List<SuiteResult> results, String on, Selection selection, long seconds)
      throws IOException {
    String about =
        "%s, %s, %s of each suite, at most %d s per test."
            .formatted(LocalDate.now(ZoneOffset.UTC), on, selection.about(), seconds);
    ConformanceReport made = new ConformanceReport(results, KnownFailures.builtIn(), about);
    console.out().print(made.markdown());
    if (report != null) {
      AtomicFile.write(report.resolve("conformance.md"), out -> out.write(made.markdown()));
      AtomicFile.write(report.resolve("conformance.tsv"), out -> out.write(made.table()));
    }
    ExitCode code =
        made.unexplained() > 0
            ? ExitCode.FINDINGS
            : made.isIncomplete() ? ExitCode.TOOLCHAIN : ExitCode.OK;
    return code.code();
  }
}
