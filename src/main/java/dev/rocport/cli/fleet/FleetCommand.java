package dev.rocport.cli.fleet;

import dev.rocport.cli.support.Console;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code rocport fleet}: many repositories, on Apache Spark. */
@Command(
    name = "fleet",
    mixinStandardHelpOptions = true,
    description =
        "Audits and ports many repositories, lists their components, and runs verifications, on"
            + " Apache Spark.",
    synopsisSubcommandLabel = "(audit | bill | port | report | cost | verify)",
    footer = {
      "",
      "Examples:",
      "  rocport fleet audit repositories.tsv --out fleet-out",
      "  rocport fleet report fleet-out",
      "  rocport fleet verify matrix.json --out cells"
    })
public final class FleetCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** The command with its own commands. */
  public static CommandLine line(Console console) {
    return new CommandLine(new FleetCommand())
        .addSubcommand(new FleetAuditCommand(console))
        .addSubcommand(new FleetBillCommand(console))
        .addSubcommand(new FleetPortCommand(console))
        .addSubcommand(new FleetReportCommand(console))
        .addSubcommand(new FleetCostCommand(console))
        .addSubcommand(new FleetVerifyCommand(console));
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "specify audit, bill, port, report, cost or verify");
  }
}
