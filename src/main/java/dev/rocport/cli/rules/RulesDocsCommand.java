package dev.rocport.cli.rules;

import dev.rocport.cli.option.RuleChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code rocport rules docs}: what is ported, as a page. */
@Command(
    name = "docs",
    mixinStandardHelpOptions = true,
    description = "Prints what is and is not ported, as Markdown.",
    footer = {"", "Examples:", "  rocport rules docs > docs/support.md"})
final class RulesDocsCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private RuleChoices choices;

  RulesDocsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    console.out().print(SupportPage.of(choices.catalog()));
    console.out().flush();
    return ExitCode.OK.code();
  }
}
