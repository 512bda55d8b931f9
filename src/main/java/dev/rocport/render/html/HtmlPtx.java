package dev.rocport.render.html;

import dev.rocport.core.result.PtxInfo;
import dev.rocport.core.result.Result;
import java.util.List;

/** The remaining PTX by instruction: what it does, why it was not ported, and what to do. */
final class HtmlPtx {
  private static final int MOST = 150;
  private static final int MOST_PLACES = 12;

  private final List<PtxInfo> left;
  private final HtmlWriter html;

  HtmlPtx(Result result, HtmlWriter html) {
    this.left = result.ptx();
    this.html = html;
  }

  boolean isEmpty() {
    return left.isEmpty();
  }

  void write() {
    HtmlTable.begin(
        html,
        "Leftover PTX",
        "clrrl",
        List.of("instruction", "what it does, and what to do", "places", "files", "effort"));
    for (PtxInfo i : left.subList(0, Math.min(MOST, left.size()))) {
      html.open("tr");
      HtmlTable.cell(html, 'c', i.instruction().isEmpty() ? "-" : i.instruction());
      html.open("td", "class", "words");
      html.text(i.meaning().isEmpty() ? "An unknown instruction." : sentence(i));
      if (!i.advice().isBlank()) {
        html.element("p", i.advice(), "class", "advice");
      }
      places(i);
      html.close();
      HtmlTable.cell(html, 'r', HtmlOverview.number(i.count()));
      HtmlTable.cell(html, 'r', HtmlOverview.number(i.files()));
      HtmlTable.cell(html, 'l', i.effort());
      html.close().newLine();
    }
    HtmlTable.end(html);
    if (left.size() > MOST) {
      String more = "and " + (left.size() - MOST) + " more instructions";
      html.element("p", more, "class", "more").newLine();
    }
  }

  private static String sentence(PtxInfo i) {
    return i.meaning().endsWith(".") ? i.meaning() : i.meaning() + ".";
  }

  private void places(PtxInfo i) {
    int most = Math.min(MOST_PLACES, i.places().size());
    html.open("details").element("summary", i.count() == 1 ? "Place" : "Places").open("ul");
    i.places().subList(0, most).forEach(p -> html.open("li").element("code", p).close());
    if (i.places().size() > most) {
      html.element("li", "and " + (i.places().size() - most) + " more");
    }
    html.close().close();
  }
}
