package dev.rocport.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A requirement of one package on another in PEP 508 form: {@code torch[extra] >=2.4,<3 ; marker}.
 *
 * @param name in its normal form: lower case, dashes
 * @param clauses of the version, such as {@code ==2.4.0}; none for any version
 * @param marker when it holds; empty for always
 */
record Requirement(String name, List<String> clauses, String marker) {
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*([A-Za-z0-9][A-Za-z0-9._-]{0,100})\\s*(?:\\[[^\\]]*\\])?\\s*([^;]*?)\\s*(?:;(.*))?",
          Pattern.DOTALL);
  private static final Pattern CLAUSE =
      Pattern.compile("(===|==|~=|!=|<=|>=|<|>)\\s*([A-Za-z0-9.*+!_-]+)");
  private static final Pattern ELSEWHERE =
      Pattern.compile(
          "(?i)\\bextra\\s*==|(platform_system|sys_platform)\\s*==\\s*['\"](windows|win32|darwin)");

  Requirement {
    clauses = List.copyOf(clauses);
  }

  /** Reads one; empty if it is invalid, or one by a path or an address. */
  static Optional<Requirement> of(String text) {
    Matcher m = FORM.matcher(text);
    if (!m.matches()) {
      return Optional.empty();
    }
    String wanted = m.group(2).replaceAll("[()\\s]", "");
    List<String> clauses = new ArrayList<>();
    for (String part : wanted.split(",", -1)) {
      if (CLAUSE.matcher(part).matches()) {
        clauses.add(part);
      } else if (!part.isEmpty()) {
        return Optional.empty();
      }
    }
    String name = m.group(1).replaceAll("[-_.]+", "-").toLowerCase(Locale.ROOT);
    return Optional.of(
        new Requirement(name, clauses, m.group(3) == null ? "" : m.group(3).strip()));
  }

  /** The versions that it takes, as one text. */
  String wanted() {
    return String.join(",", clauses);
  }

  /** Whether it belongs to an option that is not selected, or to a system other than Linux. */
  boolean isForElsewhere() {
    return ELSEWHERE.matcher(marker).find();
  }

  /** Whether a version satisfies it; true if that is unknown. */
  boolean takes(String version) {
    Optional<Release> there = Release.of(version);
    return there.isEmpty() || clauses.stream().allMatch(c -> takes(c, version, there.get()));
  }

  private static boolean takes(String clause, String version, Release there) {
    Matcher m = CLAUSE.matcher(clause);
    if (!m.matches()) {
      return true;
    }
    String operator = m.group(1);
    String wanted = m.group(2);
    if (operator.equals("===")) {
      return version.equals(wanted);
    }
    if (wanted.endsWith(".*")) {
      Optional<Release> prefix = Release.of(wanted.substring(0, wanted.length() - 2));
      boolean in = prefix.map(there::isIn).orElse(true);
      return operator.equals("!=") ? prefix.isEmpty() || !in : in;
    }
    Optional<Release> other = Release.of(wanted);
    if (other.isEmpty()) {
      return true;
    }
    int order = there.compareTo(other.get());
    // A version without a local part matches all its local builds.
    boolean equal =
        order == 0 && (other.get().local().isEmpty() || other.get().local().equals(there.local()));
    return switch (operator) {
      case "==" -> equal;
      case "!=" -> !equal;
      case ">=" -> order >= 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      case "<" -> order < 0;
      default -> order >= 0 && there.isIn(other.get().parent());
    };
  }
}
