package dev.rocport.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code rocport rules}: what rocport knows, and whether it holds. */
@Command(
    name = "rules",
    mixinStandardHelpOptions = true,
    description = "Lists the rules, or runs their examples.",
    synopsisSubcommandLabel = "(list | test | docs)",
    footer = {"", "Examples:", "  rocport rules list", "  rocport rules test"})
final class RulesCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** The command with its own commands. */
  static CommandLine line(Console console) {
    return new CommandLine(new RulesCommand())
        .addSubcommand(new RulesListCommand(console))
        .addSubcommand(new RulesTestCommand(console))
        .addSubcommand(new RulesDocsCommand(console));
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "list, test or docs?");
  }
}
