package dev.rocport.render.text;

import dev.rocport.core.result.Severity;
import java.util.ArrayList;
import java.util.List;

/**
 * Properties of the text output.
 *
 * @param colours whether to write escape sequences for colors
 * @param width columns of a line, at least 40
 * @param cuts whether to cut the last column of a table to the width, for terminals
 */
public record Paper(boolean colours, int width, boolean cuts) {
  /** Plain text of 100 columns: files, pipes, CI logs. */
  public static final Paper PLAIN = new Paper(false, 100, false);

  private static final int NARROWEST = 40;

  public Paper {
    width = Math.max(NARROWEST, width);
  }

  public String bold(String text) {
    return styled("1", text);
  }

  public String dim(String text) {
    return styled("2", text);
  }

  public String red(String text) {
    return styled("31", text);
  }

  public String green(String text) {
    return styled("32", text);
  }

  public String yellow(String text) {
    return styled("33", text);
  }

  /** Returns the name of the severity in its color. */
  public String severity(Severity severity) {
    return switch (severity) {
      case ERROR -> red(severity.label());
      case WARNING -> yellow(severity.label());
      case NOTE -> severity.label();
    };
  }

  private String styled(String code, String text) {
    return colours && !text.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }

  /**
   * Wraps text at blanks; every line begins with the indent. Line ends in the text count as blanks,
   * empty lines separate paragraphs, indented lines stay unchanged.
   */
  public String wrap(String text, String indent) {
    StringBuilder out = new StringBuilder();
    for (String paragraph : text.strip().split("\\n[ \\t]*\\n", -1)) {
      if (!out.isEmpty()) {
        out.append("\n");
      }
      for (String line : lines(paragraph, width - indent.length())) {
        out.append(indent).append(line).append("\n");
      }
    }
    return out.toString();
  }

  private static List<String> lines(String paragraph, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : paragraph.strip().split("\\s+", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  /** Indents every line of a text; line breaks are kept. */
  public static String indent(String text, String indent) {
    StringBuilder out = new StringBuilder();
    text.lines().forEach(l -> out.append(l.isEmpty() ? "" : indent).append(l).append("\n"));
    return out.toString();
  }
}
