package dev.rocport.cli.audit;

import dev.rocport.assess.GateFile;
import dev.rocport.cli.option.PortChoices;
import dev.rocport.cli.option.ProjectConfig;
import dev.rocport.cli.option.ReportChoices;
import dev.rocport.cli.option.TreeChoices;
import dev.rocport.cli.report.Reporter;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Gate;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.render.ReportForm;
import dev.rocport.render.text.Paper;
import dev.rocport.render.text.TextReport;
import dev.rocport.render.text.TextTable;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code rocport gate}: an audit that passes or fails according to {@code .rocport.yaml}. */
@Command(
    name = "gate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Audits a tree and passes or fails according to the entry 'gate' of its .rocport.yaml:"
            + " fail-on, baseline, thresholds, report. Command-line options override the file.",
    footer = {
      "",
      "Examples:",
      "  rocport gate .                        as configured in .rocport.yaml",
      "  rocport gate . --format github        findings as annotations of a pull request",
      "  rocport audit . --write-baseline known.json",
      "  rocport gate . --baseline known.json  only new findings fail",
      "  rocport gate . --since origin/main... only findings in lines of this branch fail"
    })
public final class GateCommand implements Callable<Integer> {
  private static final int MOST_SHOWN = 100;

  private final Console console;
  @Spec private CommandSpec spec;
  @Mixin private TreeChoices tree;
  @Mixin private PortChoices choices;
  @Mixin private ReportChoices report;
  @Mixin private SinceChoice since;

  @Option(
      names = "--fixes",
      description =
          "Add a SARIF note for each file that a port changes, with the changes as its fix.")
  private boolean fixes;

  public GateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    GateCommand configured = new GateCommand(console);
    boolean saysFailOn = spec.commandLine().getParseResult().hasMatchedOption("--fail-on");
    boolean changed =
        ProjectConfig.apply(configured, tree.selection().root(), ProjectConfig.argsOf(spec));
    return (changed ? configured : this).run(saysFailOn);
  }

  /**
   * @param saysFailOn the command line itself names a severity
   */
  private int run(boolean saysFailOn) {
    TreeSelection selection = tree.selection();
    GateFile file;
    try {
      file = GateFile.read(selection.root());
    } catch (IOException e) {
      throw new UsageException(SourceTree.reason(e));
    }
    report.otherwise(file.baseline(), file.report());
    Severity failOn = saysFailOn ? report.failOn() : file.failOn().orElse(report.failOn());
    Gate gate = new Gate(failOn, file.thresholds());
    RuleCatalog catalog = choices.catalog();
    PortOptions options = choices.options(catalog);
    Reporter reporter = since.reporter(console, report, catalog, options, selection.root(), gate);
    Result result =
        new TreeAudit(console, catalog, options, tree, since, report.quiet(), fixes)
            .of("gate", tree.paths(), selection, reporter);
    if (report.format() != ReportForm.TEXT) {
      return reporter.report(result);
    }
    console.out().print(text(result, gate, report.paper(console)));
    console.out().flush();
    return reporter.finish(result);
  }

  private static String text(Result result, Gate gate, Paper paper) {
    Gate.Verdict verdict = gate.judge(result);
    StringBuilder out = new StringBuilder();
    verdict.failing().stream().limit(MOST_SHOWN).forEach(f -> out.append(line(f, paper)));
    if (verdict.failing().size() > MOST_SHOWN) {
      int more = verdict.failing().size() - MOST_SHOWN;
      out.append("and %d more: --report DIR lists all of them%n".formatted(more));
    }
    TextTable table = new TextTable("lrrl", "rules", "allowed", "found", "");
    for (Gate.Count c : verdict.counts()) {
      table.row(
          c.threshold().rules(),
          c.threshold().most(),
          c.findings().size(),
          c.isKept() ? "kept" : "exceeded");
    }
    if (!table.isEmpty()) {
      out.append(table.render(paper, ""));
    }
    boolean unread = Reporter.exitCode(result, verdict) == ExitCode.USAGE;
    String said =
        unread
            ? paper.red("failed") + ": a file could not be read"
            : verdict.failing().isEmpty()
                ? "passed"
                : paper.red("failed")
                    + ": "
                    + TextReport.count(verdict.failing().size(), "finding");
    var baseline = result.baseline();
    String known =
        baseline == null ? "" : "; %s known, %d fixed".formatted(known(result), baseline.fixed());
    return out.append(
            "gate %s (at %s or higher; %s%s)%n"
                .formatted(
                    said,
                    gate.failOn().label(),
                    TextReport.count(result.totals().files(), "file"),
                    known))
        .toString();
  }

  private static long known(Result result) {
    return result.findings().stream().filter(f -> !result.isNew(f)).count();
  }

  private static String line(Finding f, Paper paper) {
    String place = f.line() == 0 ? f.path() : f.path() + ":" + f.line() + ":" + f.column();
    return "%s: %s: %s [%s]%n"
        .formatted(
            TextReport.visible(place),
            paper.severity(f.severity()),
            TextReport.visible(f.message()),
            f.rule());
  }
}
