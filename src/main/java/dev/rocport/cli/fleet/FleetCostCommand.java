package dev.rocport.cli.fleet;

import dev.rocport.cli.support.Console;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rocport fleet cost}: what repositories cost, by the tables of earlier runs. */
@Command(
    name = "cost",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Fits the processor time and the size of the tables of each repository to the bytes of its"
            + " files by language, and predicts those of another fleet.",
    footer = {
      "",
      "Examples:",
      "  rocport fleet cost fleet-out --repositories 10000 --size 10000000"
    })
final class FleetCostCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      paramLabel = "DIR",
      arity = "1..*",
      description = "Outputs of 'rocport fleet audit', or of 'rocport fleet port'.")
  private List<String> folders = new ArrayList<>();

  @Option(
      names = "--check",
      paramLabel = "DIR",
      description = "Compare with this output, which the model is not fitted to.")
  private List<String> checks = new ArrayList<>();

  @Option(
      names = "--repositories",
      paramLabel = "N",
      description = "Predict a fleet of N repositories; requires --size.")
  private long repositories;

  @Option(names = "--size", paramLabel = "GB", description = "Size of this fleet, in 10^9 bytes.")
  private long gigabytes;

  @Option(
      names = "--format",
      paramLabel = "text|json|html",
      defaultValue = "text",
      description = "Format of the report (default: ${DEFAULT-VALUE}).")
  private FleetReportCommand.Format format;

  FleetCostCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws ToolchainException, IOException, InterruptedException {
    if (repositories != 0 || gigabytes != 0) {
      FleetChoices.requireAtLeastOne("--repositories", repositories);
      FleetChoices.requireAtLeastOne("--size", gigabytes);
    }
    List<Path> fitted = folders.stream().map(f -> FleetChoices.folder("fleet cost", f)).toList();
    List<Path> others = checks.stream().map(f -> FleetChoices.folder("--check", f)).toList();
    return new FleetProgram(console)
        .run(
            g -> {
              g.writeStringProperty("command", "cost");
              g.writeArrayPropertyStart("outs");
              fitted.forEach(f -> g.writeString(f.toString()));
              g.writeEndArray();
              g.writeArrayPropertyStart("checks");
              others.forEach(f -> g.writeString(f.toString()));
              g.writeEndArray();
              g.writeNumberProperty("repositories", repositories);
              g.writeNumberProperty("gigabytes", gigabytes);
              g.writeStringProperty("format", format.name().toLowerCase(Locale.ROOT));
            });
  }
}
