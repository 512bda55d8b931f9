package dev.rocport.render.html;

import dev.rocport.core.result.BuildInfo;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What was built: units by the sides that they were compiled for, and what was linked. */
final class HtmlBuild {
  private static final int MOST = 500;

  private final BuildInfo build;
  private final HtmlWriter html;

  HtmlBuild(BuildInfo build, HtmlWriter html) {
    this.build = build;
    this.html = html;
  }

  void write() {
    html.element(
            "p",
            "Planned from %s, compiled by %s with the headers of HIP %s for %s."
                .formatted(
                    build.source(),
                    build.compiler(),
                    build.hip(),
                    String.join(", ", build.targets())))
        .newLine();
    build.notes().forEach(n -> html.element("p", n, "class", "note").newLine());
    units();
    links();
  }

  private void units() {
    if (build.units().isEmpty()) {
      return;
    }
    Set<String> sides = new LinkedHashSet<>(build.targets());
    build.units().forEach(u -> sides.addAll(u.sides().keySet()));
    List<String> header = new ArrayList<>(List.of("unit", "language"));
    header.addAll(sides);
    header.addAll(List.of("kernels", "warnings", "what"));
    html.element("h3", "Units").newLine();
    HtmlTable.begin(html, "Units", "cl" + "l".repeat(sides.size()) + "rrl", header);
    for (BuildInfo.Unit u : build.units().subList(0, Math.min(MOST, build.units().size()))) {
      html.open("tr");
      HtmlTable.cell(html, 'c', u.path());
      HtmlTable.cell(html, 'l', u.language());
      for (String side : sides) {
        Boolean ok = u.sides().get(side);
        String word = ok == null ? "" : ok ? "ok" : "failed";
        html.element("td", word, "class", ("heat " + word).strip());
      }
      int kernels = u.kernels().values().stream().mapToInt(Integer::intValue).max().orElse(0);
      HtmlTable.cell(html, 'r', HtmlOverview.number(kernels));
      HtmlTable.cell(html, 'r', HtmlOverview.number(u.warnings()));
      HtmlTable.cell(html, 'l', u.message());
      html.close().newLine();
    }
    HtmlTable.end(html);
    if (build.units().size() > MOST) {
      html.element("p", "and " + (build.units().size() - MOST) + " more units", "class", "more");
    }
  }

  private void links() {
    if (build.links().isEmpty()) {
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    for (BuildInfo.Link l : build.links()) {
      String kernels =
          l.kernels().entrySet().stream()
              .map((Map.Entry<String, List<String>> e) -> e.getKey() + " " + e.getValue().size())
              .collect(Collectors.joining(", "));
      rows.add(
          List.of(l.name(), l.kind().toLowerCase(Locale.ROOT), l.status(), kernels, l.message()));
    }
    html.element("h3", "Programs and libraries").newLine();
    HtmlTable.write(
        html,
        "Programs and libraries",
        "cllll",
        List.of("name", "kind", "status", "kernels", "what"),
        rows);
  }
}
