package dev.rocport.cli.verify;

import dev.rocport.cli.support.Console;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code rocport torch}: compiled PyTorch graphs. */
@Command(
    name = "torch",
    mixinStandardHelpOptions = true,
    description = "Captures what torch.compile makes of a script, for AMD GPUs.",
    synopsisSubcommandLabel = "(capture)",
    footer = {
      "",
      "Example:",
      "  rocport torch capture --out captures/train -- python3 train.py --steps 1"
    })
public final class TorchCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** The command with its own commands. */
  public static CommandLine line(Console console) {
    return new CommandLine(new TorchCommand()).addSubcommand(new TorchCaptureCommand(console));
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "specify capture");
  }
}
