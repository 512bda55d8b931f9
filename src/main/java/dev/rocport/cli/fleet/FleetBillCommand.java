package dev.rocport.cli.fleet;

import dev.rocport.cli.option.PortChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rocport fleet bill}: the components of many repositories, as tables. */
@Command(
    name = "bill",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Lists the CUDA components of each repository as 'rocport bill' does, and writes Parquet"
            + " tables. A second run with the same --out continues.",
    footer = {
      "",
      "Examples:",
      "  rocport fleet bill repositories.tsv --out bills && rocport fleet report bills"
    })
final class FleetBillCommand implements Callable<Integer> {
  private final Console console;
  @Mixin private RepositoryChoices repositories;

  @Option(
      names = "--rules",
      paramLabel = "DIR",
      description = "Entries in this folder override the built-in ones.")
  private @Nullable Path rules;

  @Option(
      names = "--hip",
      paramLabel = "VERSION",
      description = "ROCm version to look up packages for (default: that of 'rocport bill').")
  private @Nullable String hip;

  FleetBillCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws ToolchainException, IOException, InterruptedException {
    repositories.requireLimits();
    PortChoices.catalog(rules);
    List<String> options = new ArrayList<>();
    if (rules != null) {
      options.add("--rules=" + rules);
    }
    if (hip != null) {
      options.add("--hip=" + hip);
    }
    return new FleetProgram(console).run(g -> repositories.write(g, "bill", options));
  }
}
