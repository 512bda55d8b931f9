package dev.rocport.cli.verify;

import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.verify.Recordings;
import dev.rocport.verify.VerifyException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rocport golden import}. */
@Command(
    name = "import",
    mixinStandardHelpOptions = true,
    description = {
      "Imports what a bundle recorded. Checks the hashes, the version and the sizes, and that the"
          + " recorded sources match the local fixtures, and then writes golden/ in each fixture."
          + " Writes nothing if any check fails."
    },
    footer = {"", "Examples:", "  rocport golden import recordings.tgz"})
final class GoldenImportCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(paramLabel = "ARCHIVE", description = "The archive that run.sh wrote.")
  private Path archive;

  @Option(
      names = "--into",
      paramLabel = "DIR",
      defaultValue = "fixtures",
      description = "The folder with the fixtures, or one fixture (default: ${DEFAULT-VALUE}).")
  private Path into;

  GoldenImportCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, VerifyException {
    if (!Files.isRegularFile(archive)) {
      throw new UsageException(archive + ": no such file");
    }
    for (Recordings.Taken t : Recordings.take(archive, into)) {
      console
          .err()
          .println("rocport: %s: %d files, %d bytes".formatted(t.fixture(), t.files(), t.bytes()));
    }
    return ExitCode.OK.code();
  }
}
