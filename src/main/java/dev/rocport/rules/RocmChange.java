package dev.rocport.rules;

import dev.rocport.core.result.Versions;

/**
 * A difference between HIP versions: one row of {@code rocm/changes.tsv}.
 *
 * @param name a HIP name; a star stands for any characters
 * @param since the HIP version from which on it holds
 * @param now the name from then on, with a star for what the star of {@code name} stands for;
 *     {@code -} if there is none; empty if it is the same
 * @param where the uses that the difference concerns
 * @param before how earlier versions differ from CUDA; empty if they do not
 * @param after what code must mind from {@code since} on; empty if nothing
 */
public record RocmChange(
    String name, String since, String now, Where where, String before, String after) {
  /** Uses of a name that a difference concerns. */
  public enum Where {
    ANYWHERE,
    /** Only those after a call of the runtime that is not followed by a launch. */
    AFTER_CALL;

    static Where of(String label) {
      return switch (label) {
        case "" -> ANYWHERE;
        case "after-call" -> AFTER_CALL;
        default -> throw new IllegalArgumentException("no such place: " + label);
      };
    }
  }

  private static final String NONE = "-";

  /** The first line of the table. */
  static final String HEADER = "name\tsince\tnow\twhere\tbefore\tafter";

  /**
   * A row.
   *
   * @throws IllegalArgumentException if it says nothing, or its stars do not fit
   */
  public RocmChange {
    if (!since.matches("\\d+\\.\\d+")) {
      throw new IllegalArgumentException("'since' is a version such as 7.0");
    }
    if (stars(name) > 1 || (!now.isEmpty() && !now.equals(NONE) && stars(now) != stars(name))) {
      throw new IllegalArgumentException("a name has at most one star, and so has its new name");
    }
    if (now.isEmpty() && before.isEmpty() && after.isEmpty()) {
      throw new IllegalArgumentException("a row has a new name, 'before' or 'after'");
    }
  }

  private static int stars(String text) {
    return (int) text.chars().filter(c -> c == '*').count();
  }

  /** Whether it holds for this HIP version. */
  public boolean holds(String hip) {
    return Versions.compare(since, hip) <= 0;
  }

  /** Whether the row is about this name. */
  boolean matches(String text) {
    int star = name.indexOf('*');
    if (star < 0) {
      return name.equals(text);
    }
    int end = name.length() - star - 1;
    return text.length() > star + end
        && text.startsWith(name.substring(0, star))
        && text.endsWith(name.substring(star + 1));
  }

  /** The new name of a name that the row is about; empty if there is none. */
  String renamed(String text) {
    if (now.equals(NONE)) {
      return "";
    }
    int star = name.indexOf('*');
    if (now.isEmpty() || star < 0) {
      return now.isEmpty() ? text : now;
    }
    return now.replace("*", text.substring(star, text.length() - (name.length() - star - 1)));
  }

  /** What to say about the name in a port to this HIP version; empty for nothing. */
  public String difference(String hip) {
    return holds(hip) ? after : before;
  }
}
