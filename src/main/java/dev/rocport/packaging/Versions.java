package dev.rocport.packaging;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Versions and version specifiers of final releases, as PEP 440 defines them. */
final class Versions {
  private static final Pattern CLAUSE = Pattern.compile("(===|[<>=!~]=|[<>])\\s*([^\\s,]+)");
  private static final Pattern RELEASE = Pattern.compile("v?(\\d+(?:\\.\\d+)*)(.*)");

  private Versions() {}

  /** Compares the numbers; missing ones are 0. */
  static int compare(String a, String b) {
    List<Integer> x = numbers(a);
    List<Integer> y = numbers(b);
    for (int i = 0; i < Math.max(x.size(), y.size()); i++) {
      int c = Integer.compare(i < x.size() ? x.get(i) : 0, i < y.size() ? y.get(i) : 0);
      if (c != 0) {
        return c;
      }
    }
    return 0;
  }

  /**
   * Returns true if a final release meets all clauses; a clause that is not understood is met by
   * none.
   */
  static boolean matches(String release, String spec) {
    for (String part : spec.split(",", -1)) {
      Matcher m = CLAUSE.matcher(part.strip());
      if (part.isBlank()) {
        continue;
      }
      if (!m.matches() || !meets(release, m.group(1), m.group(2).replaceFirst("\\+.*", ""))) {
        return false;
      }
    }
    return true;
  }

  private static boolean meets(String release, String operator, String version) {
    if (version.endsWith(".*")) {
      List<Integer> prefix = numbers(version.substring(0, version.length() - 2));
      List<Integer> is = numbers(release);
      boolean same = is.size() >= prefix.size() && is.subList(0, prefix.size()).equals(prefix);
      return operator.equals("==") ? same : operator.equals("!=") && !same;
    }
    Matcher m = RELEASE.matcher(version);
    if (!m.matches()) {
      return false;
    }
    int c = compare(release, m.group(1));
    boolean early = m.group(2).matches("[._-]?(a|b|c|rc|alpha|beta|pre|preview|dev).*");
    return switch (operator) {
      case "==", "===" -> c == 0 && m.group(2).isEmpty();
      case "!=" -> c != 0 || !m.group(2).isEmpty();
      case ">=" -> c >= 0;
      case "<=" -> early ? c < 0 : c <= 0;
      case ">" -> early ? c >= 0 : c > 0;
      case "<" -> c < 0;
      case "~=" -> {
        List<Integer> n = numbers(m.group(1));
        List<Integer> is = numbers(release);
        yield c >= 0
            && n.size() > 1
            && is.size() >= n.size() - 1
            && is.subList(0, n.size() - 1).equals(n.subList(0, n.size() - 1));
      }
      default -> false;
    };
  }

  private static List<Integer> numbers(String version) {
    List<Integer> list = new ArrayList<>();
    Matcher m = RELEASE.matcher(version);
    if (m.matches()) {
      for (String n : m.group(1).split("\\.", -1)) {
        list.add(n.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(n));
      }
    }
    return list;
  }
}
