package dev.rocport.cli.port;

import dev.rocport.cli.option.ReportChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.Severity;
import dev.rocport.render.ReportForm;
import dev.rocport.render.text.TextReport;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@code port} tells at the end, in a few lines; the whole report is Reporter's. */
final class PortReport {
  private PortReport() {}

  /**
   * Prints findings, files that need attention and a summary.
   *
   * @param nanos how long the run took
   */
  static void print(
      Console console, ReportChoices choices, Result result, boolean dry, long nanos) {
    if (!choices.quiet()) {
      describe(console, choices, result, dry);
      double seconds = nanos / 1e9;
      console
          .err()
          .println(
              String.format(
                  Locale.ROOT, "%.1f s, %.1f MB/s", seconds, bytes(result) / 1e6 / seconds));
    }
  }

  /** Returns the bytes of all files. */
  static long bytes(Result result) {
    return result.files().stream().mapToLong(f -> f.result().bytes()).sum();
  }

  /** Prints the same up to the time in the last line, which remains open. */
  static void describe(Console console, ReportChoices choices, Result result, boolean dry) {
    List<FileResult> results = result.files().stream().map(FileReport::result).toList();
    if (choices.format() == ReportForm.TEXT) {
      console.err().print(TextReport.phases(result, choices.paper(console)));
      boolean many = TextReport.hasManyProblems(result);
      results.forEach(r -> attention(console, r, many));
      if (many) {
        console.err().print(TextReport.decisions(result, choices.paper(console)));
      }
    }
    summary(console, results, dry);
  }

  /** Prints what was taken back. */
  static int printUndo(Console console, ReportChoices choices, List<FileResult> results) {
    int kept = 0;
    for (FileResult r : results) {
      boolean left = r.status() == Status.CONFLICT || r.status() == Status.FAILED;
      kept += left ? 1 : 0;
      if (left || !choices.quiet()) {
        console.err().println(r.path() + ": " + r.message());
      }
    }
    if (!choices.quiet()) {
      console
          .err()
          .println(
              TextReport.count(results.size() - kept, "file") + " undone, " + kept + " left alone");
    }
    return (kept == 0 ? ExitCode.OK : ExitCode.FINDINGS).code();
  }

  /** Prints how many files lost their comments, and returns the exit code. */
  static int printUnannotated(Console console, ReportChoices choices, List<FileResult> results) {
    List<FileResult> failed = results.stream().filter(r -> r.status() == Status.FAILED).toList();
    failed.forEach(r -> console.err().println(r.path() + ": " + r.message()));
    if (!choices.quiet()) {
      console
          .err()
          .println(
              "removed comments from " + TextReport.count(results.size() - failed.size(), "file"));
    }
    return (failed.isEmpty() ? ExitCode.OK : ExitCode.USAGE).code();
  }

  /**
   * Prints what happened to a file, and its findings.
   *
   * @param many whether there are too many findings to print them
   */
  private static void attention(Console console, FileResult r, boolean many) {
    boolean odd =
        switch (r.status()) {
          case CONFLICT, FAILED, SKIPPED -> true;
          default -> false;
        };
    if (odd || !r.message().isEmpty()) {
      String word = odd ? r.status().name().toLowerCase(Locale.ROOT) : "note";
      console.err().println(r.path() + ": " + word + ": " + r.message());
    }
    for (Finding f : r.findings()) {
      if (f.severity() != Severity.NOTE && !many) {
        String place = f.line() == 0 ? f.path() : f.path() + ":" + f.line() + ":" + f.column();
        console
            .err()
            .println(
                place + ": " + f.severity().label() + ": " + f.message() + " [" + f.rule() + "]");
      }
    }
  }

  private static void summary(Console console, List<FileResult> results, boolean dry) {
    Map<Status, Integer> byStatus = new EnumMap<>(Status.class);
    Map<Severity, Integer> bySeverity = new EnumMap<>(Severity.class);
    long edits = 0;
    for (FileResult r : results) {
      byStatus.merge(r.status(), 1, Integer::sum);
      r.findings().forEach(f -> bySeverity.merge(f.severity(), 1, Integer::sum));
      edits += r.editCount();
    }
    List<String> parts = new ArrayList<>();
    byStatus.forEach((s, n) -> parts.add(n + " " + word(s)));
    console
        .err()
        .print(
            String.format(
                Locale.ROOT,
                "%s%s: %s; %s; %s, %s, %s; ",
                dry ? "would port " : "",
                TextReport.count(results.size(), "file"),
                String.join(", ", parts),
                TextReport.count(edits, "edit"),
                TextReport.count(bySeverity.getOrDefault(Severity.ERROR, 0), "error"),
                TextReport.count(bySeverity.getOrDefault(Severity.WARNING, 0), "warning"),
                TextReport.count(bySeverity.getOrDefault(Severity.NOTE, 0), "note")));
  }

  private static String word(Status status) {
    return status.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
