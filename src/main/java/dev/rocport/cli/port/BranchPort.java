package dev.rocport.cli.port;

import dev.rocport.assess.Phases;
import dev.rocport.cli.option.ReportChoices;
import dev.rocport.cli.option.TreeChoices;
import dev.rocport.cli.report.Reporter;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.Progress;
import dev.rocport.cli.support.UsageException;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Result;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.git.FileChange;
import dev.rocport.git.GitException;
import dev.rocport.git.GitFolder;
import dev.rocport.git.PortBranch;
import dev.rocport.io.TemporaryFolder;
import dev.rocport.port.OutputNames;
import dev.rocport.port.Porter;
import dev.rocport.port.RenamedSources;
import dev.rocport.port.ShimHeaders;
import dev.rocport.port.Step;
import dev.rocport.port.StepTarget;
import dev.rocport.port.Target;
import dev.rocport.render.ReportForm;
import dev.rocport.render.text.TextReport;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.UnaryOperator;

/**
 * {@code port --branch}: ports the commit that is checked out, and writes the port as commits of a
 * branch. The files are those of the commit, so changes that are not committed do not matter.
 */
final class BranchPort {
  private final Console console;
  private final TreeChoices tree;
  private final ReportChoices report;
  private final RuleCatalog catalog;
  private final PortOptions options;
  private final UnaryOperator<Target> changed;

  /**
   * @param changed what comments and decisions make of a target
   */
  BranchPort(
      Console console,
      TreeChoices tree,
      ReportChoices report,
      RuleCatalog catalog,
      PortOptions options,
      UnaryOperator<Target> changed) {
    this.console = console;
    this.tree = tree;
    this.report = report;
    this.catalog = catalog;
    this.options = options;
    this.changed = changed;
  }

  /**
   * @param branch its name
   */
  int run(String branch) throws IOException {
    long start = System.nanoTime();
    TreeSelection selection = tree.selection();
    if (tree.paths().size() != 1 || !Files.isDirectory(tree.paths().getFirst())) {
      throw new UsageException("--branch requires one folder as PATH");
    }
    Path root = selection.root();
    Reporter reporter = Reporter.of(console, report, catalog, options, root);
    try (GitFolder git = GitFolder.around(root);
        TemporaryFolder copy = TemporaryFolder.create("rocport-branch-")) {
      PortBranch target = PortBranch.of(git, branch, root);
      target.export(copy.path());
      SourceTree files =
          SourceTree.walk(
              TreeSelection.of(List.of(copy.path()))
                  .with(selection.include(), selection.exclude()));
      RenamedSources renamed =
          options.renameSources() ? RenamedSources.of(files) : RenamedSources.NONE;
      StepTarget steps =
          new StepTarget(
              copy.path(), ShimHeaders.ofHome(), OutputNames.of(renamed.names()), catalog);
      Phases phases = Phases.scan(catalog.phases(), files);
      List<FileResult> results = new ArrayList<>();
      try (Progress progress = Progress.of(console, report.quiet())) {
        Porter porter = new Porter(catalog, options, renamed, tree.jobs(), tree.maxFile());
        results.addAll(porter.run(files, changed.apply(steps), progress));
      }
      results.sort(Comparator.comparing(FileResult::path));
      Result assessed = reporter.assess("port", tree.paths(), results);
      Result result = assessed.with(phases.of(assessed));
      List<PortBranch.Written> written = commit(target, steps.finish(), result);
      if (report.format() != ReportForm.TEXT) {
        reporter.print(result);
      }
      PortReport.print(console, report, result, false, System.nanoTime() - start);
      if (!report.quiet()) {
        print(branch, target, written);
      }
      return reporter.finish(result);
    } catch (GitException e) {
      throw new UsageException("--branch " + branch + ": " + e.getMessage());
    }
  }

  private List<PortBranch.Written> commit(
      PortBranch target, Map<Step, SortedMap<String, StepTarget.Kept>> steps, Result result)
      throws IOException {
    StepMessages messages = new StepMessages(catalog, result, target.commit());
    List<PortBranch.Part> parts = new ArrayList<>();
    for (Map.Entry<Step, SortedMap<String, StepTarget.Kept>> step : steps.entrySet()) {
      List<FileChange> changes = new ArrayList<>();
      step.getValue()
          .forEach((path, kept) -> changes.add(new FileChange(path, kept.content(), kept.like())));
      parts.add(new PortBranch.Part(messages.of(step.getKey()), changes));
    }
    return target.commit(parts, messages.merge());
  }

  private void print(String branch, PortBranch target, List<PortBranch.Written> written) {
    if (written.isEmpty()) {
      console
          .err()
          .println(
              target.exists()
                  ? "branch %s is a port of %s already".formatted(branch, target.commit())
                  : "nothing to port in " + target.commit() + ": no branch was made");
      return;
    }
    console
        .err()
        .println(
            "branch %s: %s, a port of %s"
                .formatted(branch, TextReport.count(written.size(), "commit"), target.commit()));
    for (PortBranch.Written w : written) {
      String files = w.files() == 0 ? "" : " (" + TextReport.count(w.files(), "file") + ")";
      console.err().println("  " + w.id() + " " + w.title() + files);
    }
  }
}
