package dev.rocport.cli.fleet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JsonGenerator;

/** The repositories of a fleet, their limits, and the output. */
final class RepositoryChoices {
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
  private String out;

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
      defaultValue = "1000",
      description =
          "Repositories of one process before a new one replaces it (default: ${DEFAULT-VALUE}).")
  private int workerRepositories;

  @Option(
      names = "--max-file",
      paramLabel = "MB",
      defaultValue = "32",
      description = "Largest source file to read, in MiB (default: ${DEFAULT-VALUE}).")
  private int maxFile;

  @Option(names = "--retry", description = "Try the repositories again that failed before.")
  private boolean retry;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no progress.")
  private boolean quiet;

  /** Checks the numbers, and the output. */
  void requireLimits() {
    FleetChoices.folder("--out", out);
    FleetChoices.requireAtLeastOne("--time-limit", timeLimit);
    FleetChoices.requireAtLeastOne("--memory-limit", memoryLimit);
    FleetChoices.requireAtLeastOne("--size-limit", sizeLimit);
    FleetChoices.requireAtLeastOne("--worker-repositories", workerRepositories);
    FleetChoices.requireAtLeastOne("--max-file", maxFile);
  }

  /**
   * Writes the settings of a run.
   *
   * @param command of rocport for each repository
   * @param options of this command, besides the largest file
   */
  void write(JsonGenerator g, String command, List<String> options) {
    g.writeStringProperty("command", command);
    g.writeStringProperty("folder", Path.of("").toAbsolutePath().toString());
    g.writeArrayPropertyStart("sources");
    sources.forEach(g::writeString);
    g.writeEndArray();
    g.writeStringProperty("out", FleetChoices.folder("--out", out).toString());
    cluster.write(g);
    g.writeNumberProperty("timeLimit", timeLimit);
    g.writeNumberProperty("memoryLimit", memoryLimit);
    g.writeNumberProperty("sizeLimit", sizeLimit);
    g.writeNumberProperty("workerRepositories", workerRepositories);
    g.writeArrayPropertyStart("options");
    g.writeString("--max-file=" + maxFile);
    options.forEach(g::writeString);
    g.writeEndArray();
    g.writeBooleanProperty("retry", retry);
    g.writeBooleanProperty("quiet", quiet);
  }
}
