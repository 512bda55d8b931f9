package dev.rocport.cli.fleet;

import dev.rocport.cli.option.GivenOptions;
import dev.rocport.cli.option.PortChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
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

  @Parameters(
      paramLabel = "SOURCE",
      arity = "1..*",
      description =
          "Folders, archives (.tar, .tar.gz, .tgz), Git URLs, and lists (.txt, .tsv): one source"
              + " a line, then a tab and the team if there is one.")
  private List<String> sources = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      required = true,
      description = "Folder for the tables; all machines of a cluster need it under this path.")
  private Path out;

  @Mixin private SparkChoices cluster;

  @Option(
      names = "--time-limit",
      paramLabel = "SECONDS",
      defaultValue = "600",
      description = "Longest time for one repository (default: ${DEFAULT-VALUE}).")
  private int timeLimit;

  @Option(
      names = "--memory-limit",
      paramLabel = "MB",
      defaultValue = "1024",
      description = "Java heap for one repository, in MiB (default: ${DEFAULT-VALUE}).")
  private int memoryLimit;

  @Option(
      names = "--size-limit",
      paramLabel = "MB",
      defaultValue = "4096",
      description = "Largest content of an archive or a clone, in MiB (default: ${DEFAULT-VALUE}).")
  private int sizeLimit;

  @Option(
      names = "--worker-repositories",
      paramLabel = "N",
      defaultValue = "200",
      description =
          "Repositories that one process audits before a new one replaces it (default:"
              + " ${DEFAULT-VALUE}).")
  private int workerRepositories;

  @Option(
      names = "--max-file",
      paramLabel = "MB",
      defaultValue = "32",
      description = "Largest source file to port, in MiB (default: ${DEFAULT-VALUE}).")
  private int maxFile;

  @Mixin private PortChoices choices;

  @Option(
      names = "--sarif",
      description = "Also write a SARIF report for each repository, beside its tables.")
  private boolean sarif;

  @Option(names = "--retry", description = "Audit the repositories again that failed before.")
  private boolean retry;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no progress.")
  private boolean quiet;

  FleetAuditCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws ToolchainException, IOException, InterruptedException {
    FleetChoices.requireAtLeastOne("--time-limit", timeLimit);
    FleetChoices.requireAtLeastOne("--memory-limit", memoryLimit);
    FleetChoices.requireAtLeastOne("--size-limit", sizeLimit);
    FleetChoices.requireAtLeastOne("--worker-repositories", workerRepositories);
    FleetChoices.requireAtLeastOne("--max-file", maxFile);
    choices.options(choices.catalog());
    return new FleetProgram(console)
        .run(
            g -> {
              g.writeStringProperty("command", "audit");
              g.writeStringProperty("folder", Path.of("").toAbsolutePath().toString());
              g.writeArrayPropertyStart("sources");
              sources.forEach(g::writeString);
              g.writeEndArray();
              g.writeStringProperty("out", out.toAbsolutePath().toString());
              cluster.write(g);
              g.writeNumberProperty("timeLimit", timeLimit);
              g.writeNumberProperty("memoryLimit", memoryLimit);
              g.writeNumberProperty("sizeLimit", sizeLimit);
              g.writeNumberProperty("workerRepositories", workerRepositories);
              g.writeArrayPropertyStart("options");
              options().forEach(g::writeString);
              g.writeEndArray();
              g.writeBooleanProperty("sarif", sarif);
              g.writeBooleanProperty("retry", retry);
              g.writeBooleanProperty("quiet", quiet);
            });
  }

  /** The options of each audit, as given here. */
  private List<String> options() {
    List<String> options = new ArrayList<>(List.of("--max-file=" + maxFile));
    CommandSpec ofPort = Objects.requireNonNull(spec.mixins().get("choices"));
    options.addAll(GivenOptions.of(spec, o -> ofPort.findOption(o.longestName()) != null));
    return options;
  }
}
