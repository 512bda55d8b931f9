package dev.rocport.doctor;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import dev.rocport.rules.RuleFilter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

/**
 * A row of {@code rules/doctor/python-conflicts.tsv}.
 *
 * @param names packages, with {@code *} for any characters
 * @param version over the version that is installed or asked for
 * @param with holds only where one of these is installed too; empty for always
 * @param installed how bad it is where it is installed; empty for not at all
 * @param pinned how bad it is where a project asks for it; empty for not at all
 * @param why what comes of it
 * @param fix what to do
 */
record PackageRule(
    RuleFilter names,
    Pattern version,
    List<String> with,
    Optional<Status> installed,
    Optional<Status> pinned,
    String why,
    String fix) {
  private static final String HEADER = "package\tversion\twith\tinstalled\tpinned\twhy\tfix";
  private static final Pattern NAMES = Pattern.compile("[a-z0-9-]*\\*?( [a-z0-9-]+\\*?)*");

  static List<PackageRule> builtIn() {
    return BuiltInText.table("doctor/python-conflicts.tsv", HEADER).rows().stream()
        .map(PackageRule::of)
        .toList();
  }

  static PackageRule of(TsvTable.Row row) {
    if (!NAMES.matcher(row.cell(0)).matches() || row.cell(5).isBlank() || row.cell(6).isBlank()) {
      throw new InvalidFileException(
          row.where() + ": requires package names, an explanation and a fix");
    }
    try {
      return new PackageRule(
          new RuleFilter(words(row.cell(0)), List.of()),
          Pattern.compile(row.cell(1)),
          words(row.cell(2)),
          status(row.cell(3)),
          status(row.cell(4)),
          row.cell(5),
          row.cell(6));
    } catch (PatternSyntaxException e) {
      throw new InvalidFileException(row.where() + ": " + e.getDescription(), e);
    } catch (IllegalArgumentException e) {
      throw new InvalidFileException(row.where() + ": no such status", e);
    }
  }

  /** A regular expression over {@code name==version} of every package that some rule may name. */
  static String anyOf(List<PackageRule> rules) {
    String names =
        rules.stream()
            .flatMap(r -> r.names().only().stream())
            .filter(n -> !n.equals("*"))
            .distinct()
            .map(n -> n.replace("*", ".*"))
            .collect(Collectors.joining("|"));
    return "(" + names + "|torch|(pytorch-)?triton.*)==|.*\\+.*cu\\d";
  }

  boolean isInstalled(Installed p, Predicate<String> others) {
    return installed.isPresent()
        && names.allows(p.name())
        && version.matcher(p.version()).find()
        && (with.isEmpty() || with.stream().anyMatch(others));
  }

  boolean isPinned(Requirement r) {
    return pinned.isPresent()
        && with.isEmpty()
        && names.allows(r.name())
        && version.matcher(r.wanted()).find();
  }

  private static List<String> words(String cell) {
    return cell.isEmpty() ? List.of() : List.of(cell.split(" "));
  }

  private static Optional<Status> status(String cell) {
    return cell.isEmpty()
        ? Optional.empty()
        : Optional.of(Status.valueOf(cell.toUpperCase(Locale.ROOT)));
  }
}
