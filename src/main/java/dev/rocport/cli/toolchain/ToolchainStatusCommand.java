package dev.rocport.cli.toolchain;

import dev.rocport.cli.option.PageChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code rocport toolchain status}. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Shows the toolchain in use; exits with 3 if there is none.",
    footer = {"", "Examples:", "  rocport toolchain status --format json"})
final class ToolchainStatusCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private PageChoices page;

  ToolchainStatusCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws ToolchainException {
    Toolchain toolchain = ToolchainCommand.installed(console);
    if (page.json()) {
      ToolchainJson.write(console.out(), toolchain);
    } else {
      ToolchainText.write(console.out(), toolchain);
      ToolchainText.writeExtras(console.out(), ToolchainCommand.request());
    }
    return ExitCode.OK.code();
  }
}
