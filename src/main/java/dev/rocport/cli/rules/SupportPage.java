package dev.rocport.cli.rules;

import dev.rocport.io.TsvTable;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.BuiltInText;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is ported, as a page in Markdown, made from the rules. */
final class SupportPage {
  private final RuleCatalog catalog;
  private final StringBuilder out = new StringBuilder();

  /** Names that some rule provides; the table of another rule may still list them as missing. */
  private final Set<String> answered = new HashSet<>();

  private SupportPage(RuleCatalog catalog) {
    this.catalog = catalog;
    for (ApiName n : catalog.names()) {
      if (!n.hip().isEmpty() || !n.roc().isEmpty()) {
        answered.add(n.cuda());
      }
    }
  }

  static String of(RuleCatalog catalog) {
    SupportPage page = new SupportPage(catalog);
    page.out.append("# What is ported\n\nGenerated from the rules by `rocport rules docs`.\n");
    page.features();
    page.families();
    page.missing();
    page.warps();
    page.rules();
    return page.out.toString();
  }

  private void features() {
    out.append("\n## CUDA features\n\n| area | feature | ported | how |\n|---|---|---|---|\n");
    String header = "area\tfeature\tstate\thow";
    for (TsvTable.Row r : BuiltInText.table("docs/features.tsv", header).rows()) {
      row(r.cell(0), r.cell(1), r.cell(2), r.cell(3));
    }
  }

  /** Numbers of names of one family. */
  private final class Counts {
    private int all;
    private int hip;
    private int roc;
    private int later;
    private int missing;

    private void add(ApiName n) {
      all++;
      hip += n.hip().isEmpty() ? 0 : 1;
      roc += n.roc().isEmpty() ? 0 : 1;
      later += n.needs().isEmpty() ? 0 : 1;
      missing += answered.contains(n.cuda()) ? 0 : 1;
    }
  }

  private void families() {
    SortedMap<String, Counts> counts = new TreeMap<>();
    catalog.names().forEach(n -> counts.computeIfAbsent(n.family(), f -> new Counts()).add(n));
    out.append("\n## API names\n\n");
    out.append(
        "`rocport explain NAME` shows each name. A name can belong to two families. If a name has"
            + " no\n");
    out.append(
        "counterpart in one of them, rocport headers may provide it, and it counts as"
            + " available.\n\n");
    out.append(
        "| rule | names | in HIP | in roc libraries | have a minimum HIP version | none |\n");
    out.append("|---|---:|---:|---:|---:|---:|\n");
    counts.forEach((f, c) -> row("`" + f + "`", c.all, c.hip, c.roc, c.later, c.missing));
  }

  /** Functions and types without a counterpart, a line for each part. */
  private void missing() {
    SortedMap<String, List<String>> missing = new TreeMap<>();
    for (ApiName n : catalog.names()) {
      boolean called = n.kind() == ApiName.Kind.FUNCTION || n.kind() == ApiName.Kind.DEVICE;
      if (called && !answered.contains(n.cuda())) {
        missing.computeIfAbsent(n.family(), f -> new ArrayList<>()).add("`" + n.cuda() + "`");
      }
    }
    out.append("\n## Functions without a counterpart\n\nEach use is an error finding.\n");
    missing.forEach(
        (family, names) ->
            out.append(
                "\n**%s** (%d): %s\n".formatted(family, names.size(), String.join(" ", names))));
  }

  private void warps() {
    out.append("\n## Warps\n\nHow code for 32-lane warps is ported.\n\n");
    out.append("| rule | what | confidence | why |\n|---|---|---|---|\n");
    for (Rule r : catalog.rules()) {
      if (r.topic().isOfWarps()) {
        row("`" + r.id() + "`", r.title(), r.confidence().label(), one(r.why()));
      }
    }
  }

  private void rules() {
    Map<String, List<Rule>> families = new LinkedHashMap<>();
    catalog
        .rules()
        .forEach(r -> families.computeIfAbsent(r.family(), f -> new ArrayList<>()).add(r));
    out.append("\n## All rules\n\n`rocport explain ID` shows each rule with examples.\n");
    new TreeMap<>(families)
        .forEach(
            (family, rules) -> {
              out.append("\n### " + family + "\n\n| rule | what | severity | confidence |\n");
              out.append("|---|---|---|---|\n");
              for (Rule r : rules) {
                row("`" + r.id() + "`", r.title(), r.severity().label(), r.confidence().label());
              }
            });
  }

  private static String one(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }

  private void row(Object... cells) {
    out.append('|');
    for (Object cell : cells) {
      out.append(' ')
          .append(cell.toString().replace("|", "\\|").replaceAll("<(?![^`]*`)", "&lt;"))
          .append(" |");
    }
    out.append('\n');
  }
}
