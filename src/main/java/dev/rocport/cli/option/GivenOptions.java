package dev.rocport.cli.option;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

  /**
   * Returns the same of the options of a mixin.
   *
   * @param name the field of the mixin
   */
  public static List<String> ofMixin(CommandSpec spec, String name) {
    return of(spec, inMixin(spec, name));
  }

  /** Returns whether an option is one of a mixin. */
  public static Predicate<OptionSpec> inMixin(CommandSpec spec, String name) {
    CommandSpec mixin = Objects.requireNonNull(spec.mixins().get(name));
    return o -> mixin.findOption(o.longestName()) != null;
  }
}
