package dev.rocport.build.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sources that makefiles, scripts and other builds pass to a program such as {@code xxd}, which
 * turns them into text of a program.
 */
final class MakeEmbedding {
  private static final Pattern EMBEDS =
      Pattern.compile(
          "(?:^|[\\s/({\"'])(?:xxd|bin2c|objcopy|hexdump|od|\\w*stringif(?:y|ier)\\w*(?:\\.\\w+)?"
              + "|ld(?:\\.\\w+)? (?:.* )?-r(?: .*)? -b\\s?binary)(?=$|[\\s\"')}])");

  private static final Pattern ASSIGNMENT =
      Pattern.compile("\\s*([\\w.-]+)\\s*(?:[:+?]|::)?=\\s*(.*)");
  private static final Pattern RULE = Pattern.compile("([^\\t#=][^=]*?)::?(?!=)([^=]*)");
  private static final Pattern VARIABLE = Pattern.compile("\\$[({](\\w+)[)}]");
  private static final Pattern WILDCARD = Pattern.compile("\\$[({]wildcard\\s+([^)}]*)[)}]");
  private static final Pattern SOURCE = Pattern.compile("[\\w./%*-]*[\\w%*]\\.(?:cu|hip)(?!\\w)");

  /** A rule and the recipes below it. */
  private record Rule(int line, StringBuilder text) {}

  private final String path;
  private final Map<String, String> variables = new HashMap<>();
  private final Map<String, SourceName> found = new LinkedHashMap<>();

  private MakeEmbedding(String path) {
    this.path = path;
  }

  /** Returns whether a word or a line runs a program that reads files as text. */
  static boolean embeds(String text) {
    return EMBEDS.matcher(text).find();
  }

  /**
   * Returns the places that name sources.
   *
   * @param texts build files by path
   */
  static List<SourceName> of(Map<String, String> texts) {
    List<SourceName> all = new ArrayList<>();
    new TreeMap<>(texts)
        .forEach(
            (path, text) -> {
              boolean cmake = path.endsWith("CMakeLists.txt") || path.endsWith(".cmake");
              if (!cmake && embedsSomewhere(text)) {
                MakeEmbedding file = new MakeEmbedding(path);
                file.read(text);
                all.addAll(file.found.values());
              }
            });
    return all;
  }

  private static boolean embedsSomewhere(String text) {
    return text.lines().anyMatch(MakeEmbedding::embeds);
  }

  private void read(String text) {
    List<Rule> rules = new ArrayList<>();
    boolean recipe = false;
    String[] lines = text.split("\\R", -1);
    for (int i = 0; i < lines.length; i++) {
      int line = i + 1;
      StringBuilder joined = new StringBuilder(lines[i]);
      while (joined.toString().endsWith("\\") && i + 1 < lines.length) {
        joined.setLength(joined.length() - 1);
        joined.append(' ').append(lines[++i].strip());
      }
      String code = joined.toString().replaceFirst("(^|\\s)#.*", "");
      Matcher assignment = ASSIGNMENT.matcher(code);
      if (code.startsWith("\t") && recipe) {
        rules.getLast().text().append('\n').append(code.strip());
      } else if (assignment.matches()) {
        variables.merge(assignment.group(1), assignment.group(2), (a, b) -> a + " " + b);
      } else if (!code.isBlank()) {
        recipe = RULE.matcher(code).matches();
        rules.add(new Rule(line, new StringBuilder(code)));
      }
    }
    rules.forEach(this::read);
  }

  private void read(Rule rule) {
    String text = rule.text().toString();
    if (!embedsSomewhere(text)) {
      return;
    }
    SOURCE
        .matcher(expand(text))
        .results()
        .map(m -> SourceName.of(m.group().replace('%', '*'), path, rule.line()))
        .forEach(n -> found.putIfAbsent(n.name(), n));
  }

  /** Returns a text with the values of variables; folders that are not known are left out. */
  private String expand(String text) {
    String now = text;
    for (int i = 0; i < 4; i++) {
      now =
          VARIABLE
              .matcher(now)
              .replaceAll(m -> Matcher.quoteReplacement(variables.getOrDefault(m.group(1), "")));
    }
    return WILDCARD.matcher(now).replaceAll("$1");
  }
}
