package dev.rocport.cli.audit;

import dev.rocport.cli.option.PortChoices;
import dev.rocport.cli.option.ProjectConfig;
import dev.rocport.cli.option.ReportChoices;
import dev.rocport.cli.option.TreeChoices;
import dev.rocport.cli.report.Reporter;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.core.result.Gate;
import dev.rocport.core.result.Result;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.io.AtomicFile;
import dev.rocport.render.ReportForm;
import dev.rocport.render.RollUp;
import dev.rocport.render.text.Paper;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code rocport audit}: reports what a port would change and what it would leave; changes no
 * source.
 */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Reports what a port would change, and which manual work it would leave, with an estimate"
            + " of the effort. Changes no source.",
    footer = {
      "",
      "Examples:",
      "  rocport audit .                              what a port of this tree requires",
      "  rocport audit src --report reports           write every format into a folder",
      "  rocport audit --each app lib tools           several repositories, with a summary table",
      "  rocport audit . --only 'PTX-*' --format csv  the remaining PTX only",
      "  rocport audit . --since HEAD                 findings in lines that are not committed",
      "  rocport audit . --fixes --format sarif       for an editor that applies the changes of a"
          + " port"
    })
public final class AuditCommand implements Callable<Integer> {
  private final Console console;
  @Spec private CommandSpec spec;
  @Mixin private TreeChoices tree;
  @Mixin private PortChoices choices;
  @Mixin private ReportChoices report;
  @Mixin private SinceChoice since;
  @Mixin private PartChoices parts;

  @Option(
      names = "--each",
      description =
          "Treat every PATH as a separate repository with its own .rocport.yaml; print one table of"
              + " all repositories; --report DIR gets a folder for each.")
  private boolean each;

  @Option(
      names = "--fixes",
      description =
          "Add a SARIF note for each file that a port changes, with the changes as its fix.")
  private boolean fixes;

  public AuditCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    Path folder = parts.folder();
    if (folder != null) {
      if (each || fixes || since.isGiven()) {
        throw new UsageException("--parts: not with --each, --fixes or --since");
      }
      return configured(tree.selection()).step(folder);
    }
    return each ? repositories() : configured(tree.selection()).run();
  }

  /** This command, with the configuration of a tree before its command line. */
  private AuditCommand configured(TreeSelection selection) {
    AuditCommand configured = new AuditCommand(console);
    return ProjectConfig.apply(configured, selection.root(), ProjectConfig.argsOf(spec))
        ? configured
        : this;
  }

  private int run() {
    TreeSelection selection = tree.selection();
    Reporter reporter = reporter(selection, report.report());
    return reporter.report(audit(tree.paths(), selection, reporter));
  }

  private int step(Path folder) throws IOException {
    TreeSelection selection = tree.selection();
    RuleCatalog catalog = choices.catalog();
    AuditInParts audit =
        new AuditInParts(catalog, choices.options(catalog), tree, folder, selection.root());
    switch (parts.step()) {
      case PLAN -> console.out().println(audit.plan(selection, parts.size()));
      case FACTS -> audit.facts(parts.part());
      case JOIN -> audit.join();
      case FILES -> audit.files(parts.part());
      case REPORT -> {
        Reporter reporter = reporter(selection, report.report());
        Result result = audit.result("audit", reporter);
        return reporter.report(parts.isCopy() ? result.with(result.run().ofCopy()) : result);
      }
    }
    return ExitCode.OK.code();
  }

  private Reporter reporter(TreeSelection selection, @Nullable Path reports) {
    RuleCatalog catalog = choices.catalog();
    PortOptions options = choices.options(catalog);
    report.reportTo(reports);
    Gate gate = new Gate(report.failOn());
    return since.reporter(console, report, catalog, options, selection.root(), gate);
  }

  private Result audit(List<Path> paths, TreeSelection selection, Reporter reporter) {
    RuleCatalog catalog = choices.catalog();
    PortOptions options = choices.options(catalog);
    return new TreeAudit(console, catalog, options, tree, since, report.quiet(), fixes)
        .of("audit", paths, selection, reporter);
  }

  /** Each path by its own configuration, its reports in a folder of its own; then all of them. */
  private int repositories() {
    if (!RollUp.has(report.format())) {
      throw new UsageException(
          "with --each, --format must be text, json, md or csv; --report DIR writes every format");
    }
    Path reports = report.report();
    List<RollUp.Repository> all = new ArrayList<>();
    Set<String> names = new HashSet<>();
    int worst = ExitCode.OK.code();
    for (Path path : tree.paths()) {
      List<Path> one = List.of(path);
      AuditCommand command = configured(tree.selection(one));
      // Its configuration may exclude files.
      TreeSelection selection = command.tree.selection(one);
      String name = name(selection.root(), names);
      Reporter reporter =
          command.reporter(selection, reports == null ? null : reports.resolve(name));
      Result result = command.audit(one, selection, reporter);
      worst = Math.max(worst, reporter.finish(result));
      all.add(RollUp.Repository.of(name, result));
    }
    RollUp rollUp = new RollUp(all);
    rollUp.write(report.format(), report.paper(console), console.out());
    console.out().flush();
    if (reports != null) {
      write(rollUp, reports);
    }
    return worst;
  }

  private static void write(RollUp rollUp, Path reports) {
    try {
      for (ReportForm form : ReportForm.values()) {
        if (RollUp.has(form)) {
          String name = form.file().replace("report", "all");
          AtomicFile.write(reports.resolve(name), out -> rollUp.write(form, Paper.PLAIN, out));
        }
      }
    } catch (IOException e) {
      throw new UsageException("cannot write the report: " + SourceTree.reason(e));
    }
  }

  private static String name(Path root, Set<String> taken) {
    String name = root.getFileName() == null ? "root" : root.getFileName().toString();
    String free = name;
    for (int n = 2; !taken.add(free); n++) {
      free = name + "-" + n;
    }
    return free;
  }
}
