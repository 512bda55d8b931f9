package dev.rocport.cli.report;

import dev.rocport.assess.Assessment;
import dev.rocport.assess.Baseline;
import dev.rocport.assess.SuppressionFile;
import dev.rocport.cli.option.ReportChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.cli.support.Version;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.result.Gate;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.Run;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceTree;
import dev.rocport.io.AtomicFile;
import dev.rocport.render.ReportForm;
import dev.rocport.render.sarif.SarifReport;
import dev.rocport.render.text.Paper;
import dev.rocport.render.text.TextReport;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.RuleFilter;
import dev.rocport.verify.Verification;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the findings of a run, writes the reports that the user asked for, and determines the
 * exit code.
 */
public final class Reporter {
  private final Console console;
  private final ReportChoices choices;
  private final RuleCatalog catalog;
  private final RuleFilter filter;
  private final SortedMap<String, String> options;
  private final Path root;
  private final @Nullable Baseline baseline;
  private final Gate gate;

  /** What {@code --report} writes. */
  private static final List<ReportForm> FILES =
      List.of(
          ReportForm.TEXT,
          ReportForm.JSON,
          ReportForm.SARIF,
          ReportForm.JUNIT,
          ReportForm.MD,
          ReportForm.CSV,
          ReportForm.HTML,
          ReportForm.GITLAB);

  /**
   * Reads the baseline, so that an invalid one stops the run before it begins.
   *
   * @param filter the active rules
   * @param options the options that affect the output, by name
   * @param root the tree's root, which contains its configuration
   * @param gate the condition that fails the run
   * @throws UsageException if the baseline cannot be used
   */
  public Reporter(
      Console console,
      ReportChoices choices,
      RuleCatalog catalog,
      RuleFilter filter,
      SortedMap<String, String> options,
      Path root,
      Gate gate) {
    this.console = console;
    this.choices = choices;
    this.catalog = catalog;
    this.filter = filter;
    this.options = options;
    this.root = root;
    this.gate = gate;
    try {
      Path file = choices.baseline();
      this.baseline = file == null ? null : Baseline.read(file);
    } catch (IOException e) {
      throw new UsageException("--baseline " + choices.baseline() + ": " + reason(e));
    }
  }

  /** The same with the gate of {@code --fail-on}. */
  public Reporter(
      Console console,
      ReportChoices choices,
      RuleCatalog catalog,
      RuleFilter filter,
      SortedMap<String, String> options,
      Path root) {
    this(console, choices, catalog, filter, options, root, new Gate(choices.failOn()));
  }

  /** The same for a run that ports. */
  public static Reporter of(
      Console console, ReportChoices choices, RuleCatalog catalog, PortOptions options, Path root) {
    return new Reporter(console, choices, catalog, options.filter(), describe(options), root);
  }

  /** Reports, and returns the exit code. */
  public int report(String command, List<Path> paths, List<FileResult> files) {
    return report(assess(command, paths, files));
  }

  /** Reports what was weighed, and returns the exit code. */
  public int report(Result result) {
    print(result);
    return finish(result);
  }

  /** Reports a verification, with its tables, and returns the exit code. */
  public int report(String command, List<Path> paths, Verification verification) {
    Result result = assess(command, paths, verification.files()).with(verification.info());
    if (choices.format() == ReportForm.TEXT) {
      Paper paper = choices.paper(console);
      console.out().print(VerifyText.render(result, verification.info(), paper));
      console.out().flush();
    } else {
      print(result);
    }
    return finish(result, () -> VerifyText.render(result, verification.info(), Paper.PLAIN));
  }

  /** Writes the form that was asked for to standard output. */
  public void print(Result result) {
    if (choices.format() == ReportForm.TEXT) {
      TextReport.writeBrief(result, choices.paper(console), console.out());
    } else {
      choices.format().write(result, gate.judge(result), console.out());
    }
    console.out().flush();
  }

  /** Writes the files that were asked for and tells the exit code. */
  public int finish(Result result) {
    return finish(result, () -> plain(result));
  }

  /** Writes the report that was asked for, which a later call replaces. */
  public void draft(Result result) {
    writeReport(result, gate.judge(result), () -> plain(result));
  }

  private static String plain(Result result) {
    StringBuilder text = new StringBuilder();
    TextReport.write(result, Paper.PLAIN, text);
    return text.toString();
  }

  /**
   * The same.
   *
   * @param text makes the report as text, if it was asked for
   */
  public int finish(Result result, Supplier<String> text) {
    Gate.Verdict verdict = gate.judge(result);
    writeFiles(result, verdict, text);
    return exitCode(result, verdict).code();
  }

  /** Returns the exit code of {@link #finish(Result)}, which this does not write. */
  public int code(Result result) {
    return exitCode(result, gate.judge(result)).code();
  }

  /** Returns the fingerprints in the baseline; none without one. */
  public Set<String> known() {
    return baseline == null ? Set.of() : baseline.fingerprints();
  }

  /** Weighs what was found. */
  public Result assess(String command, List<Path> paths, List<FileResult> files) {
    try {
      Run run = run(command, paths, root, options);
      return new Assessment(catalog, filter, SuppressionFile.read(root), baseline).of(run, files);
    } catch (IOException e) {
      throw new UsageException(reason(e));
    }
  }

  private static Run run(
      String command, List<Path> paths, Path root, SortedMap<String, String> options)
      throws IOException {
    return new Run(
        Version.current(),
        command,
        paths.stream().map(Path::toString).toList(),
        base(root),
        options);
  }

  /** Writes findings of the working folder as SARIF, without what its suppressions name. */
  public static void writeSarif(
      Path file, RuleCatalog catalog, String command, List<Path> paths, List<FileResult> files)
      throws IOException {
    Path root = Path.of(".");
    Result result =
        new Assessment(catalog, RuleFilter.ALL, SuppressionFile.read(root), null)
            .of(run(command, paths, root, new TreeMap<>()), files);
    AtomicFile.write(file, out -> SarifReport.write(result, out));
  }

  private void writeFiles(Result result, Gate.Verdict verdict, Supplier<String> text) {
    Path known = choices.writeBaseline();
    writeReport(result, verdict, text);
    try {
      if (known != null) {
        Baseline.write(known, result);
      }
    } catch (IOException e) {
      throw new UsageException("cannot write the report: " + reason(e));
    }
  }

  private void writeReport(Result result, Gate.Verdict verdict, Supplier<String> text) {
    Path folder = choices.report();
    try {
      if (folder != null) {
        for (ReportForm form : FILES) {
          AtomicFile.write(
              folder.resolve(form.file()),
              out -> {
                if (form == ReportForm.TEXT) {
                  out.write(text.get());
                } else {
                  form.write(result, verdict, out);
                }
              });
        }
      }
    } catch (IOException e) {
      throw new UsageException("cannot write the report: " + reason(e));
    }
  }

  /** A file that could not be read is worse than a finding: its contents are unknown. */
  public static ExitCode exitCode(Result result, Gate.Verdict verdict) {
    boolean conflict = false;
    for (var file : result.files()) {
      FileResult f = file.result();
      boolean told = f.findings().stream().anyMatch(x -> x.severity() == Severity.ERROR);
      if (f.status() == Status.FAILED && !told) {
        return ExitCode.USAGE;
      }
      conflict |= f.status() == Status.CONFLICT;
    }
    return conflict || !verdict.failing().isEmpty() ? ExitCode.FINDINGS : ExitCode.OK;
  }

  /** The options that affect the output. */
  public static SortedMap<String, String> describe(PortOptions o) {
    SortedMap<String, String> map = new TreeMap<>();
    map.put("launch", label(o.launch()));
    map.put("libs", label(o.libs()));
    map.put("style", label(o.style()));
    map.put("warp", label(o.warp()));
    map.put("rename-sources", String.valueOf(o.renameSources()));
    map.put("hip", o.hip());
    if (!o.filter().only().isEmpty()) {
      map.put("only", String.join(",", o.filter().only()));
    }
    if (!o.filter().skip().isEmpty()) {
      map.put("skip", String.join(",", o.filter().skip()));
    }
    return map;
  }

  private static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The tree's root relative to the working directory; empty if it is that directory or outside it.
   */
  private static String base(Path root) throws IOException {
    Path here = Path.of("").toRealPath();
    Path there = root.toRealPath();
    return there.startsWith(here) ? here.relativize(there).toString().replace('\\', '/') : "";
  }

  private static String reason(IOException e) {
    return SourceTree.reason(e);
  }
}
