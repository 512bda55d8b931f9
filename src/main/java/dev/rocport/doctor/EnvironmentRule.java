package dev.rocport.doctor;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import dev.rocport.io.process.ShellWord;
import dev.rocport.rules.BuiltInText;
import dev.rocport.rules.RuleFilter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A row of {@code rules/doctor/environment.tsv}.
 *
 * @param variable its name
 * @param when for which values
 * @param where {@code any}, {@code rocm}, or architectures of GPUs
 * @param status how bad it is
 * @param action {@code unset}, {@code export VALUE}, {@code drop KEY}; empty where people decide
 * @param why what comes of it
 * @param fix what to do
 */
record EnvironmentRule(
    String variable,
    Condition when,
    String where,
    Status status,
    String action,
    String why,
    String fix) {
  private static final String HEADER = "variable\twhen\twhere\tstatus\tshell\twhy\tfix";
  private static final Pattern NAME = Pattern.compile("[A-Z_][A-Z0-9_]*");
  private static final Pattern ACTION =
      Pattern.compile("|unset|export \\S+|drop [a-z_]+", Pattern.CASE_INSENSITIVE);

  /** The rules that rocport comes with, in their order. */
  static List<EnvironmentRule> builtIn() {
    return BuiltInText.table("doctor/environment.tsv", HEADER).rows().stream()
        .map(EnvironmentRule::of)
        .toList();
  }

  static EnvironmentRule of(TsvTable.Row row) {
    String variable = row.cell(0);
    String action = row.cell(4);
    if (!NAME.matcher(variable).matches() || !ACTION.matcher(action).matches()) {
      throw new InvalidFileException(
          row.where() + ": not a variable, or no such action: " + action);
    }
    if (row.cell(5).isBlank() || row.cell(6).isBlank()) {
      throw new InvalidFileException(row.where() + ": explanation or fix is missing");
    }
    Status status;
    try {
      status = Status.valueOf(row.cell(3).toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new InvalidFileException(row.where() + ": no such status: " + row.cell(3), e);
    }
    return new EnvironmentRule(
        variable,
        Condition.of(row.cell(1), row.where()),
        row.cell(2),
        status,
        action,
        row.cell(5),
        row.cell(6));
  }

  boolean holds(Machine machine, Rocm rocm) {
    boolean here =
        switch (where) {
          case "any" -> true;
          case "rocm" -> rocm.present();
          default -> {
            RuleFilter names = new RuleFilter(List.of(where.split(" ")), List.of());
            yield rocm.architectures().stream().anyMatch(names::allows);
          }
        };
    return here && when.holds(variable, machine, rocm);
  }

  Observation observe(Machine machine) {
    String value = machine.variable(variable);
    String found = machine.isSet(variable) ? (value.isBlank() ? "(blank)" : value) : "not set";
    return new Observation(Section.ENVIRONMENT, variable, status, found, why, fix, shell(value));
  }

  private String shell(String value) {
    String[] words = action.split(" ", 2);
    return switch (words[0]) {
      case "unset" -> "unset " + variable;
      case "export" -> "export " + variable + "=" + words[1];
      case "drop" -> {
        String rest = without(value, words[1]);
        yield rest.isEmpty()
            ? "unset " + variable
            : "export " + variable + "=" + ShellWord.of(rest);
      }
      default -> "";
    };
  }

  /** A list {@code key:value,key:value} without one key. Commas within brackets part nothing. */
  static String without(String list, String key) {
    return Pattern.compile(",(?![^\\[]*\\])")
        .splitAsStream(list)
        .filter(e -> !e.strip().toLowerCase(Locale.ROOT).startsWith(key + ":"))
        .collect(Collectors.joining(","))
        .strip();
  }
}
