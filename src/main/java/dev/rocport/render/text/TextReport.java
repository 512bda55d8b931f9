package dev.rocport.render.text;

import dev.rocport.core.result.BaselineInfo;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Effort;
import dev.rocport.core.result.EffortMethod;
import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Left;
import dev.rocport.core.result.PhaseInfo;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.RuleInfo;
import dev.rocport.core.result.Severity;
import dev.rocport.core.result.ShmemInfo;
import dev.rocport.core.result.Suppressed;
import dev.rocport.core.result.Topic;
import dev.rocport.core.result.Totals;
import dev.rocport.core.result.VerifyInfo;
import dev.rocport.render.json.JsonReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A result as text for people: findings by file, then tables, then the summary. */
public final class TextReport {
  private static final String INDENT = "  ";

  /** More findings than this are not listed on a screen. */
  private static final int LONG = 1000;

  /** Number of files in the brief report. */
  private static final int FILES = 20;

  /** Number of reasons in the line of a phase. */
  private static final int REASONS = 2;

  private final Result result;
  private final Paper paper;
  private final Appendable out;

  private TextReport(Result result, Paper paper, Appendable out) {
    this.result = result;
    this.paper = paper;
    this.out = out;
  }

  /**
   * Writes the report.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  public static void write(Result result, Paper paper, Appendable out) {
    new TextReport(result, paper, out).write(false);
  }

  /**
   * Writes the report for a screen. If there are many findings, the decisions that they need take
   * the place of the lists.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  public static void writeBrief(Result result, Paper paper, Appendable out) {
    new TextReport(result, paper, out).write(result.totals().findings() > LONG);
  }

  /** Returns whether a result has too many errors and warnings to read them one by one. */
  public static boolean hasManyProblems(Result result) {
    return result.findings().stream().filter(f -> f.severity() != Severity.NOTE).count() > LONG;
  }

  /** Returns the decisions that the findings need, and where the findings are. */
  public static String decisions(Result result, Paper paper) {
    return paper.bold("Rules that leave the most work")
        + "\n"
        + Decisions.of(result, paper)
        + "%sThe %d findings are not listed here; --report DIR writes all of them\n"
            .formatted(INDENT, result.totals().findings());
  }

  private void write(boolean brief) {
    phases();
    if (brief) {
      print(decisions(result, paper));
    } else {
      findings();
    }
    files(brief ? FILES : Integer.MAX_VALUE);
    rules();
    libraries();
    nvshmem();
    left();
    if (!brief) {
      assembly();
    }
    effort();
    suppressed();
    verify();
    summary();
  }

  /** Returns the phases as a table, one line each; empty if they were not computed. */
  public static String phases(Result result, Paper paper) {
    if (result.phases().isEmpty()) {
      return "";
    }
    TextTable table = new TextTable("rlll", "phase", "needed", "what", "because");
    for (PhaseInfo p : result.phases()) {
      String because =
          p.reasons().stream()
              .limit(REASONS)
              .map(PhaseInfo.Reason::text)
              .collect(Collectors.joining("; "));
      table.row(p.phase(), JsonReport.label(p.needed()), p.title(), visible(because));
    }
    return table.render(paper, "");
  }

  private void phases() {
    String table = phases(result, paper);
    print(table.isEmpty() ? "" : table + "\n");
  }

  private void findings() {
    for (FileReport report : result.files()) {
      FileResult f = report.result();
      if (f.findings().isEmpty()) {
        continue;
      }
      print(paper.bold(visible(f.path())) + "\n");
      for (Finding finding : f.findings()) {
        finding(finding);
      }
      print("\n");
    }
  }

  private void finding(Finding f) {
    String place = f.line() == 0 ? "" : f.line() + ":" + f.column() + " ";
    String known = result.isNew(f) ? "" : paper.dim(" (known)");
    print(
        INDENT
            + place
            + paper.severity(f.severity())
            + " "
            + paper.bold(f.rule())
            + " "
            + paper.dim(JsonReport.label(f.disposition()))
            + known
            + "\n");
    print(paper.wrap(visible(f.message()), INDENT + INDENT));
    if (!f.advice().isEmpty()) {
      print(paper.wrap("-> " + visible(f.advice()), INDENT + INDENT));
    }
  }

  /**
   * Prints the files, or those with the most work.
   *
   * @param most the number of files without trouble to print
   */
  private void files(int most) {
    TextTable table =
        new TextTable("lrrrrl", "effort", "time", "edits", "findings", "lines", "file");
    int quiet = 0;
    int others = 0;
    int shown = 0;
    List<FileReport> files = result.files();
    if (most < files.size()) {
      files =
          files.stream()
              .sorted(Comparator.comparingInt((FileReport r) -> r.effort().minutes()).reversed())
              .toList();
    }
    for (FileReport report : files) {
      FileResult f = report.result();
      boolean trouble = f.status() == Status.FAILED || f.status() == Status.CONFLICT;
      if (f.edits().isEmpty() && f.findings().isEmpty() && !trouble) {
        quiet++;
        continue;
      }
      if (!trouble && shown == most) {
        others++;
        continue;
      }
      shown += trouble ? 0 : 1;
      String message = trouble ? ": " + JsonReport.label(f.status()) + ", " + f.message() : "";
      table.row(
          report.effort().size().label(),
          Effort.time(report.effort().minutes()),
          f.editCount(),
          f.findings().size(),
          f.lines(),
          visible(f.path() + message));
    }
    section(others > 0 ? "Files with the most work" : "Files", table);
    if (others > 0) {
      print(INDENT + "and " + count(others, "file") + " with less\n");
    }
    if (quiet > 0 && !table.isEmpty()) {
      print(INDENT + "and " + count(quiet, "file") + " with nothing to do\n");
    }
  }

  private void rules() {
    TextTable table = new TextTable("lrl", "rule", "edits", "what it does");
    result.totals().editsByRule().forEach((id, n) -> table.row(id, n, title(id)));
    section("What the rules do", table);
  }

  private void libraries() {
    TextTable table = new TextTable("lrr", "part of CUDA", "ported", "not ported");
    Map<String, Integer> unported =
        result.findings().stream()
            .filter(f -> f.disposition() == Disposition.UNPORTED)
            .collect(Collectors.toMap(f -> family(f.rule()), f -> 1, Integer::sum));
    List<String> families =
        java.util.stream.Stream.concat(
                result.totals().editsByFamily().keySet().stream(), unported.keySet().stream())
            .filter(f -> f.startsWith("api/"))
            .distinct()
            .sorted()
            .toList();
    for (String family : families) {
      table.row(
          family.substring("api/".length()),
          result.totals().editsByFamily().getOrDefault(family, 0),
          unported.getOrDefault(family, 0));
    }
    section("Libraries", table);
  }

  private void nvshmem() {
    section("NVSHMEM", ShmemTables.summary(result.nvshmem()));
    TextTable names = new TextTable("lllrl", "answer", "name", "becomes", "since", "places");
    for (ShmemInfo i : result.nvshmem()) {
      String first = i.count() + " (" + visible(i.places().getFirst()) + ")";
      names.row(i.answer(), i.name(), i.becomes().replace("rocshmem::", ""), i.since(), first);
    }
    section("NVSHMEM, by name", names);
  }

  private void left() {
    TextTable table =
        new TextTable("llrrrrl", "rule", "severity", "unported", "review", "files", "time", "why");
    for (Left l : result.totals().left()) {
      table.row(
          l.rule(),
          l.severity().label(),
          l.unported(),
          l.review(),
          l.files(),
          Effort.time(l.minutes()),
          title(l.rule()));
    }
    section("What is left", table);
  }

  private void assembly() {
    TextTable table = new TextTable("ll", "place", "statement");
    for (Finding f : result.findings()) {
      if (result.topic(f.rule()) == Topic.PTX) {
        table.row(visible(f.path()) + ":" + f.line() + ":" + f.column(), visible(f.message()));
      }
    }
    section("Inline assembly", table);
  }

  private void effort() {
    Totals t = result.totals();
    if (t.effort().minutes() == 0) {
      return;
    }
    TextTable table = new TextTable("lr", "class", "files");
    t.bySize().forEach((size, n) -> table.row(size.label(), n));
    section("Effort", table);
    TextTable weights =
        new TextTable("llrrrl", "rule", "disposition", "first", "again", "once", "what it takes");
    for (EffortMethod.Weight w : result.method().weights()) {
      weights.row(w.rule(), w.disposition(), w.first(), w.again(), w.once(), w.why());
    }
    print("\n" + paper.wrap("An estimate: " + result.method().formula(), INDENT));
    if (!weights.isEmpty()) {
      print(weights.render(paper, INDENT));
    }
  }

  private void suppressed() {
    TextTable table = new TextTable("lll", "place", "rule", "reason");
    for (FileReport report : result.files()) {
      for (Suppressed s : report.result().suppressed()) {
        Finding f = s.finding();
        String reason = s.reason().isEmpty() ? "(none given)" : s.reason();
        table.row(visible(f.path()) + ":" + f.line(), f.rule(), visible(reason));
      }
    }
    section("Suppressed", table);
  }

  private void verify() {
    VerifyInfo verify = result.verify();
    if (verify != null) {
      print(VerifyTables.text(verify, paper));
    }
  }

  private void summary() {
    Totals t = result.totals();
    print("\n" + paper.bold("Summary") + "\n");
    String files = t.files() == 0 ? "0" : t.files() + " (" + each(t.byStatus()) + ")";
    line("files", files + ", " + count(t.lines(), "line"));
    line("edits", t.edits() + " by " + count(t.editsByRule().size(), "rule"));
    line("findings", t.findings() + (t.findings() == 0 ? "" : " (" + each(t.bySeverity()) + ")"));
    if (t.suppressed() > 0) {
      line("suppressed", String.valueOf(t.suppressed()));
    }
    BaselineInfo b = result.baseline();
    if (b != null) {
      int known = t.findings() - b.fresh();
      line("baseline", known + " known, " + b.fresh() + " new, " + b.fixed() + " fixed");
    }
    line("effort", "about " + Effort.time(t.effort().minutes()) + ", by the method above");
  }

  private static <E extends Enum<E>> String each(Map<E, Integer> counts) {
    return counts.entrySet().stream()
        .map(e -> e.getValue() + " " + JsonReport.label(e.getKey()))
        .collect(Collectors.joining(", "));
  }

  private void section(String title, TextTable table) {
    if (!table.isEmpty()) {
      print("\n" + paper.bold(title) + "\n" + table.render(paper, INDENT));
    }
  }

  private void line(String label, String value) {
    print("%s%-11s%s\n".formatted(INDENT, label, value));
  }

  /** Returns a number with its noun. */
  public static String count(long n, String what) {
    return n + " " + what + (n == 1 ? "" : "s");
  }

  private String title(String rule) {
    RuleInfo info = result.rules().get(rule);
    return info == null ? "" : info.title();
  }

  private String family(String rule) {
    RuleInfo info = result.rules().get(rule);
    return info == null ? "" : info.family();
  }

  /** Sources are untrusted: removes control characters that a terminal would interpret. */
  public static String visible(String text) {
    if (text.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
      return text; // the common case; a report has hundreds of thousands of texts
    }
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              boolean format = Character.getType(c) == Character.FORMAT;
              if (c == '\n' || c == '\t') {
                clean.append(' ');
              } else if (Character.isISOControl(c) || format) {
                clean.append("\\u").append(String.format(Locale.ROOT, "%04x", c));
              } else {
                clean.appendCodePoint(c);
              }
            });
    return clean.toString();
  }

  private void print(String text) {
    try {
      out.append(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
