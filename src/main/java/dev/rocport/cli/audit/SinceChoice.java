package dev.rocport.cli.audit;

import dev.rocport.assess.InlineSuppressions;
import dev.rocport.cli.option.ReportChoices;
import dev.rocport.cli.report.Reporter;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.UsageException;
import dev.rocport.core.result.Gate;
import dev.rocport.core.source.SourceTree;
import dev.rocport.git.ChangedLines;
import dev.rocport.git.GitFolder;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.RuleFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --since}: a report on changed lines only. */
final class SinceChoice {
  @Option(
      names = "--since",
      paramLabel = "REV",
      description = {
        "Report only findings in lines that differ from this commit: staged, not staged, or in",
        "files that git does not know yet. REV... stands for the merge base of REV and HEAD."
      })
  private @Nullable String since;

  boolean isGiven() {
    return since != null;
  }

  /** Returns the evaluation of the findings. */
  Reporter reporter(
      Console console,
      ReportChoices report,
      RuleCatalog catalog,
      PortOptions options,
      Path root,
      Gate gate) {
    if (since != null && report.writeBaseline() != null) {
      throw new UsageException("--write-baseline requires all findings of the tree: omit --since");
    }
    SortedMap<String, String> described = Reporter.describe(options);
    RuleFilter filter = options.filter();
    if (since != null) {
      described.put("since", since);
      // What suppresses a finding in a line that has not changed is in use.
      filter = filter.without(InlineSuppressions.UNUSED);
    }
    return new Reporter(console, report, catalog, filter, described, root, gate);
  }

  /**
   * Returns the changed lines of a tree; empty without {@code --since}.
   *
   * @throws UsageException if the tree is in no repository, or there is no such commit
   */
  Optional<ChangedLines> lines(SourceTree tree) {
    if (since == null) {
      return Optional.empty();
    }
    try (GitFolder git = GitFolder.around(tree.root())) {
      return Optional.of(git.since(since, tree.root(), tree.entries()));
    } catch (IOException e) {
      throw new UsageException("--since " + since + ": " + SourceTree.reason(e));
    }
  }
}
