package dev.rocport.packaging;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The build arguments of a Dockerfile and their defaults. */
final class BuildArguments {
  private static final Pattern VARIABLE =
      Pattern.compile("\\$(?:\\{(\\w+)(?::?-([^}]*))?\\}|(\\w+))");

  static final Pattern ASSIGNMENT =
      Pattern.compile(
          "([A-Za-z_]\\w*)=(\"(?:[^\"\\\\]|\\\\.)*\"|'[^']*'|(?:\\\\[^\\r\\n]|[^\\s\\\\])*)");

  private final String text;
  private final Map<String, String> arguments = new HashMap<>();

  /** The span of the default of an argument. */
  private final Map<String, int[]> defaults = new HashMap<>();

  BuildArguments(String text) {
    this.text = text;
  }

  /** Begins again at the first instruction; the spans stay. */
  void clear() {
    arguments.clear();
  }

  /**
   * Returns the span of the default of the argument that a word consists of, after the start of its
   * instruction; null for other words.
   */
  int @Nullable [] ofWord(String word) {
    Matcher variable = VARIABLE.matcher(word);
    return variable.matches() ? defaults.get(text(variable)) : null;
  }

  void add(DockerInstruction i) {
    Matcher m = ASSIGNMENT.matcher(text.substring(i.body(), i.end()));
    while (m.find()) {
      arguments.putIfAbsent(m.group(1), expand(unquoted(m.group(2))));
      defaults.putIfAbsent(
          m.group(1), new int[] {i.start(), i.body() + m.start(2), i.body() + m.end(2)});
    }
  }

  static String unquoted(String value) {
    return value.matches("(?s)\".*\"|'.*'") ? value.substring(1, value.length() - 1) : value;
  }

  private static String text(Matcher variable) {
    return variable.group(1) == null ? variable.group(3) : variable.group(1);
  }

  /** Substitutes the defaults of arguments; keeps unknown ones. */
  String expand(String value) {
    StringBuilder s = new StringBuilder();
    Matcher m = VARIABLE.matcher(value);
    int at = 0;
    while (m.find()) {
      String name = text(m);
      String known = arguments.get(name);
      known = known == null ? m.group(2) : known;
      s.append(value, at, m.start()).append(known == null ? m.group() : known);
      at = m.end();
    }
    return s.append(value, at, value.length()).toString();
  }
}
