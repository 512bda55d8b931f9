package dev.rocport.cli.support;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.TypeConversionException;

/** Enum constants as the command line spells them: lower case with dashes. */
public final class EnumLabels {
  private EnumLabels() {}

  /** Makes a command and those below it read their options that way. */
  public static CommandLine on(CommandLine line) {
    for (ArgSpec arg : line.getCommandSpec().args()) {
      Class<?> type = arg.type();
      if (type.isEnum()) {
        register(line, type);
      }
    }
    line.getSubcommands().values().forEach(EnumLabels::on);
    return line;
  }

  private static <E> void register(CommandLine line, Class<E> type) {
    line.registerConverter(type, value -> convert(type, value));
  }

  private static <E> E convert(Class<E> type, String value) {
    E[] all = type.getEnumConstants();
    for (E constant : all) {
      if (label(constant).equals(value)) {
        return constant;
      }
    }
    String known = Arrays.stream(all).map(EnumLabels::label).collect(Collectors.joining(", "));
    throw new TypeConversionException("'" + value + "' is not one of " + known);
  }

  private static String label(Object constant) {
    return constant.toString().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
