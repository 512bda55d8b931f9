package dev.rocport.cli.fleet;

import dev.rocport.cli.support.Console;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rocport fleet report}: answers from the tables of an audit of many repositories. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Prints the sums of a fleet: files, PTX by instruction, libraries without a counterpart,"
            + " effort by team, the rules that block most repositories, and failures; of bills:"
            + " components, names without a counterpart, GPUs.",
    footer = {
      "",
      "Examples:",
      "  rocport fleet report fleet-out",
      "  rocport fleet report fleet-out --since fleet-last-month --format json",
      "  rocport fleet report fleet-out --format html > fleet.html"
    })
final class FleetReportCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      paramLabel = "DIR",
      description = "The output of 'rocport fleet audit', 'bill' or 'port'.")
  private String folder;

  @Option(
      names = "--since",
      paramLabel = "OLDDIR",
      description = "Also print what changed since this earlier output.")
  private @Nullable String since;

  @Option(
      names = "--format",
      paramLabel = "text|json|html",
      defaultValue = "text",
      description = "Format of the report (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "10",
      description = "Rows of each table (default: ${DEFAULT-VALUE}).")
  private int top;

  @Mixin private SparkChoices cluster;

  /** Forms of a report. */
  enum Format {
    TEXT,
    JSON,
    HTML
  }

  FleetReportCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws ToolchainException, IOException, InterruptedException {
    FleetChoices.requireAtLeastOne("--top", top);
    Path tables = FleetChoices.folder("fleet report", folder);
    Path old = since == null ? null : FleetChoices.folder("--since", since);
    return new FleetProgram(console)
        .run(
            g -> {
              g.writeStringProperty("command", "report");
              g.writeStringProperty("out", tables.toString());
              g.writeStringProperty("since", old == null ? "" : old.toString());
              g.writeStringProperty("format", format.name().toLowerCase(Locale.ROOT));
              g.writeNumberProperty("top", top);
              cluster.write(g);
            });
  }
}
