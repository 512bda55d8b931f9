package dev.rocport.render.html;

import dev.rocport.core.result.Effort;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.Severity;
import dev.rocport.render.html.FolderEffort.Part;
import dev.rocport.render.html.Treemap.Box;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The effort as a map whose areas are minutes, and as a table. */
final class HtmlEffort {
  private static final int MOST_ROWS = 15;
  private static final double WIDTH = 1000;
  private static final double HEIGHT = 360;

  private final List<Part> parts;
  private final List<Box> boxes;

  HtmlEffort(Result result) {
    this.parts = FolderEffort.parts(result.files());
    this.boxes = Treemap.boxes(parts.stream().map(Part::minutes).toList(), WIDTH, HEIGHT);
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  /** The positions of the boxes; the page's policy allows no style on elements. */
  String style() {
    if (parts.size() < 2) {
      return "";
    }
    StringBuilder css = new StringBuilder();
    for (int i = 0; i < boxes.size(); i++) {
      Box b = boxes.get(i);
      css.append(
          String.format(
              Locale.ROOT,
              ".c%d{left:%.3f%%;top:%.3f%%;width:%.3f%%;height:%.3f%%}",
              i,
              100 * b.x() / WIDTH,
              100 * b.y() / HEIGHT,
              100 * b.width() / WIDTH,
              100 * b.height() / HEIGHT));
    }
    return css.toString();
  }

  void write(HtmlWriter html) {
    if (parts.size() > 1) {
      map(html);
    }
    List<List<String>> rows = new ArrayList<>();
    for (Part p : parts.subList(0, Math.min(MOST_ROWS, parts.size()))) {
      Severity worst = p.worst();
      rows.add(
          List.of(
              name(p),
              HtmlOverview.number(p.files()),
              HtmlOverview.number(p.findings()),
              worst == null ? "" : worst.label(),
              Effort.time(p.minutes())));
    }
    HtmlTable.write(
        html,
        "Effort by folder",
        "crrlr",
        List.of("where", "files", "findings", "worst", "effort"),
        rows);
    if (parts.size() > rows.size()) {
      html.element("p", "and " + (parts.size() - rows.size()) + " more parts", "class", "more");
    }
  }

  private void map(HtmlWriter html) {
    html.element(
            "p",
            "The area shows the estimated manual work, and the color shows the most severe finding."
                + " Select a part to see its findings.")
        .newLine();
    html.open("div", "class", "map", "role", "group", "aria-label", "Effort by folder").newLine();
    for (int i = 0; i < parts.size(); i++) {
      Part p = parts.get(i);
      Severity worst = p.worst();
      String kind = worst == null ? "" : " " + worst.label();
      String all =
          name(p)
              + ", "
              + Effort.time(p.minutes())
              + ", "
              + HtmlOverview.count(p.findings(), "finding");
      html.open(
          "a",
          "class",
          "cell c" + i + kind,
          "href",
          "#findings",
          "data-path",
          p.path(),
          "title",
          all,
          "aria-label",
          all);
      html.element("b", shortName(p)).element("span", Effort.time(p.minutes()));
      html.close().newLine();
    }
    html.close().newLine();
  }

  private static String name(Part p) {
    return p.path().isEmpty() ? "all others" : p.path();
  }

  private static String shortName(Part p) {
    String name = name(p);
    return name.substring(name.lastIndexOf('/', name.length() - 2) + 1);
  }
}
