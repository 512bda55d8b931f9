package dev.rocport.render.csv;

import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.PhaseInfo;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.Suppressed;
import dev.rocport.render.json.JsonReport;
import dev.rocport.render.text.TextReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The findings of a result as CSV (RFC 4180), one row each, including suppressed ones. Text that a
 * spreadsheet would read as a formula begins with an apostrophe.
 */
public final class CsvReport {
  private static final List<String> HEADER =
      List.of(
          "path",
          "line",
          "column",
          "end_line",
          "end_column",
          "severity",
          "disposition",
          "rule",
          "message",
          "advice",
          "snippet",
          "fingerprint",
          "state",
          "reason",
          "phase",
          "language");

  private CsvReport() {}

  /**
   * Writes the report.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  public static void write(Result result, Appendable out) {
    try {
      row(out, HEADER);
      for (FileReport f : result.files()) {
        for (Finding x : f.result().findings()) {
          row(out, cells(result, f, x, result.isNew(x) ? "new" : "known", ""));
        }
        for (Suppressed s : f.result().suppressed()) {
          row(out, cells(result, f, s.finding(), "suppressed", s.reason()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes rows of plain cells, which may contain untrusted text. */
  public static String rows(List<List<String>> rows) {
    StringBuilder out = new StringBuilder();
    try {
      for (List<String> r : rows) {
        row(out, r.stream().map(CsvReport::text).toList());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString();
  }

  private static List<String> cells(
      Result result, FileReport file, Finding f, String state, String reason) {
    PhaseInfo phase = result.phase(f);
    return List.of(
        text(result.run().fromHere(f.path())),
        String.valueOf(f.line()),
        String.valueOf(f.column()),
        String.valueOf(f.endLine()),
        String.valueOf(f.endColumn()),
        f.severity().label(),
        JsonReport.label(f.disposition()),
        f.rule(),
        text(f.message()),
        text(f.advice().strip()),
        text(f.snippet()),
        f.fingerprint(),
        state,
        text(reason),
        phase == null ? "" : String.valueOf(phase.phase()),
        text(file.result().language()));
  }

  private static String text(String text) {
    String clean = TextReport.visible(text);
    return !clean.isEmpty() && "=+-@".indexOf(clean.charAt(0)) >= 0 ? "'" + clean : clean;
  }

  private static void row(Appendable out, List<String> cells) throws IOException {
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      boolean quoted = cell.chars().anyMatch(c -> c == '"' || c == ',' || c == '\n' || c == '\r');
      out.append(i == 0 ? "" : ",")
          .append(quoted ? "\"" + cell.replace("\"", "\"\"") + "\"" : cell);
    }
    out.append("\r\n");
  }
}
