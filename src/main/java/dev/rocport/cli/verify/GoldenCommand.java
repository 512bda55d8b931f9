package dev.rocport.cli.verify;

import dev.rocport.cli.support.Console;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code rocport golden}: recordings of program results. */
@Command(
    name = "golden",
    mixinStandardHelpOptions = true,
    description = "Records golden vectors on NVIDIA machines, imports, compares and shows them.",
    synopsisSubcommandLabel = "(record | import | compare | show)",
    footer = {
      "",
      "Examples:",
      "  rocport golden record fixtures/saxpy",
      "  rocport golden compare a.safetensors b.safetensors"
    })
public final class GoldenCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** The command with its own commands. */
  public static CommandLine line(Console console) {
    return new CommandLine(new GoldenCommand())
        .addSubcommand(new GoldenRecordCommand(console))
        .addSubcommand(new GoldenImportCommand(console))
        .addSubcommand(new GoldenCompareCommand(console))
        .addSubcommand(new GoldenShowCommand(console));
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "specify record, import, compare or show");
  }
}
