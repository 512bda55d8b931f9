package dev.rocport.lang.java;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.BuiltInText;
import dev.rocport.rules.PortOptions.Libs;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Differences that code without headers does not see: functions whose counterpart takes other
 * arguments or structures, and constants with other values. Defined in {@code rules/javahost} and
 * in the rules about arguments.
 */
final class Differences {
  private static final String FUNCTIONS_HEADER = "function\tkind\tsays";
  private static final String CONSTANTS_HEADER = "cuda\tvalue\thip\thip_value";

  /** What differs. */
  enum Kind {
    /** Nothing: the rules about its arguments are for C++ only. */
    SAME,
    /** Arguments: more, fewer, or in another order. */
    ARGUMENTS,
    /** The layout of a structure that an argument points to. */
    STRUCTURE,
    /** The numbers of an enumeration. */
    NUMBERS
  }

  /**
   * What differs for a function.
   *
   * @param says a sentence without the final period
   */
  record Difference(Kind kind, String says) {}

  /**
   * A CUDA constant whose HIP counterpart has another value.
   *
   * @param value CUDA's
   * @param hip the counterpart's name
   * @param hipValue its number
   */
  record Constant(long value, String hip, long hipValue) {}

  private record Row(Pattern function, Difference difference) {}

  private final List<Row> rows = new ArrayList<>();
  private final Map<String, Constant> constants = new HashMap<>();
  private final Map<String, Rule> arguments = new HashMap<>();

  Differences(RuleCatalog catalog, Libs libs) {
    for (TsvTable.Row r : BuiltInText.table("javahost/functions.tsv", FUNCTIONS_HEADER).rows()) {
      try {
        Kind kind = Kind.valueOf(r.cell(1).toUpperCase(Locale.ROOT));
        rows.add(new Row(Pattern.compile(r.cell(0)), new Difference(kind, r.cell(2))));
      } catch (IllegalArgumentException e) {
        throw new InvalidFileException(r.where() + ": " + e.getMessage(), e);
      }
    }
    for (TsvTable.Row r : BuiltInText.table("javahost/constants.tsv", CONSTANTS_HEADER).rows()) {
      constants.put(
          r.cell(0), new Constant(Long.parseLong(r.cell(1)), r.cell(2), Long.parseLong(r.cell(3))));
    }
    String chosen = libs.name().toLowerCase(Locale.ROOT);
    for (Rule rule : catalog.rules()) {
      // Casts, which the kernels' rules add, change nothing in a binary interface.
      if (rule.family().startsWith("arguments/")
          && !rule.family().endsWith("/kernels")
          && (rule.libs().isEmpty() || rule.libs().equals(chosen))) {
        rule.functions().forEach(f -> arguments.putIfAbsent(f, rule));
      }
    }
  }

  /** What differs for the function of this name. */
  Optional<Difference> of(ApiName name) {
    for (Row r : rows) {
      if (r.function().matcher(name.cuda()).matches()) {
        return r.difference().kind() == Kind.SAME ? Optional.empty() : Optional.of(r.difference());
      }
    }
    Rule rule = arguments.get(name.cuda());
    if (rule == null) {
      return Optional.empty();
    }
    String says =
        rule.rewrite().isEmpty()
            ? rule.title()
            : "in C++, "
                + named(rule.match(), name.cuda())
                + " becomes "
                + named(rule.rewrite(), name.hip());
    return Optional.of(new Difference(Kind.ARGUMENTS, says));
  }

  private static String named(String pattern, String function) {
    return pattern.replaceAll("\\$f\\b", function).replace("$", "");
  }

  /** The constant of this name, if its number differs. */
  Optional<Constant> constant(String name) {
    return Optional.ofNullable(constants.get(name));
  }
}
