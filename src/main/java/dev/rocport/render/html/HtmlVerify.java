package dev.rocport.render.html;

import dev.rocport.core.result.VerifyInfo;
import dev.rocport.render.text.VerifyTables;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Verification results: a map of programs by target, the distances of tensors, the programs' own
 * checks.
 */
final class HtmlVerify {
  private static final int MOST_FOUND = 60;
  private static final int MOST_TENSORS = 60;
  private static final int MOST_CELLS = 300;

  private final VerifyInfo verify;
  private final HtmlWriter html;

  HtmlVerify(VerifyInfo verify, HtmlWriter html) {
    this.verify = verify;
    this.html = html;
  }

  void write() {
    html.open("dl", "class", "pairs").newLine();
    VerifyTables.summary(verify)
        .forEach((name, said) -> html.element("dt", name).element("dd", said).newLine());
    html.close().newLine();
    cases();
    found();
    tensors();
    cells();
    faults();
  }

  private void cases() {
    if (verify.cases().isEmpty()) {
      return;
    }
    TreeSet<String> targets = new TreeSet<>();
    Map<String, Map<String, VerifyInfo.Case>> rows = new LinkedHashMap<>();
    for (VerifyInfo.Case c : verify.cases()) {
      String name = c.run().isEmpty() ? c.fixture() : c.fixture() + " " + c.run();
      String ranks = c.ranks() == 0 ? "" : ", " + c.ranks() + " ranks";
      targets.add(c.target());
      rows.computeIfAbsent(name + ranks, k -> new TreeMap<>()).put(c.target(), c);
    }
    List<String> header = new ArrayList<>(List.of("program"));
    header.addAll(targets);
    html.element("h3", "Programs by target").newLine();
    HtmlTable.begin(html, "Programs by target", "l" + "l".repeat(targets.size()), header);
    rows.forEach(
        (name, byTarget) -> {
          html.open("tr").element("th", name, "scope", "row");
          for (String target : targets) {
            VerifyInfo.Case c = byTarget.get(target);
            if (c == null) {
              html.element("td", "", "class", "heat");
            } else {
              html.open("td", "class", "heat " + c.status());
              html.element("b", c.status());
              html.element("span", said(c), "class", "note").close();
            }
          }
          html.close().newLine();
        });
    HtmlTable.end(html);
  }

  private static String said(VerifyInfo.Case c) {
    String checks =
        c.checks().entrySet().stream()
            .map(e -> e.getKey() + " " + e.getValue())
            .collect(Collectors.joining(", "));
    return c.message().isEmpty() ? checks : checks + (checks.isEmpty() ? "" : "; ") + c.message();
  }

  /** Writes what the device found, with the ported line and the original one side by side. */
  private void found() {
    if (verify.found().isEmpty()) {
      return;
    }
    html.element("h3", "Findings of the device, ported and original lines").newLine();
    for (VerifyInfo.Found f :
        verify.found().subList(0, Math.min(MOST_FOUND, verify.found().size()))) {
      html.open("p").element("b", f.where()).text(" " + f.title()).close().newLine();
      for (VerifyInfo.Sides sides : f.sides()) {
        html.open("div", "class", "sides", "role", "group", "aria-label", sides.ported());
        side("before", original(sides), sides.originalLines());
        side("after", sides.ported(), sides.portedLines());
        html.close().newLine();
      }
    }
    if (verify.found().size() > MOST_FOUND) {
      String more = "and " + (verify.found().size() - MOST_FOUND) + " more findings";
      html.element("p", more, "class", "more").newLine();
    }
  }

  private static String original(VerifyInfo.Sides sides) {
    return sides.original().isEmpty()
        ? "no line of the original"
        : "ported from " + sides.original();
  }

  private void side(String kind, String caption, List<String> lines) {
    html.open("figure", "class", kind).element("figcaption", caption);
    if (!lines.isEmpty()) {
      html.open("pre").open("code");
      for (String line : lines) {
        html.text(line).newLine();
      }
      html.close().close();
    }
    html.close();
  }

  /** Writes the tensors that differ, then as many of the others as fit. */
  private void tensors() {
    if (verify.tensors().isEmpty()) {
      return;
    }
    List<VerifyInfo.Tensor> order = new ArrayList<>();
    verify.tensors().stream().filter(t -> !VerifyTables.isOk(t)).forEach(order::add);
    verify.tensors().stream().filter(VerifyTables::isOk).forEach(order::add);
    html.element("h3", "Tensors, by distance in units in the last place").newLine();
    html.element(
            "p",
            "One bar per distance, starting at 0. The height of a bar grows with the logarithm of"
                + " the number of elements.",
            "class",
            "note")
        .newLine();
    HtmlTable.begin(
        html,
        "Tensors",
        "lclllrrrl",
        List.of(
            "run",
            "tensor",
            "type",
            "outcome",
            "elements by ULP",
            "wrong",
            "max ULP",
            "max abs",
            "tolerance"));
    for (VerifyInfo.Tensor t : order.subList(0, Math.min(MOST_TENSORS, order.size()))) {
      html.open("tr");
      HtmlTable.cell(html, 'l', t.where());
      HtmlTable.cell(html, 'c', t.name());
      HtmlTable.cell(html, 'l', t.type());
      html.element("td", t.outcome(), "class", "heat " + (VerifyTables.isOk(t) ? "ok" : "failed"));
      html.open("td");
      histogram(t.histogram());
      html.close();
      HtmlTable.cell(html, 'r', HtmlOverview.number(t.wrong()));
      HtmlTable.cell(html, 'r', ulp(t.maxUlp()));
      HtmlTable.cell(html, 'r', VerifyTables.number(t.maxAbs()));
      String place = VerifyTables.isOk(t) || t.maxAbsAt().isEmpty() ? "" : " at " + t.maxAbsAt();
      HtmlTable.cell(html, 'l', (t.rule() + " " + t.message()).strip() + place);
      html.close().newLine();
    }
    HtmlTable.end(html);
    if (order.size() > MOST_TENSORS) {
      String more = "and " + (order.size() - MOST_TENSORS) + " more; the worst are above";
      html.element("p", more, "class", "more").newLine();
    }
  }

  /** Writes bars with logarithmic heights, since nearly all elements have distance 0. */
  private void histogram(Map<String, Long> counts) {
    if (counts.isEmpty()) {
      return;
    }
    long largest = counts.values().stream().mapToLong(Long::longValue).max().orElse(1);
    double most = Math.log1p((double) largest);
    String said =
        counts.entrySet().stream()
            .map(e -> e.getKey() + " ULP: " + HtmlOverview.number(e.getValue()))
            .collect(Collectors.joining("; "));
    int width = 12 * counts.size();
    html.open(
        "svg",
        "class",
        "ulps",
        "viewBox",
        "0 0 " + width + " 36",
        "width",
        width + "",
        "height",
        "36",
        "role",
        "img",
        "aria-label",
        said);
    html.element("title", said);
    int i = 0;
    for (Map.Entry<String, Long> e : counts.entrySet()) {
      double h = e.getValue() == 0 ? 0 : Math.max(2, 34 * Math.log1p((double) e.getValue()) / most);
      html.open(
          "rect",
          "class",
          e.getKey().equals("0") ? "same" : "apart",
          "x",
          String.valueOf(12 * i++ + 1),
          "y",
          String.format(Locale.ROOT, "%.1f", 36 - h),
          "width",
          "10",
          "height",
          String.format(Locale.ROOT, "%.1f", h));
      html.close();
    }
    html.close();
  }

  private record Key(String fixture, String kernel, String op) {}

  private record Column(String type, String target) {}

  /**
   * Writes the programs' own checks: the largest distance of each kernel and operation by type and
   * target.
   */
  private void cells() {
    if (verify.cells().isEmpty()) {
      return;
    }
    Map<Key, Map<Column, List<VerifyInfo.Cell>>> rows = new LinkedHashMap<>();
    List<Column> columns = new ArrayList<>();
    for (VerifyInfo.Cell c : verify.cells()) {
      Column column = new Column(c.type(), c.target());
      if (!columns.contains(column)) {
        columns.add(column);
      }
      rows.computeIfAbsent(new Key(c.fixture(), c.kernel(), c.op()), k -> new LinkedHashMap<>())
          .computeIfAbsent(column, k -> new ArrayList<>())
          .add(c);
    }
    List<String> header = new ArrayList<>(List.of("program", "kernel", "op"));
    columns.forEach(c -> header.add((c.type() + " " + c.target()).strip()));
    html.element("h3", "Checks of the programs, by the largest distance in ULP").newLine();
    HtmlTable.begin(html, "Checks of the programs", "lll" + "r".repeat(columns.size()), header);
    int shown = 0;
    for (Map.Entry<Key, Map<Column, List<VerifyInfo.Cell>>> row : rows.entrySet()) {
      if (shown++ == MOST_CELLS) {
        break;
      }
      html.open("tr");
      HtmlTable.cell(html, 'l', row.getKey().fixture());
      HtmlTable.cell(html, 'l', row.getKey().kernel());
      HtmlTable.cell(html, 'l', row.getKey().op());
      columns.forEach(c -> heat(row.getValue().getOrDefault(c, List.of())));
      html.close().newLine();
    }
    HtmlTable.end(html);
    if (rows.size() > MOST_CELLS) {
      html.element("p", "and " + (rows.size() - MOST_CELLS) + " more rows", "class", "more");
    }
  }

  private void heat(List<VerifyInfo.Cell> cells) {
    if (cells.isEmpty()) {
      html.element("td", "", "class", "heat number");
      return;
    }
    long wrong = cells.stream().mapToLong(VerifyInfo.Cell::wrong).sum();
    long checks = cells.stream().mapToLong(VerifyInfo.Cell::checks).sum();
    long most = 0;
    for (VerifyInfo.Cell c : cells) {
      most = Long.compareUnsigned(c.maxUlp(), most) > 0 ? c.maxUlp() : most;
    }
    String all = HtmlOverview.number(checks) + " checks, " + HtmlOverview.number(wrong) + " wrong";
    String kind = wrong > 0 ? "failed" : "h" + step(most);
    html.open("td", "class", "heat number " + kind, "title", all).text(ulp(most));
    if (wrong > 0) {
      html.element("span", HtmlOverview.number(wrong) + " wrong", "class", "note");
    }
    html.close();
  }

  /** Returns one of four heat levels: 0, up to 2, up to 16, more. */
  private static int step(long ulp) {
    return ulp == 0 ? 0 : ulp > 0 && ulp <= 2 ? 1 : ulp > 0 && ulp <= 16 ? 2 : 3;
  }

  private static String ulp(long ulp) {
    return Long.toUnsignedString(ulp);
  }

  private void faults() {
    if (verify.faults().isEmpty()) {
      return;
    }
    html.element("h3", "Injected faults").newLine();
    HtmlTable.begin(html, "Injected faults", "llll", List.of("program", "fault", "", "caught by"));
    for (VerifyInfo.Fault f : verify.faults()) {
      html.open("tr");
      HtmlTable.cell(html, 'l', f.fixture());
      HtmlTable.cell(html, 'l', f.name());
      html.element(
          "td",
          f.caught() ? "caught" : "not caught",
          "class",
          f.caught() ? "heat ok" : "heat failed");
      HtmlTable.cell(html, 'l', f.by());
      html.close().newLine();
    }
    HtmlTable.end(html);
  }
}
