package dev.rocport.fleet;

import java.io.PrintStream;
import java.util.List;

/** The answers as tables of text. */
final class AnswersText {
  /** Wider text is cut: a table is for an overview. */
  private static final int WIDEST = 70;

  private AnswersText() {}

  static void write(Answers answers, PrintStream out) {
    for (Answers.Section section : answers.sections()) {
      out.println(section.title());
      if (section.rows().isEmpty()) {
        out.println("  none");
      } else {
        table(section, out);
      }
      out.println();
    }
    out.flush();
  }

  private static void table(Answers.Section section, PrintStream out) {
    List<String> columns = section.columns();
    int[] widths = new int[columns.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = columns.get(i).length();
      for (List<Object> row : section.rows()) {
        widths[i] = Math.max(widths[i], text(columns.get(i), row.get(i)).length());
      }
    }
    out.println(line(columns, columns, widths, section.rows().getFirst()));
    for (List<Object> row : section.rows()) {
      out.println(line(columns, row, widths, row));
    }
  }

  private static String line(
      List<String> columns, List<?> cells, int[] widths, List<Object> sample) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String text = text(columns.get(i), cells.get(i));
      String pad = " ".repeat(widths[i] - text.length());
      boolean right = sample.get(i) instanceof Long;
      line.append("  ").append(right ? pad + text : text + pad);
    }
    return line.toString().stripTrailing();
  }

  private static String text(String column, Object cell) {
    if (cell instanceof Long n) {
      return column.equals("minutes") ? hours(n) : n.toString();
    }
    String text = cell.toString().replaceAll("\\p{Cntrl}", " ");
    if (text.isEmpty()) {
      return "-";
    }
    return text.length() > WIDEST ? text.substring(0, WIDEST - 3) + "..." : text;
  }

  /** Minutes as hours: the sum of a fleet. */
  static String hours(long minutes) {
    return Math.abs(minutes) < 60 ? minutes + " min" : minutes / 60 + " h";
  }
}
