package dev.rocport.fleet;

import java.io.PrintStream;
import java.util.List;

/** The answers as one page without scripts and without other files. */
final class AnswersHtml {
  private static final String STYLE =
      """
      body { font: 14px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }
      table { border-collapse: collapse; }
      th, td { border-bottom: 1px solid #ccc; padding: .2em .8em; text-align: left; }
      td.number { text-align: right; font-variant-numeric: tabular-nums; }
      """;

  private AnswersHtml() {}

  static void write(Answers answers, PrintStream out) {
    out.println("<!doctype html>");
    out.println("<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Fleet</title>");
    out.println("<style>\n" + STYLE + "</style></head><body><h1>Fleet</h1>");
    for (Answers.Section section : answers.sections()) {
      out.println("<h2>" + escaped(section.title()) + "</h2>");
      if (section.rows().isEmpty()) {
        out.println("<p>none</p>");
      } else {
        table(section, out);
      }
    }
    out.println("</body></html>");
    out.flush();
  }

  private static void table(Answers.Section section, PrintStream out) {
    out.print("<table><thead><tr>");
    for (String column : section.columns()) {
      out.print("<th scope=\"col\">" + escaped(column.replace('_', ' ')) + "</th>");
    }
    out.println("</tr></thead><tbody>");
    for (List<Object> row : section.rows()) {
      out.print("<tr>");
      for (int i = 0; i < row.size(); i++) {
        boolean hours = section.columns().get(i).equals("minutes");
        out.print(
            row.get(i) instanceof Long n
                ? "<td class=\"number\">" + (hours ? AnswersText.hours(n) : n) + "</td>"
                : "<td>" + escaped(row.get(i).toString()) + "</td>");
      }
      out.println("</tr>");
    }
    out.println("</tbody></table>");
  }

  /** Names and messages come from repositories. */
  private static String escaped(String text) {
    return text.replaceAll("\\p{Cntrl}", " ")
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
