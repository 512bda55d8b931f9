package dev.rocport.cli.fleet;

import dev.rocport.cli.option.GivenOptions;
import dev.rocport.cli.option.PortChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.UsageException;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code rocport fleet audit}: audits many repositories and writes tables. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Audits each repository as 'rocport audit' does, and writes Parquet tables. A repository"
            + " that cannot be audited becomes a row with the reason. A second run with the same"
            + " --out continues.",
    footer = {
      "",
      "Examples:",
      "  rocport fleet audit repositories.tsv --out fleet-out",
      "  rocport fleet audit a b.tar.gz https://example.org/c.git --out fleet-out",
      "  rocport fleet audit repositories.tsv --master spark://host:7077 --out /shared/fleet-out"
    })
final class FleetAuditCommand implements Callable<Integer> {
  private final Console console;
  @Spec private CommandSpec spec;
  @Mixin private RepositoryChoices repositories;
  @Mixin private PortChoices choices;

  @Option(
      names = "--split-above",
      paramLabel = "MB",
      defaultValue = "64",
      description = {
        "Audit a repository with more content in parts, each a task of its own, in MiB (default:",
        "${DEFAULT-VALUE}; 0: never). The results are the same."
      })
  private int splitAbove;

  @Option(
      names = "--sarif",
      description = "Also write a SARIF report for each repository, beside its tables.")
  private boolean sarif;

  FleetAuditCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws ToolchainException, IOException, InterruptedException {
    repositories.requireLimits();
    if (splitAbove < 0) {
      throw new UsageException("--split-above must be 0 or more, not " + splitAbove);
    }
    choices.options(choices.catalog());
    List<String> options = GivenOptions.ofMixin(spec, "choices");
    return new FleetProgram(console)
        .run(
            g -> {
              repositories.write(g, "audit", options);
              g.writeNumberProperty("splitAbove", splitAbove);
              g.writeBooleanProperty("sarif", sarif);
            });
  }
}
