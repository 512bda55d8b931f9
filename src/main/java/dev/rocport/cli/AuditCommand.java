package dev.rocport.cli;

import dev.rocport.assess.Phases;
import dev.rocport.assess.ShmemUses;
import dev.rocport.cuda.CudaPorter;
import dev.rocport.port.Porter;
import dev.rocport.port.RenamedSources;
import dev.rocport.port.Target;
import dev.rocport.report.FileResult;
import dev.rocport.report.Result;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.source.SourceTree;
import dev.rocport.source.TreeSelection;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code rocport audit}: what a port would do and what it would leave; writes nothing there. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Tells what a port would change, what it would leave to people, and how much work that is."
            + " Changes no source.")
final class AuditCommand implements Callable<Integer> {
  private final Console console;
  @Spec private CommandSpec spec;
  @Mixin private TreeChoices tree;
  @Mixin private PortChoices choices;
  @Mixin private ReportChoices report;

  AuditCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    AuditCommand configured = new AuditCommand(console);
    boolean changed =
        ProjectConfig.apply(configured, tree.selection().root(), ProjectConfig.argsOf(spec));
    return (changed ? configured : this).run();
  }

  private int run() {
    TreeSelection selection = tree.selection();
    RuleCatalog catalog = choices.catalog();
    PortOptions options = choices.options(catalog);
    Reporter reporter = Reporter.of(console, report, catalog, options, selection.root());
    Porter porter = new Porter(catalog, options, RenamedSources.NONE, tree.jobs(), tree.maxFile());
    SourceTree sources = SourceTree.walk(selection);
    Phases phases = Phases.scan(catalog.phases(), sources);
    ShmemUses shmem = ShmemUses.scan(new CudaPorter(catalog, options), sources);
    List<FileResult> files;
    try (Progress progress = Progress.of(console, report.quiet())) {
      files = porter.run(sources, Target.NONE, progress);
    }
    Result result = reporter.assess("audit", tree.paths(), files);
    return reporter.report(result.with(phases.of(result)).withShmem(shmem.of(result)));
  }
}
