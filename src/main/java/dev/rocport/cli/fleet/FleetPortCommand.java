package dev.rocport.cli.fleet;

import dev.rocport.cli.option.GivenOptions;
import dev.rocport.cli.option.PortChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.UsageException;
import dev.rocport.rules.PortOptions;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code rocport fleet port}: ports many repositories and writes tables. */
@Command(
    name = "port",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Ports each repository as 'rocport port' does: into DIR/data/repository=NAME/_tree, with"
            + " the tables of 'fleet audit' beside it. Changes no source. A second run with the"
            + " same --out continues.",
    footer = {
      "",
      "Examples:",
      "  rocport fleet port repositories.tsv --out ported",
      "  rocport fleet port repositories.tsv --out ported --style single-source"
    })
final class FleetPortCommand implements Callable<Integer> {
  private final Console console;
  @Spec private CommandSpec spec;
  @Mixin private RepositoryChoices repositories;
  @Mixin private PortChoices choices;

  @Option(
      names = "--annotate",
      description = "Mark the lines that need work or a review with a comment.")
  private boolean annotate;

  @Option(
      names = "--sarif",
      description = "Also write a SARIF report for each repository, beside its tables.")
  private boolean sarif;

  FleetPortCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws ToolchainException, IOException, InterruptedException {
    repositories.requireLimits();
    PortOptions port = choices.options(choices.catalog());
    if (annotate && port.style() != PortOptions.Style.HIP) {
      throw new UsageException(
          "--annotate requires --style hip: in one tree for both platforms, a file without its"
              + " gates must be the original");
    }
    List<String> options = GivenOptions.ofMixin(spec, "choices");
    if (annotate) {
      options.add("--annotate");
    }
    return new FleetProgram(console)
        .run(
            g -> {
              repositories.write(g, "port", options);
              g.writeBooleanProperty("sarif", sarif);
            });
  }
}
