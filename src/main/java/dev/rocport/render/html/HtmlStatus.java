package dev.rocport.render.html;

import dev.rocport.core.result.PortStatus;
import dev.rocport.core.result.PortStatus.Kernel;
import dev.rocport.core.result.PortStatus.Step;
import java.io.Writer;
import java.util.List;

/** The state of a port as one page that needs no network and runs no script. */
public final class HtmlStatus {
  private final PortStatus status;
  private final HtmlWriter html;

  private HtmlStatus(PortStatus status, Writer out) {
    this.status = status;
    this.html = new HtmlWriter(out);
  }

  /** Writes the page and leaves the writer open. */
  public static void write(PortStatus status, Writer out) {
    new HtmlStatus(status, out).page();
  }

  private void page() {
    html.own("<!DOCTYPE html>\n<html lang=\"en\">\n").open("head").newLine();
    html.single("meta", "charset", "utf-8").newLine();
    String policy =
        "default-src 'none'; style-src '%s'; base-uri 'none'; form-action 'none'"
            .formatted(HtmlReport.hash(HtmlReport.STYLE));
    html.single("meta", "http-equiv", "Content-Security-Policy", "content", policy).newLine();
    html.single("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    html.newLine().element("title", "rocport status: " + status.root());
    html.own("\n<style>" + HtmlReport.STYLE + "</style>\n").close().newLine();
    html.open("body").newLine().open("header").open("div", "class", "bar");
    html.element("h1", "rocport status").close();
    html.open("p", "class", "roots").element("bdi", status.root()).close().close().newLine();
    html.open("main").newLine();
    section("next", "Worth doing next", () -> list("ol", status.next()));
    section("changes", "Changed since the last time", () -> list("ul", status.changes()));
    section("figures", "Figures", this::figures);
    section("kernels", "Kernels", this::kernels);
    section("steps", "Steps", this::steps);
    html.close().close().own("\n</html>\n");
  }

  private void section(String id, String title, Runnable body) {
    html.open("section", "id", id, "aria-labelledby", id + "-title").newLine();
    html.element("h2", title, "id", id + "-title").newLine();
    body.run();
    html.close().newLine();
  }

  private void list(String tag, List<String> lines) {
    if (lines.isEmpty()) {
      html.element("p", "Nothing.").newLine();
      return;
    }
    html.open(tag);
    lines.forEach(l -> html.element("li", l).newLine());
    html.close().newLine();
  }

  private void figures() {
    List<List<String>> rows =
        status.figures().entrySet().stream()
            .map(e -> List.of(e.getKey(), HtmlOverview.number(e.getValue())))
            .toList();
    HtmlTable.write(html, "Figures", "lr", List.of("figure", "number"), rows);
  }

  private void kernels() {
    List<String> header =
        List.of("kernel", "source", "ported", "built", "run", "compared", "checked");
    HtmlTable.begin(html, "Kernels", "cclllll", header);
    for (Kernel k : status.kernels()) {
      html.open("tr");
      HtmlTable.cell(html, 'c', k.name());
      HtmlTable.cell(html, 'c', k.path());
      for (boolean done : List.of(k.ported(), k.built(), k.run(), k.compared(), k.checked())) {
        html.element("td", done ? "yes" : "no", "class", done ? "heat ok" : "heat");
      }
      html.close().newLine();
    }
    HtmlTable.end(html);
  }

  private void steps() {
    List<List<String>> rows = status.steps().stream().map(HtmlStatus::row).toList();
    HtmlTable.write(html, "Steps", "lcll", List.of("command", "of", "outcome", "on"), rows);
  }

  private static List<String> row(Step s) {
    return List.of(s.command(), s.subject(), s.outcome(), s.on());
  }
}
