package dev.rocport.cli;

import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.Toolchains;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rocport toolchain status}. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Shows the toolchain in use; exits with 3 where there is none.")
final class ToolchainStatusCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--format",
      paramLabel = "text|json",
      defaultValue = "text",
      converter = ReportChoices.FormatName.class,
      description = "Form of the output.")
  private ReportChoices.Format format;

  ToolchainStatusCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws ToolchainException {
    Toolchain toolchain =
        Toolchains.require(
            ToolchainCommand.request().withoutProvisioning(),
            ToolchainCommand.progress(console, false));
    switch (format) {
      case TEXT -> ToolchainText.write(console.out(), toolchain);
      case JSON -> ToolchainJson.write(console.out(), toolchain);
      case MD -> throw new UsageException("toolchain status writes text or json");
    }
    return ExitCode.OK.code();
  }
}
