package dev.rocport.packaging;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The ROCm counterparts of Python packages: {@code packages/python.tsv}. */
final class PackageTable {
  private static final String HEADER = "package\taction\ttarget\tsince\twhy";
  private static final Pattern REPOSITORY =
      Pattern.compile("(?:git\\+|://)[^\\s@#]*/([A-Za-z0-9_.-]+?)(?:\\.git)?(?:[@#\\s]|$)");
  private static final Map<String, List<Row>> EXACT = new HashMap<>();
  private static final List<Row> PATTERNS = new ArrayList<>();

  static {
    for (TsvTable.Row r : BuiltInText.table("packages/python.tsv", HEADER).rows()) {
      Row row =
          new Row(r.cell(0), Action.of(r.cell(1), r.where()), r.cell(2), r.cell(3), r.cell(4));
      if (r.cell(0).contains("*")) {
        PATTERNS.add(row);
      } else {
        EXACT.computeIfAbsent(r.cell(0), n -> new ArrayList<>()).add(row);
      }
    }
    // The longest pattern is the most specific.
    PATTERNS.sort(Comparator.comparingInt((Row r) -> -r.name().length()).thenComparing(Row::name));
  }

  private PackageTable() {}

  /** Action for a package. */
  enum Action {
    SAME,
    CHECK,
    DROP,
    REPLACE,
    ROCM_INDEX,
    MANUAL,
    NONE;

    static Action of(String label, String where) {
      for (Action a : values()) {
        if (a.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-').equals(label)) {
          return a;
        }
      }
      throw new InvalidFileException(where + ": unknown action: " + label);
    }
  }

  /**
   * One row.
   *
   * @param name a normalized name, or a pattern
   * @param target the package that replaces it
   * @param since first ROCm version that it applies to; empty for all
   */
  record Row(String name, Action action, String target, String since, String why) {}

  /** Returns the row of a requirement. */
  static Optional<Row> find(Requirement r, String rocm) {
    String name = r.normal();
    for (String extra : r.extras().replaceAll("[\\[\\]\\s]", "").split(",", -1)) {
      if (!extra.isEmpty()) {
        Optional<Row> row = lookUp(name + "[" + Requirement.normal(extra) + "]", rocm);
        if (row.isPresent()) {
          return row;
        }
      }
    }
    return lookUp(name, rocm);
  }

  private static Optional<Row> lookUp(String name, String rocm) {
    for (Row row : EXACT.getOrDefault(name, List.of())) {
      if (row.since().isEmpty() || Versions.compare(rocm, row.since()) >= 0) {
        return Optional.of(row);
      }
    }
    return PATTERNS.stream().filter(row -> Glob.matches(row.name(), name)).findFirst();
  }

  /**
   * Returns the row of a repository that is installed by its address: rows of its name without
   * hyphens, or marked as {@code git:NAME}; empty unless it needs manual work.
   */
  static Optional<Row> checkout(String text, String rocm) {
    java.util.regex.Matcher m = REPOSITORY.matcher(text);
    if (!m.find()) {
      return Optional.empty();
    }
    String name = Requirement.normal(m.group(1));
    return lookUp("git:" + name, rocm)
        .or(() -> lookUp(name, rocm))
        .or(
            () ->
                EXACT.keySet().stream()
                    .filter(n -> n.replace("-", "").equals(name.replace("-", "")))
                    .sorted()
                    .findFirst()
                    .flatMap(n -> lookUp(n, rocm)))
        .filter(row -> row.action() == Action.MANUAL || row.action() == Action.NONE);
  }

  /** Patterns in which a star matches any characters. */
  static final class Glob {
    private Glob() {}

    static boolean matches(String glob, String name) {
      return Pattern.matches(Pattern.quote(glob).replace("*", "\\E.*\\Q"), name);
    }
  }
}
