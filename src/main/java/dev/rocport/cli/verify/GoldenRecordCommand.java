package dev.rocport.cli.verify;

import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.Version;
import dev.rocport.verify.Bundle;
import dev.rocport.verify.VerifyException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rocport golden record}. */
@Command(
    name = "record",
    mixinStandardHelpOptions = true,
    description = {
      "Packs fixtures for an NVIDIA machine, which needs no Java. Run tar xzf BUNDLE &&"
          + " rocport-golden/run.sh there:",
      "it builds with nvcc, runs each program twice and packs the result to import here."
    },
    footer = {"", "Examples:", "  rocport golden record fixtures/saxpy fixtures/heat2d"})
final class GoldenRecordCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(paramLabel = "FIXTURE", arity = "1..*", description = "Folders with fixture.yaml.")
  private List<Path> fixtures = new ArrayList<>();

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      defaultValue = "rocport-golden.tar.gz",
      description = "The bundle (default: ${DEFAULT-VALUE}).")
  private Path out;

  GoldenRecordCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, VerifyException {
    int files = Bundle.write(fixtures, Version.current(), out);
    console.err().println("rocport: " + out + ": " + files + " files");
    return ExitCode.OK.code();
  }
}
