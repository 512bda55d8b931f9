package dev.rocport.render.html;

import dev.rocport.core.result.Change;
import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.RuleInfo;
import dev.rocport.core.result.Topic;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The decisions about warps of 32 lanes, and the ports of the lines that depend on them. */
final class HtmlWarps {
  private static final int MOST_FILES = 100;
  private static final int MOST_CHANGES = 400;

  private final Result result;
  private final List<FileResult> files;
  private final HtmlWriter html;

  HtmlWarps(Result result, HtmlWriter html) {
    this.result = result;
    this.html = html;
    this.files =
        result.files().stream()
            .map(FileReport::result)
            .filter(f -> !f.changes().isEmpty() || !decisions(f).isEmpty())
            .toList();
  }

  private List<Finding> decisions(FileResult f) {
    return f.findings().stream().filter(x -> result.topic(x.rule()) == Topic.WARP).toList();
  }

  boolean isEmpty() {
    return files.isEmpty();
  }

  void write() {
    rules();
    int left = MOST_CHANGES;
    int shown = 0;
    for (FileResult f : files) {
      if (shown == MOST_FILES || left == 0) {
        break;
      }
      shown++;
      List<Change> changes = f.changes().subList(0, Math.min(left, f.changes().size()));
      left -= changes.size();
      file(f, changes);
    }
    if (shown < files.size()) {
      html.element("p", "and " + (files.size() - shown) + " more files", "class", "more").newLine();
    }
  }

  private void rules() {
    SortedMap<String, Integer> counts = new TreeMap<>();
    files.forEach(f -> decisions(f).forEach(x -> counts.merge(x.rule(), 1, Integer::sum)));
    if (counts.isEmpty()) {
      return;
    }
    HtmlTable.begin(html, "Decisions", "clr", List.of("rule", "what", "places"));
    counts.forEach(
        (rule, n) -> {
          RuleInfo info = result.rules().get(rule);
          html.open("tr").open("td", "class", "code");
          html.open("a", "href", "#findings", "data-rule", rule).element("code", rule);
          html.close().close();
          HtmlTable.cell(html, 'l', info == null ? "" : info.title());
          HtmlTable.cell(html, 'r', HtmlOverview.number(n));
          html.close().newLine();
        });
    HtmlTable.end(html);
  }

  private void file(FileResult f, List<Change> changes) {
    List<Finding> decisions = decisions(f);
    html.open("details", "class", "file").open("summary").element("code", f.path());
    html.text(
        " "
            + HtmlOverview.count(decisions.size(), "decision")
            + ", "
            + HtmlOverview.count(f.changes().size(), "place")
            + " before and after");
    html.close().newLine();
    if (!decisions.isEmpty()) {
      html.open("ul").newLine();
      for (Finding x : decisions) {
        html.open("li").element("code", "line " + x.line()).text(" ");
        html.element("span", x.rule(), "class", "badge " + x.severity().label());
        html.text(" " + x.message()).close().newLine();
      }
      html.close().newLine();
    }
    for (Change c : changes) {
      html.open("div", "class", "sides", "role", "group", "aria-label", "Line " + c.line());
      List<String> before = lines(c.before());
      List<String> after = lines(c.after());
      int indent = Math.min(indent(before), indent(after));
      side("before", c.line(), before, indent);
      side("after", c.line(), after, indent);
      html.close().newLine();
    }
    if (changes.size() < f.changes().size()) {
      String more = "and " + (f.changes().size() - changes.size()) + " more places";
      html.element("p", more, "class", "more").newLine();
    }
    html.close().newLine();
  }

  private static List<String> lines(String text) {
    return text.lines().map(l -> l.replace("\t", "    ")).toList();
  }

  /** Returns the number of blanks that all lines begin with. */
  private static int indent(List<String> lines) {
    return lines.stream()
        .filter(l -> !l.isBlank() && !l.equals(Change.MORE))
        .mapToInt(l -> l.length() - l.stripLeading().length())
        .min()
        .orElse(0);
  }

  private void side(String which, int line, List<String> lines, int indent) {
    html.open("figure", "class", which);
    html.element("figcaption", which + ", line " + line);
    html.open("pre").open("code");
    for (int i = 0; i < lines.size(); i++) {
      String text = lines.get(i);
      html.text(text.substring(Math.min(indent, text.length() - text.stripLeading().length())));
      if (i + 1 < lines.size()) {
        html.newLine();
      }
    }
    html.close().close().close();
  }
}
