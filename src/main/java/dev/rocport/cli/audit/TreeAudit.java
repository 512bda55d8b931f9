package dev.rocport.cli.audit;

import dev.rocport.assess.PartOfFindings;
import dev.rocport.assess.Phases;
import dev.rocport.assess.ShmemUses;
import dev.rocport.cli.option.TreeChoices;
import dev.rocport.cli.report.Reporter;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.Progress;
import dev.rocport.cli.support.UsageException;
import dev.rocport.core.result.BaselineInfo;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Result;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.git.ChangedLines;
import dev.rocport.port.DecidingTarget;
import dev.rocport.port.FileFixes;
import dev.rocport.port.Porter;
import dev.rocport.port.RenamedSources;
import dev.rocport.port.Target;
import dev.rocport.port.decide.Decisions;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Looks at a tree and writes nothing: what audits and gates have in common. */
final class TreeAudit {
  private final Console console;
  private final RuleCatalog catalog;
  private final PortOptions options;
  private final TreeChoices tree;
  private final SinceChoice since;
  private final boolean quiet;
  private final boolean wantsFixes;

  /**
   * @param since which lines count
   * @param quiet no progress
   * @param wantsFixes keep what a port changes, too
   */
  TreeAudit(
      Console console,
      RuleCatalog catalog,
      PortOptions options,
      TreeChoices tree,
      SinceChoice since,
      boolean quiet,
      boolean wantsFixes) {
    this.console = console;
    this.catalog = catalog;
    this.options = options;
    this.tree = tree;
    this.since = since;
    this.quiet = quiet;
    this.wantsFixes = wantsFixes;
    if (wantsFixes && options.renameSources()) {
      throw new UsageException("--fixes cannot rename files: omit --rename-sources");
    }
  }

  /**
   * What is there and what a port would do.
   *
   * @param command as reports name it
   * @param paths files and folders as given
   */
  Result of(String command, List<Path> paths, TreeSelection selection, Reporter reporter) {
    Porter porter = new Porter(catalog, options, RenamedSources.NONE, tree.jobs(), tree.maxFile());
    SourceTree sources = SourceTree.walk(selection);
    Optional<ChangedLines> changed = since.lines(sources);
    boolean isSame = changed.isPresent() && changed.get().paths().isEmpty();
    // Which phases a tree needs does not follow from some of its lines.
    Optional<Phases> phases =
        changed.isPresent()
            ? Optional.empty()
            : Optional.of(Phases.scan(catalog.phases(), sources));
    ShmemUses shmem = new ShmemUses(porter::cuda);
    FileFixes fixes = new FileFixes();
    List<FileResult> files = List.of();
    if (!isSame) {
      Target target = target(shmem, fixes, changed, decisions(options, selection.root()));
      try (Progress progress = Progress.of(console, quiet)) {
        files = porter.run(sources, target, progress);
      }
    }
    Result assessed = reporter.assess(command, paths, left(files, changed, reporter.known()));
    Result result = changed.isPresent() ? withoutFixed(assessed) : assessed;
    return result
        .with(phases.map(p -> p.of(result)).orElse(List.of()))
        .withShmem(shmem.of(result))
        .withFixes(fixes.all());
  }

  /** Returns the results of changed files, with what they say of changed lines. */
  private static List<FileResult> left(
      List<FileResult> files, Optional<ChangedLines> changed, Set<String> known) {
    return changed.isEmpty()
        ? files
        : files.stream()
            .filter(f -> changed.get().touches(f.path(), 0, 0))
            .map(f -> left(f, changed.get(), known))
            .toList();
  }

  private static FileResult left(FileResult file, ChangedLines changed, Set<String> known) {
    Predicate<Finding> isLeft = f -> changed.touches(file.path(), f.line(), f.endLine());
    return file.with(
        PartOfFindings.of(file.findings(), isLeft, known),
        file.suppressed().stream().filter(s -> isLeft.test(s.finding())).toList());
  }

  /** Findings in lines that were not looked at are not fixed. */
  private static Result withoutFixed(Result result) {
    BaselineInfo info = result.baseline();
    return info == null
        ? result
        : result.with(new BaselineInfo(info.file(), info.known(), info.fresh(), 0));
  }

  private Target target(
      ShmemUses shmem, FileFixes fixes, Optional<ChangedLines> changed, Decisions decisions) {
    LookingTarget looking =
        new LookingTarget(
            changed,
            file -> {
              shmem.look(file.entry(), file.source());
              if (wantsFixes) {
                fixes.look(file);
              }
            });
    return DecidingTarget.onto(looking, decisions);
  }

  /** As a port, an audit of a separate tree follows decisions. */
  static Decisions decisions(PortOptions options, Path root) {
    try {
      return options.style() == PortOptions.Style.HIP ? Decisions.read(root) : Decisions.none();
    } catch (IOException e) {
      throw new UsageException(SourceTree.reason(e));
    }
  }
}
