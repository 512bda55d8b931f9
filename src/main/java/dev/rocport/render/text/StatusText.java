package dev.rocport.render.text;

import dev.rocport.core.result.PortStatus;
import dev.rocport.core.result.PortStatus.Kernel;
import java.util.List;

/** The state of a port as text. */
public final class StatusText {
  private static final String INDENT = "  ";

  private StatusText() {}

  /** Returns the text; the last part is what is worth doing next. */
  public static String of(PortStatus status, Paper paper) {
    StringBuilder out = new StringBuilder();
    TextTable figures = new TextTable("lr", "figure", "number");
    status.figures().forEach(figures::row);
    section(out, paper, "Port in " + status.root(), figures);
    TextTable kernels =
        new TextTable(
            "lllllll", "kernel", "ported", "built", "run", "compared", "checked", "source");
    for (Kernel k : status.kernels()) {
      kernels.row(
          TextReport.visible(k.name()),
          word(k.ported()),
          word(k.built()),
          word(k.run()),
          word(k.compared()),
          word(k.checked()),
          TextReport.visible(k.path()));
    }
    section(out, paper, "Kernels", kernels);
    list(out, paper, "Changed since the last time", status.changes(), "- ");
    list(out, paper, "Worth doing next", status.next(), "- ");
    return out.toString();
  }

  private static String word(boolean done) {
    return done ? "yes" : "no";
  }

  private static void section(StringBuilder out, Paper paper, String title, TextTable table) {
    if (!table.isEmpty()) {
      out.append(paper.bold(title)).append('\n').append(table.render(paper, INDENT)).append('\n');
    }
  }

  private static void list(
      StringBuilder out, Paper paper, String title, List<String> lines, String mark) {
    if (lines.isEmpty()) {
      return;
    }
    out.append(paper.bold(title)).append('\n');
    for (String line : lines) {
      String text = paper.wrap(TextReport.visible(line), INDENT + INDENT);
      out.append(INDENT).append(mark).append(text.substring(2 * INDENT.length()));
    }
    out.append('\n');
  }
}
