package dev.rocport.cli.option;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Options that were given, as arguments for another command line. */
public final class GivenOptions {
  private GivenOptions() {}

  /**
   * Returns the options that the current command line gives, in the order of the command.
   *
   * @param wanted whether an option is one of them
   */
  public static List<String> of(CommandSpec spec, Predicate<OptionSpec> wanted) {
    List<String> arguments = new ArrayList<>();
    for (OptionSpec option : spec.options()) {
      if (wanted.test(option) && spec.commandLine().getParseResult().hasMatchedOption(option)) {
        for (String value : option.stringValues()) {
          boolean flag = option.arity().max() == 0;
          arguments.add(flag ? option.longestName() : option.longestName() + "=" + value);
        }
      }
    }
    return arguments;
  }
}
