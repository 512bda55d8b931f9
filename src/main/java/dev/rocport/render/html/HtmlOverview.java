package dev.rocport.render.html;

import dev.rocport.core.result.BaselineInfo;
import dev.rocport.core.result.Effort;
import dev.rocport.core.result.EffortMethod;
import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.result.Gate;
import dev.rocport.core.result.Left;
import dev.rocport.core.result.PhaseInfo;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.RuleInfo;
import dev.rocport.core.result.Severity;
import dev.rocport.core.result.ShmemInfo;
import dev.rocport.core.result.Totals;
import dev.rocport.render.json.JsonReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The parts of the page with counts and summaries. */
final class HtmlOverview {
  private static final String LIBRARIES = "api/";
  private static final int MOST_FILES = 200;
  private static final int MOST_REASONS = 3;

  private final Result result;
  private final Gate.Verdict verdict;
  private final HtmlWriter html;

  HtmlOverview(Result result, Gate.Verdict verdict, HtmlWriter html) {
    this.result = result;
    this.verdict = verdict;
    this.html = html;
  }

  void summary() {
    Totals t = result.totals();
    int failing = verdict.failing().size();
    long broken = result.files().stream().filter(f -> isBroken(f.result())).count();
    boolean fails = failing + broken > 0;
    html.open("p", "class", fails ? "verdict error" : "verdict ok");
    html.element("strong", fails ? "This run fails: " : "This run passes: ");
    List<String> why = new ArrayList<>();
    if (failing > 0) {
      why.add(count(failing, "finding") + " at or above the limit");
    }
    if (broken > 0) {
      why.add(count(broken, "file") + " failed or in conflict");
    }
    html.text(why.isEmpty() ? "no finding is at or above the limit" : String.join(", ", why));
    html.text(".").close().newLine();
    html.open("dl", "class", "tiles").newLine();
    if (t.files() > 0) {
      tile("Files", number(t.files()), each(t.byStatus()) + ", " + count(t.lines(), "line"), "");
    }
    if (t.edits() > 0) {
      tile("Edits", number(t.edits()), "by " + count(t.editsByRule().size(), "rule"), "");
    }
    severity(Severity.ERROR, "Errors", "not ported, or a proof that failed");
    severity(Severity.WARNING, "Warnings", "needs a review");
    severity(Severity.NOTE, "Notes", "for information");
    if (t.suppressed() > 0) {
      tile("Suppressed", number(t.suppressed()), "with a reason", "");
    }
    BaselineInfo b = result.baseline();
    if (b != null) {
      String known = number(t.findings() - b.fresh()) + " known, " + b.fixed() + " fixed";
      tile("New", number(b.fresh()), known + ", against " + b.file(), "");
    }
    int minutes = t.effort().minutes();
    if (minutes > 0 || t.edits() > 0) {
      tile("Effort", Effort.time(minutes), "an estimate for planning", "");
    }
    html.close().newLine();
    for (Gate.Count c : verdict.counts()) {
      Gate.Threshold x = c.threshold();
      String kept = c.isKept() ? " are allowed" : " are allowed, so the gate fails";
      html.element(
              "p",
              "%s, %s and above: %s, %s%s"
                  .formatted(
                      x.rules(), x.from().label(), c.findings().size(), number(x.most()), kept))
          .newLine();
    }
  }

  private static boolean isBroken(FileResult f) {
    return f.status() == Status.FAILED || f.status() == Status.CONFLICT;
  }

  private void severity(Severity severity, String title, String what) {
    int n = result.totals().bySeverity().getOrDefault(severity, 0);
    tile(title, number(n), what, n == 0 ? "" : severity.label());
  }

  private void tile(String name, String value, String note, String kind) {
    html.open("div", "class", ("tile " + kind).strip());
    html.element("dt", name).element("dd", value, "class", "value");
    html.element("dd", note, "class", "note").close().newLine();
  }

  void phases() {
    html.open("ol", "class", "phases").newLine();
    for (PhaseInfo p : result.phases()) {
      String needed = JsonReport.label(p.needed());
      html.open("li", "class", "phase " + needed);
      html.open("div", "class", "head");
      html.element("span", String.valueOf(p.phase()), "class", "n");
      html.element("h3", p.title());
      String word =
          switch (p.needed()) {
            case YES -> "needed";
            case MAYBE -> "perhaps";
            case NO -> "not needed";
          };
      html.element("span", word, "class", "badge " + needed).close();
      html.open("ul");
      List<PhaseInfo.Reason> reasons = p.reasons();
      for (PhaseInfo.Reason r : reasons.subList(0, Math.min(MOST_REASONS, reasons.size()))) {
        html.element("li", r.text());
      }
      if (reasons.size() > MOST_REASONS) {
        html.element("li", "and " + count(reasons.size() - MOST_REASONS, "further sign"));
      }
      html.close().close().newLine();
    }
    html.close().newLine();
  }

  /** Returns the files that were not ported and need attention. */
  List<FileResult> troubled() {
    return result.files().stream()
        .map(FileReport::result)
        .filter(f -> isBroken(f) || f.status() == Status.SKIPPED)
        .toList();
  }

  void trouble() {
    List<FileResult> files = troubled();
    List<List<String>> rows = new ArrayList<>();
    for (FileResult f : files.subList(0, Math.min(MOST_FILES, files.size()))) {
      rows.add(List.of(f.path(), JsonReport.label(f.status()), f.message()));
    }
    HtmlTable.write(html, "Files left out", "cll", List.of("file", "what", "why"), rows);
    more(files.size() - rows.size(), "files");
  }

  void ported() {
    SortedMap<String, Integer> libraries = new TreeMap<>();
    SortedMap<String, Integer> others = new TreeMap<>();
    result
        .totals()
        .editsByFamily()
        .forEach(
            (family, n) -> {
              if (family.startsWith(LIBRARIES)) {
                libraries.put(family.substring(LIBRARIES.length()), n);
              } else {
                others.merge(family.split("/", 2)[0], n, Integer::sum);
              }
            });
    html.open("div", "class", "columns").newLine();
    bars("Names, by library", libraries);
    bars("Other edits, by kind of rule", others);
    bars("Files, by language", result.totals().byLanguage());
    html.close().newLine();
  }

  private void bars(String title, SortedMap<String, Integer> counts) {
    if (counts.isEmpty()) {
      return;
    }
    List<Map.Entry<String, Integer>> rows = new ArrayList<>(counts.entrySet());
    rows.sort(Comparator.comparing(e -> -e.getValue()));
    int most = rows.getFirst().getValue();
    html.open("div").element("h3", title).open("table", "class", "bars").newLine();
    html.open("tbody");
    for (Map.Entry<String, Integer> e : rows) {
      html.open("tr").element("th", e.getKey(), "scope", "row");
      html.element("td", number(e.getValue()), "class", "number").open("td", "class", "graph");
      bar(html, e.getValue(), most);
      html.close().close().newLine();
    }
    html.close().close().close().newLine();
  }

  /** Writes a bar with a length relative to the longest, and its number. */
  static void bar(HtmlWriter html, long value, long most) {
    double width = most == 0 ? 0 : Math.max(0.5, 100.0 * value / most);
    html.open(
        "svg",
        "class",
        "bar",
        "viewBox",
        "0 0 100 8",
        "preserveAspectRatio",
        "none",
        "aria-hidden",
        "true");
    html.open("rect", "width", String.format(Locale.ROOT, "%.2f", width), "height", "8").close();
    html.close();
  }

  void left() {
    HtmlTable.begin(
        html,
        "What is left",
        "clrrrrl",
        List.of("rule", "severity", "not ported", "to review", "files", "effort", "what"));
    for (Left l : result.totals().left()) {
      RuleInfo info = result.rules().get(l.rule());
      html.open("tr").open("td", "class", "code");
      html.open("a", "href", "#findings", "data-rule", l.rule()).element("code", l.rule());
      html.close().close().open("td");
      severity(html, l.severity());
      html.close();
      HtmlTable.cell(html, 'r', number(l.unported()));
      HtmlTable.cell(html, 'r', number(l.review()));
      HtmlTable.cell(html, 'r', number(l.files()));
      HtmlTable.cell(html, 'r', Effort.time(l.minutes()));
      HtmlTable.cell(html, 'l', info == null ? "" : info.title());
      html.close().newLine();
    }
    HtmlTable.end(html);
  }

  /** Writes a severity in its color. */
  static void severity(HtmlWriter html, Severity severity) {
    html.element("span", severity.label(), "class", "badge " + severity.label());
  }

  void nvshmem() {
    List<List<String>> rows = new ArrayList<>();
    for (ShmemInfo i : result.nvshmem()) {
      rows.add(
          List.of(
              i.name(),
              i.answer(),
              i.becomes(),
              i.since(),
              number(i.count()),
              i.places().getFirst(),
              i.note()));
    }
    HtmlTable.write(
        html,
        "Names of NVSHMEM",
        "clclrcl",
        List.of("name", "answer", "becomes", "since", "uses", "first", "note"),
        rows);
  }

  void method() {
    EffortMethod method = result.method();
    html.element("p", "The effort is an estimate for planning, not a measurement:").newLine();
    html.element("p", method.formula(), "class", "formula").newLine();
    List<List<String>> rows =
        method.weights().stream()
            .map(
                w ->
                    List.of(
                        w.rule(),
                        w.disposition(),
                        number(w.first()),
                        number(w.again()),
                        number(w.once()),
                        w.why()))
            .toList();
    HtmlTable.write(
        html,
        "Weights in minutes",
        "clrrrl",
        List.of("rule", "disposition", "first", "again", "once per tree", "for"),
        rows);
  }

  private void more(int n, String what) {
    if (n > 0) {
      html.element("p", "and " + number(n) + " more " + what, "class", "more").newLine();
    }
  }

  private static <E extends Enum<E>> String each(Map<E, Integer> counts) {
    return counts.entrySet().stream()
        .map(e -> number(e.getValue()) + " " + JsonReport.label(e.getKey()))
        .collect(Collectors.joining(", "));
  }

  static String count(long n, String what) {
    return number(n) + " " + what + (n == 1 ? "" : "s");
  }

  /** Formats a number with separators of thousands. */
  static String number(long n) {
    return String.format(Locale.ROOT, "%,d", n);
  }
}
