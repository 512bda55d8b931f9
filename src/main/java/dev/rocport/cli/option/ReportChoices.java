package dev.rocport.cli.option;

import dev.rocport.cli.support.Console;
import dev.rocport.core.result.Severity;
import dev.rocport.render.ReportForm;
import dev.rocport.render.text.Paper;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that control reports, shared by every command with findings. */
public final class ReportChoices {
  @Option(
      names = "--format",
      paramLabel = "text|json|sarif|junit|md|csv|html|github|gitlab",
      defaultValue = "text",
      description = "Format of the report on standard output.")
  private ReportForm format;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Also write the report into this folder, in every format.")
  private @Nullable Path report;

  @Option(
      names = "--fail-on",
      paramLabel = "note|warning|error",
      defaultValue = "error",
      description = "Exit with 1 for findings of this severity or higher (default: error).")
  private Severity failOn;

  @Option(
      names = "--baseline",
      paramLabel = "FILE",
      description =
          "Treat the findings in this file as known: only new findings count for --fail-on.")
  private @Nullable Path baseline;

  @Option(
      names = "--write-baseline",
      paramLabel = "FILE",
      description = "Write the findings of this run as a baseline.")
  private @Nullable Path writeBaseline;

  @Option(names = "--no-color", description = "Use no colors on a terminal.")
  private boolean noColor;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print neither progress nor explanations.")
  private boolean quiet;

  public ReportForm format() {
    return format;
  }

  public @Nullable Path report() {
    return report;
  }

  /** Writes the report there; nowhere if null. */
  public void reportTo(@Nullable Path folder) {
    report = folder;
  }

  public Severity failOn() {
    return failOn;
  }

  public @Nullable Path baseline() {
    return baseline;
  }

  /** Takes these where the command line names none. */
  public void otherwise(Optional<Path> otherBaseline, Optional<Path> otherReport) {
    baseline = baseline == null ? otherBaseline.orElse(null) : baseline;
    report = report == null ? otherReport.orElse(null) : report;
  }

  public @Nullable Path writeBaseline() {
    return writeBaseline;
  }

  public boolean quiet() {
    return quiet;
  }

  /** What text on standard output is written on. */
  public Paper paper(Console console) {
    return paper(console, noColor);
  }

  public static Paper paper(Console console, boolean noColor) {
    if (!console.terminal()) {
      return Paper.PLAIN;
    }
    String off = System.getenv("NO_COLOR");
    boolean colours = !noColor && (off == null || off.isEmpty());
    return new Paper(colours, columns(System.getenv("COLUMNS")), true);
  }

  private static int columns(@Nullable String text) {
    try {
      return text == null ? Paper.PLAIN.width() : Integer.parseInt(text.strip());
    } catch (NumberFormatException e) {
      return Paper.PLAIN.width();
    }
  }
}
