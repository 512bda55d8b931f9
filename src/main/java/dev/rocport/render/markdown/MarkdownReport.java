package dev.rocport.render.markdown;

import dev.rocport.core.result.BaselineInfo;
import dev.rocport.core.result.Effort;
import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Left;
import dev.rocport.core.result.PhaseInfo;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.RuleInfo;
import dev.rocport.core.result.Severity;
import dev.rocport.core.result.ShmemInfo;
import dev.rocport.core.result.Totals;
import dev.rocport.core.result.VerifyInfo;
import dev.rocport.render.json.JsonReport;
import dev.rocport.render.text.TextReport;
import dev.rocport.render.text.VerifyTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A result as Markdown, short enough for a comment: summary, remaining work, the files with the
 * most severe findings.
 */
public final class MarkdownReport {
  private static final int MOST_FILES = 25;
  private static final int MOST_FINDINGS = 50;
  private static final int MOST_ROWS = 200;

  private final Result result;
  private final Appendable out;

  private MarkdownReport(Result result, Appendable out) {
    this.result = result;
    this.out = out;
  }

  /**
   * Writes the report.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  public static void write(Result result, Appendable out) {
    MarkdownReport report = new MarkdownReport(result, out);
    report.summary();
    report.phases();
    report.nvshmem();
    report.verify();
    report.left();
    report.files();
    report.findings();
  }

  private void summary() {
    Totals t = result.totals();
    print("## rocport " + result.run().command() + "\n\n");
    print("| files | edits | errors | warnings | notes | suppressed | effort |\n");
    print("|---:|---:|---:|---:|---:|---:|---:|\n");
    row(
        t.files(),
        t.edits(),
        t.bySeverity().getOrDefault(Severity.ERROR, 0),
        t.bySeverity().getOrDefault(Severity.WARNING, 0),
        t.bySeverity().getOrDefault(Severity.NOTE, 0),
        t.suppressed(),
        Effort.time(t.effort().minutes()));
    BaselineInfo b = result.baseline();
    if (b != null) {
      print(
          "\nAgainst the baseline: %d known, %d new, %d fixed.\n"
              .formatted(t.findings() - b.fresh(), b.fresh(), b.fixed()));
    }
  }

  private void phases() {
    if (result.phases().isEmpty()) {
      return;
    }
    print("\n### Phases\n\n| phase | needed | what | because |\n|---:|---|---|---|\n");
    for (PhaseInfo p : result.phases()) {
      String because =
          p.reasons().stream().map(PhaseInfo.Reason::text).collect(Collectors.joining("; "));
      row(p.phase(), JsonReport.label(p.needed()), escape(p.title()), escape(because));
    }
  }

  private void nvshmem() {
    if (result.nvshmem().isEmpty()) {
      return;
    }
    print("\n### NVSHMEM\n\n| answer | name | becomes | since | places | first |\n");
    print("|---|---|---|---|---:|---|\n");
    for (ShmemInfo i : result.nvshmem()) {
      String first = escape(i.places().getFirst());
      row(i.answer(), escape(i.name()), escape(i.becomes()), i.since(), i.count(), first);
    }
  }

  private void verify() {
    VerifyInfo verify = result.verify();
    if (verify == null) {
      return;
    }
    print("\n### Verification\n\n");
    VerifyTables.summary(verify).forEach((k, v) -> print("- " + k + ": " + escape(v) + "\n"));
    for (VerifyTables.Table t : VerifyTables.tables(verify)) {
      print("\n#### " + t.title() + "\n\n");
      row(t.header().toArray());
      row(t.alignment().chars().mapToObj(c -> c == 'r' ? "---:" : "---").toArray());
      List<List<String>> rows = t.rows();
      for (List<String> r : rows.subList(0, Math.min(MOST_ROWS, rows.size()))) {
        row(r.stream().map(MarkdownReport::escape).toArray());
      }
      more(rows.size(), MOST_ROWS, "rows");
    }
  }

  private void left() {
    if (result.totals().left().isEmpty()) {
      return;
    }
    print("\n### What is left\n\n| rule | severity | unported | review | files | effort | |\n");
    print("|---|---|---:|---:|---:|---:|---|\n");
    for (Left l : result.totals().left()) {
      RuleInfo info = result.rules().get(l.rule());
      row(
          "`" + l.rule() + "`",
          l.severity().label(),
          l.unported(),
          l.review(),
          l.files(),
          Effort.time(l.minutes()),
          escape(info == null ? "" : info.title()));
    }
  }

  private void files() {
    var files =
        result.files().stream()
            .filter(f -> f.effort().minutes() > 0)
            .sorted(
                java.util.Comparator.<FileReport>comparingInt(f -> -f.effort().minutes())
                    .thenComparing(f -> f.result().path()))
            .toList();
    if (files.isEmpty()) {
      return;
    }
    print(
        "\n### Files\n\n| file | edits | findings | effort | class |\n|---|---:|---:|---:|---|\n");
    for (FileReport f : files.subList(0, Math.min(MOST_FILES, files.size()))) {
      row(
          code(f.result().path()),
          f.result().editCount(),
          f.result().findings().size(),
          Effort.time(f.effort().minutes()),
          f.effort().size().label());
    }
    more(files.size(), MOST_FILES, "files");
  }

  private void findings() {
    var findings =
        result.findings().stream()
            .filter(f -> f.severity() != Severity.NOTE && result.isNew(f))
            .toList();
    if (findings.isEmpty()) {
      return;
    }
    print("\n### Findings\n\n");
    for (Finding f : findings.subList(0, Math.min(MOST_FINDINGS, findings.size()))) {
      print(
          "- %s %s `%s` %s\n"
              .formatted(
                  code(f.path() + (f.line() == 0 ? "" : ":" + f.line() + ":" + f.column())),
                  f.severity().label(),
                  f.rule(),
                  escape(f.message())));
    }
    more(findings.size(), MOST_FINDINGS, "findings");
  }

  private void more(int all, int shown, String what) {
    if (all > shown) {
      print("\nand " + (all - shown) + " more " + what + "\n");
    }
  }

  private void row(Object... cells) {
    StringBuilder row = new StringBuilder("|");
    for (Object cell : cells) {
      row.append(' ').append(cell).append(" |");
    }
    print(row.append('\n').toString());
  }

  private static String code(String text) {
    return "`" + TextReport.visible(text).replace('`', '\'').replace("|", "\\|") + "`";
  }

  /** Text from sources and rules must not become markup. */
  public static String escape(String text) {
    StringBuilder safe = new StringBuilder();
    TextReport.visible(text)
        .chars()
        .forEach(
            c -> {
              switch (c) {
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '&' -> safe.append("&amp;");
                case '\\', '`', '*', '_', '[', ']', '|', '#', '~', '!' ->
                    safe.append('\\').append((char) c);
                case '@' -> safe.append("&#64;");
                default -> safe.append((char) c);
              }
            });
    return safe.toString();
  }

  private void print(String text) {
    try {
      out.append(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
