package dev.rocport.cli.audit;

import dev.rocport.assess.Phases;
import dev.rocport.assess.ShmemUses;
import dev.rocport.cli.option.TreeChoices;
import dev.rocport.cli.report.Reporter;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.Progress;
import dev.rocport.cli.support.UsageException;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Result;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.port.DecidingTarget;
import dev.rocport.port.FileFixes;
import dev.rocport.port.PortedFile;
import dev.rocport.port.Porter;
import dev.rocport.port.RenamedSources;
import dev.rocport.port.Target;
import dev.rocport.port.decide.Decisions;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Looks at a tree and writes nothing: what audits and gates have in common. */
final class TreeAudit {
  private final Console console;
  private final RuleCatalog catalog;
  private final PortOptions options;
  private final TreeChoices tree;
  private final boolean quiet;
  private final boolean wantsFixes;

  /**
   * @param quiet no progress
   * @param wantsFixes keep what a port changes, too
   */
  TreeAudit(
      Console console,
      RuleCatalog catalog,
      PortOptions options,
      TreeChoices tree,
      boolean quiet,
      boolean wantsFixes) {
    this.console = console;
    this.catalog = catalog;
    this.options = options;
    this.tree = tree;
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
    Phases phases = Phases.scan(catalog.phases(), sources);
    ShmemUses shmem = new ShmemUses(porter.cuda());
    FileFixes fixes = new FileFixes();
    List<FileResult> files;
    Target target = target(shmem, fixes, decisions(selection.root()));
    try (Progress progress = Progress.of(console, quiet)) {
      files = porter.run(sources, target, progress);
    }
    Result result = reporter.assess(command, paths, files);
    return result.with(phases.of(result)).withShmem(shmem.of(result)).withFixes(fixes.all());
  }

  /** As a port, an audit of a separate tree follows decisions. */
  private Decisions decisions(Path root) {
    try {
      return options.style() == PortOptions.Style.HIP ? Decisions.read(root) : Decisions.none();
    } catch (IOException e) {
      throw new UsageException(SourceTree.reason(e));
    }
  }

  /** Writes nothing, and shows what was read. */
  private Target target(ShmemUses shmem, FileFixes fixes, Decisions decisions) {
    Target looking = looking(shmem, fixes);
    return decisions.isEmpty() ? looking : new DecidingTarget(looking, decisions);
  }

  private Target looking(ShmemUses shmem, FileFixes fixes) {
    return new Target() {
      @Override
      public FileResult ported(PortedFile file) {
        shmem.look(file.entry(), file.source());
        if (wantsFixes) {
          fixes.look(file);
        }
        return file.result();
      }
    };
  }
}
