package dev.rocport.cli.rules;

import dev.rocport.cli.option.ConfigSchema;
import dev.rocport.cli.option.RuleChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code rocport rules schema}: the schema by which an editor completes {@code .rocport.yaml}. */
@Command(
    name = "schema",
    mixinStandardHelpOptions = true,
    description = "Prints the JSON schema of .rocport.yaml with the ids of all rules, for editors.",
    footer = {"", "Examples:", "  rocport rules schema > .rocport.schema.json"})
final class RulesSchemaCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private RuleChoices choices;

  RulesSchemaCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    console.out().println(ConfigSchema.of(choices.catalog()));
    return ExitCode.OK.code();
  }
}
