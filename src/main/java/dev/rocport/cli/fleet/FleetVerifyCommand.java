package dev.rocport.cli.fleet;

import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.UsageException;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.verify.matrix.Matrix;
import dev.rocport.verify.matrix.MatrixFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rocport fleet verify}: runs the cells of a verification. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Runs the cells that 'rocport verify --matrix' prints, each as a task. A second run with"
            + " the same --out runs those that have no result. 'rocport verify --merge' reports the"
            + " results.",
    footer = {
      "",
      "Examples:",
      "  rocport verify fixtures --runs 4 --matrix > matrix.json",
      "  rocport fleet verify matrix.json --master spark://host:7077 --out /shared/cells"
    })
final class FleetVerifyCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(paramLabel = "FILE", description = "The output of 'rocport verify --matrix'.")
  private Path file;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      required = true,
      description = "Folder for results and builds; all machines need it under this path.")
  private String out;

  @Mixin private SparkChoices cluster;

  @Option(
      names = "--time-limit",
      paramLabel = "SECONDS",
      defaultValue = "3600",
      description = "Longest time for one cell, with its build (default: ${DEFAULT-VALUE}).")
  private int timeLimit;

  @Option(
      names = "--memory-limit",
      paramLabel = "MB",
      defaultValue = "1024",
      description = "Java heap for one cell, in MiB (default: ${DEFAULT-VALUE}).")
  private int memoryLimit;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no progress.")
  private boolean quiet;

  FleetVerifyCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws ToolchainException, IOException, InterruptedException {
    FleetChoices.requireAtLeastOne("--time-limit", timeLimit);
    FleetChoices.requireAtLeastOne("--memory-limit", memoryLimit);
    if (!Files.isRegularFile(file)) {
      throw new UsageException(file + ": no such file");
    }
    Matrix matrix = Matrix.read(file);
    Path folder = FleetChoices.folder("--out", out);
    new MatrixFolder(folder).begin(matrix);
    return new FleetProgram(console)
        .run(
            g -> {
              g.writeStringProperty("command", "verify");
              g.writeStringProperty("folder", matrix.folder());
              g.writeArrayPropertyStart("arguments");
              matrix.arguments().forEach(g::writeString);
              g.writeEndArray();
              g.writeArrayPropertyStart("cells");
              matrix.spread().forEach(c -> g.writeString(c.id()));
              g.writeEndArray();
              g.writeStringProperty("out", folder.toString());
              cluster.write(g);
              g.writeNumberProperty("timeLimit", timeLimit);
              g.writeNumberProperty("memoryLimit", memoryLimit);
              g.writeBooleanProperty("quiet", quiet);
            });
  }
}
