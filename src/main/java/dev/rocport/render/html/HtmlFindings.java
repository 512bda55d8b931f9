package dev.rocport.render.html;

import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.RuleInfo;
import dev.rocport.core.result.Suppressed;
import dev.rocport.io.Json;
import dev.rocport.render.json.JsonReport;
import dev.rocport.render.text.TextReport;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.core.JsonGenerator;

/**
 * The findings: all as data that the script of the page filters, sorts and shows as text in pages;
 * the first ones also as a table for browsers without JavaScript.
 */
final class HtmlFindings {
  private static final int FIRST = 50;

  private final Result result;
  private final HtmlWriter html;
  private final List<Row> rows = new ArrayList<>();

  private enum State {
    /** Not in the baseline, or there is none. */
    NEW,
    KNOWN,
    SUPPRESSED
  }

  /**
   * A finding in the table.
   *
   * @param reason why it is suppressed; empty if it is not
   */
  private record Row(Finding finding, State state, String reason) {}

  HtmlFindings(Result result, HtmlWriter html) {
    this.result = result;
    this.html = html;
    for (FileReport f : result.files()) {
      for (Finding x : f.result().findings()) {
        rows.add(new Row(x, result.isNew(x) ? State.NEW : State.KNOWN, ""));
      }
      for (Suppressed s : f.result().suppressed()) {
        rows.add(new Row(s.finding(), State.SUPPRESSED, s.reason() + " (" + s.where() + ")"));
      }
    }
    rows.sort(
        Comparator.comparing((Row r) -> r.state() == State.SUPPRESSED)
            .thenComparing(r -> r.finding().severity(), Comparator.reverseOrder()));
  }

  void write(Writer out) {
    if (rows.isEmpty()) {
      html.element("p", "No findings.").newLine();
      return;
    }
    html.open("noscript").open("p", "class", "more");
    html.text(
        "Without JavaScript, the page shows the first "
            + shown()
            + " of "
            + HtmlOverview.number(rows.size())
            + " findings.");
    html.close().close().newLine();
    controls();
    table();
    data(out);
  }

  private int shown() {
    return Math.min(FIRST, rows.size());
  }

  private void controls() {
    html.open("form", "id", "filter", "class", "filter", "hidden", "", "role", "search");
    html.newLine();
    field("search", "Search", "text, rule or advice");
    field("path", "Path", "part of a path");
    html.open("p").element("label", "Rule", "for", "rule").newLine();
    html.open("select", "id", "rule").element("option", "all rules", "value", "");
    TreeSet<String> rules = new TreeSet<>();
    rows.forEach(r -> rules.add(r.finding().rule()));
    rules.forEach(r -> html.element("option", r, "value", r));
    html.close().close().newLine();
    choices("Severity", "severity", List.of("error", "warning", "note"), 0);
    choices("Became", "disposition", List.of("unported", "review", "ported"), 0);
    boolean suppressed = rows.stream().anyMatch(r -> r.state() == State.SUPPRESSED);
    List<String> states = new ArrayList<>(List.of("new"));
    if (result.baseline() != null) {
      states.add("known");
    }
    if (suppressed) {
      states.add("suppressed");
    }
    if (states.size() > 1) {
      choices("State", "state", states, suppressed ? 1 : 0);
    }
    html.open("p", "class", "end").element("button", "Clear", "type", "reset").close();
    html.close().newLine();
    html.open("p", "id", "count", "role", "status", "aria-live", "polite");
    html.text(HtmlOverview.number(rows.size()) + " findings").close().newLine();
  }

  private void field(String id, String label, String hint) {
    html.open("p").element("label", label, "for", id);
    html.single(
        "input",
        "id",
        id,
        "type",
        "search",
        "placeholder",
        hint,
        "autocomplete",
        "off",
        "spellcheck",
        "false");
    html.close().newLine();
  }

  /**
   * Writes checkboxes.
   *
   * @param off number of boxes, counted from the last, that are initially off
   */
  private void choices(String title, String name, List<String> values, int off) {
    html.open("fieldset").element("legend", title);
    for (int i = 0; i < values.size(); i++) {
      String value = values.get(i);
      html.open("label");
      if (i < values.size() - off) {
        html.single("input", "type", "checkbox", "name", name, "value", value, "checked", "");
      } else {
        html.single("input", "type", "checkbox", "name", name, "value", value);
      }
      html.text(" " + value).close();
    }
    html.close().newLine();
  }

  private void table() {
    html.open(
        "div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", "Findings");
    html.open("table", "id", "table").newLine();
    html.open("thead").open("tr");
    for (String name : List.of("severity", "place", "rule", "became", "what")) {
      html.element("th", name, "scope", "col", "data-sort", name);
    }
    html.close().close().newLine().open("tbody", "id", "rows").newLine();
    for (Row r : rows.subList(0, shown())) {
      Finding f = r.finding();
      html.open("tr").open("td");
      HtmlOverview.severity(html, f.severity());
      html.close();
      HtmlTable.cell(html, 'c', place(f));
      HtmlTable.cell(html, 'c', f.rule());
      HtmlTable.cell(html, 'l', JsonReport.label(f.disposition()));
      html.open("td", "class", "what").text(f.message());
      if (!f.snippet().isEmpty()) {
        html.open("pre").element("code", f.snippet()).close();
      }
      if (!f.advice().isBlank()) {
        html.element("p", f.advice().strip(), "class", "advice");
      }
      html.close().close().newLine();
    }
    html.close().close().close().newLine();
    html.open("div", "id", "pages", "class", "pages", "hidden", "").newLine();
    html.element("button", "First", "type", "button", "data-to", "first");
    html.element("button", "Previous", "type", "button", "data-to", "previous");
    html.element("span", "", "id", "page");
    html.element("button", "Next", "type", "button", "data-to", "next");
    html.element("button", "Last", "type", "button", "data-to", "last");
    html.open("label").text("Rows ").open("select", "id", "size");
    for (int n : new int[] {50, 200, 1000}) {
      html.element("option", String.valueOf(n), "value", String.valueOf(n));
    }
    html.close().close().close().newLine();
  }

  private static String place(Finding f) {
    return f.line() == 0 ? f.path() : f.path() + ":" + f.line() + ":" + f.column();
  }

  /** Numbers texts, which often repeat. */
  private static final class Texts {
    private final Map<String, Integer> numbers = new LinkedHashMap<>();

    int of(String text) {
      String visible = TextReport.visible(text);
      Integer known = numbers.putIfAbsent(visible, numbers.size());
      return known == null ? numbers.size() - 1 : known;
    }
  }

  /**
   * Writes all findings as one block of JSON, with a table of texts.
   *
   * <p>A finding is an array: rule, severity, disposition, path, line, column, message, advice,
   * snippet, fingerprint, state, reason; with texts as indexes into the table.
   */
  private void data(Writer out) {
    Texts texts = new Texts();
    html.own("<script type=\"application/json\" id=\"data\">");
    try (JsonGenerator g = Json.compact(new Unmarked(out))) {
      g.writeStartObject();
      g.writeArrayPropertyStart("findings");
      for (Row r : rows) {
        Finding f = r.finding();
        g.writeStartArray();
        g.writeNumber(texts.of(f.rule()));
        g.writeNumber(texts.of(f.severity().label()));
        g.writeNumber(texts.of(JsonReport.label(f.disposition())));
        g.writeNumber(texts.of(f.path()));
        g.writeNumber(f.line());
        g.writeNumber(f.column());
        g.writeNumber(texts.of(f.message()));
        g.writeNumber(texts.of(f.advice().strip()));
        g.writeNumber(texts.of(f.snippet()));
        g.writeString(TextReport.visible(f.fingerprint()));
        g.writeNumber(texts.of(JsonReport.label(r.state())));
        g.writeNumber(texts.of(r.reason()));
        g.writeEndArray();
      }
      g.writeEndArray();
      g.writeArrayPropertyStart("rules");
      for (RuleInfo info : result.rulesUsed()) {
        g.writeStartArray();
        g.writeNumber(texts.of(info.id()));
        g.writeNumber(texts.of(info.title()));
        g.writeNumber(texts.of(info.why()));
        g.writeEndArray();
      }
      g.writeEndArray();
      g.writeArrayPropertyStart("texts");
      texts.numbers.keySet().forEach(g::writeString);
      g.writeEndArray();
      g.writeEndObject();
    }
    html.own("</script>\n");
  }

  /**
   * Returns JSON without characters that could begin HTML markup; they are escaped by their code
   * points.
   */
  private static final class Unmarked extends FilterWriter {
    Unmarked(Writer out) {
      super(out);
    }

    @Override
    public void write(int c) throws IOException {
      switch (c) {
        case '<', '>', '&', '\u2028', '\u2029' -> out.write("\\u%04x".formatted(c));
        default -> out.write(c);
      }
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
      int plain = from;
      for (int i = from; i < from + length; i++) {
        if ("<>&\u2028\u2029".indexOf(text[i]) >= 0) {
          out.write(text, plain, i - plain);
          write(text[i]);
          plain = i + 1;
        }
      }
      out.write(text, plain, from + length - plain);
    }

    @Override
    public void write(String text, int from, int length) throws IOException {
      write(text.substring(from, from + length).toCharArray(), 0, length);
    }
  }
}
