package dev.rocport.build.compile;

import java.util.ArrayList;
import java.util.List;

/** Reads and writes dependency rules for make. */
public final class DepFile {
  private DepFile() {}

  /** Returns the prerequisites of the first rule, in order and unescaped. */
  static List<String> prerequisites(String text) {
    List<String> names = new ArrayList<>();
    StringBuilder name = new StringBuilder();
    int n = text.length();
    int at = colon(text) + 1;
    for (int i = at; i < n; i++) {
      char c = text.charAt(i);
      char next = i + 1 < n ? text.charAt(i + 1) : '\n';
      if (c == '\\' && (next == '\n' || next == '\r')) {
        i += next == '\r' && i + 2 < n && text.charAt(i + 2) == '\n' ? 2 : 1;
        flush(name, names);
      } else if (c == '\\' && (next == ' ' || next == '#' || next == '\\')) {
        name.append(next);
        i++;
      } else if (c == '$' && next == '$') {
        name.append('$');
        i++;
      } else if (c == '\n') {
        break;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        flush(name, names);
      } else {
        name.append(c);
      }
    }
    flush(name, names);
    return names;
  }

  /**
   * Returns a rule in make syntax.
   *
   * @param phony adds an empty rule for each prerequisite but the first, so that a removed header
   *     does not stop make
   */
  public static String write(String target, List<String> prerequisites, boolean phony) {
    StringBuilder out = new StringBuilder(target).append(':');
    prerequisites.forEach(p -> out.append(" \\\n  ").append(escape(p)));
    out.append('\n');
    if (phony) {
      prerequisites.stream().skip(1).forEach(p -> out.append(escape(p)).append(":\n"));
    }
    return out.toString();
  }

  private static String escape(String name) {
    return name.replace(" ", "\\ ").replace("#", "\\#").replace("$", "$$");
  }

  private static int colon(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == ':'
          && (i + 1 == text.length() || Character.isWhitespace(text.charAt(i + 1)))) {
        return i;
      }
    }
    return text.length();
  }

  private static void flush(StringBuilder name, List<String> names) {
    if (!name.isEmpty()) {
      names.add(name.toString());
      name.setLength(0);
    }
  }
}
