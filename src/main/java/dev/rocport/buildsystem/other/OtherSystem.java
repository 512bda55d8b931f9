package dev.rocport.buildsystem.other;

import dev.rocport.rules.BuiltInText;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A build system whose files are not ported: {@code build/other-systems.tsv}.
 *
 * @param file pattern of its file names
 * @param name name of the system
 * @param comment start of a comment
 * @param script true for scripts, which count as builds only if they call nvcc
 * @param windows true for builds that only run on Windows
 */
record OtherSystem(Pattern file, String name, String comment, boolean script, boolean windows) {
  private static final Pattern XML = Pattern.compile("(?s)<!--.*?-->");
  private static final Pattern BLOCK = Pattern.compile("(?s)/\\*.*?\\*/");

  private static final List<OtherSystem> ALL =
      BuiltInText.table("build/other-systems.tsv", "file\tsystem\tcomment\tkind").rows().stream()
          .map(
              r ->
                  new OtherSystem(
                      Pattern.compile(r.cell(0)),
                      r.cell(1),
                      r.cell(2),
                      r.cell(3).equals("script"),
                      r.cell(3).equals("windows")))
          .toList();

  /** Returns the system of a file; empty for all other files. */
  static Optional<OtherSystem> of(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    return ALL.stream().filter(s -> s.file().matcher(name).matches()).findFirst();
  }

  /** Returns the text with comments blanked, at the same offsets. */
  String withoutComments(String text) {
    return switch (comment) {
      case "xml" -> blank(text, XML);
      case "//" -> lines(blank(text, BLOCK));
      default -> lines(text);
    };
  }

  private String lines(String text) {
    return blank(text, Pattern.compile("(?m)(?:^|(?<=\\s))" + Pattern.quote(comment) + ".*$"));
  }

  private static String blank(String text, Pattern what) {
    Matcher m = what.matcher(text);
    StringBuilder blank = new StringBuilder(text);
    while (m.find()) {
      for (int i = m.start(); i < m.end(); i++) {
        if (text.charAt(i) != '\n' && text.charAt(i) != '\r') {
          blank.setCharAt(i, ' ');
        }
      }
    }
    return blank.toString();
  }
}
