package dev.rocport.cli.rules;

import dev.rocport.cli.support.Console;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code rocport rules}: lists and tests the rules. */
@Command(
    name = "rules",
    mixinStandardHelpOptions = true,
    description = "Lists, starts and tests rules, or checks their names in HIP headers.",
    synopsisSubcommandLabel = "(list | new | test | headers | docs | schema)",
    footer = {"", "Examples:", "  rocport rules list", "  rocport rules test"})
public final class RulesCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** The command with its own commands. */
  public static CommandLine line(Console console) {
    return new CommandLine(new RulesCommand())
        .addSubcommand(new RulesListCommand(console))
        .addSubcommand(new RulesNewCommand(console))
        .addSubcommand(new RulesTestCommand(console))
        .addSubcommand(new RulesHeadersCommand(console))
        .addSubcommand(new RulesDocsCommand(console))
        .addSubcommand(new RulesSchemaCommand(console));
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "specify list, new, test, headers, docs or schema");
  }
}
