package dev.rocport.cli.rules;

import dev.rocport.render.text.Paper;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.List;
import java.util.Locale;

/** The page of a rule, and of a CUDA name. */
final class RulePage {
  private static final String INDENT = "  ";
  private final Paper paper;

  RulePage(Paper paper) {
    this.paper = paper;
  }

  private static String evidence(Rule r) {
    return r.evidence().isEmpty() || r.evidence().equals(List.of("documents"))
        ? String.join("", r.evidence())
            .replace("documents", "known from documents, not shown by a test")
        : "compiled graphs in fixtures/torch: " + String.join(", ", r.evidence());
  }

  String rule(Rule r, RuleCatalog catalog) {
    StringBuilder out = new StringBuilder();
    out.append(paper.bold(r.id())).append("  ").append(r.title()).append("\n");
    out.append(
        "%sseverity %s, confidence %s, in rules/%s.yaml\n"
            .formatted(INDENT, paper.severity(r.severity()), r.confidence().label(), r.family()));
    if (!r.needs().isEmpty()) {
      out.append(INDENT).append("needs HIP ").append(r.needs()).append("\n");
    }
    if (!r.libs().isEmpty()) {
      out.append(INDENT).append("with --libs ").append(r.libs()).append(" only\n");
    }
    section(out, "Why", paper.wrap(r.why(), INDENT));
    if (!r.match().isEmpty()) {
      section(out, "Pattern", Paper.indent(r.match(), INDENT));
      section(out, "Becomes", Paper.indent(r.rewrite(), INDENT));
    }
    if (!r.functions().isEmpty()) {
      section(
          out,
          r.match().isEmpty() ? "Functions" : "$f stands for",
          paper.wrap(String.join(", ", r.functions()), INDENT));
    }
    if (!r.analysis().isEmpty()) {
      section(out, "Applied by", INDENT + "the built-in analysis '" + r.analysis() + "'\n");
    }
    section(out, "Headers", paper.wrap(String.join(", ", r.headers()), INDENT));
    section(out, "Headers with --libs roc", paper.wrap(String.join(", ", r.rocHeaders()), INDENT));
    section(out, "Advice", paper.wrap(r.advice(), INDENT));
    section(out, "Evidence", paper.wrap(evidence(r), INDENT));
    int names = count(r, catalog);
    if (names > 0) {
      section(
          out,
          "Names",
          INDENT
              + names
              + " in rules/"
              + r.family()
              + ".tsv; rocport explain NAME shows one of them\n");
    }
    for (Rule.Example e : r.examples()) {
      boolean reports = e.before().equals(e.after());
      String options = e.options().isEmpty() ? "" : " with " + String.join(" ", e.options());
      section(
          out,
          (reports ? "Reported, not changed" : "Before") + options,
          Paper.indent(e.before(), INDENT));
      if (!reports) {
        section(out, "After", Paper.indent(e.after(), INDENT));
      }
    }
    for (String u : r.unchanged()) {
      section(out, "Left unchanged", Paper.indent(u, INDENT));
    }
    return out.toString();
  }

  /** The row of a name, with the rule of its family. */
  String name(ApiName n, RuleCatalog catalog) {
    StringBuilder out = new StringBuilder();
    String kind = n.kind().name().toLowerCase(Locale.ROOT);
    out.append(paper.bold(n.cuda())).append("  ").append(kind).append("\n");
    if (n.isSupported()) {
      line(out, "HIP", n.hip());
      line(out, "with --libs roc", n.roc().isEmpty() ? n.hip() : n.roc());
      line(out, "needs", n.needs().isEmpty() ? "any HIP version from 5.7 on" : "HIP " + n.needs());
    } else {
      line(out, "HIP", paper.red("not supported"));
    }
    Rule family = catalog.find(n.family());
    line(out, "rule", n.family() + (family == null ? "" : ": " + family.title()));
    if (family != null && n.isSupported()) {
      line(out, "headers", String.join(", ", family.headers()));
    }
    if (!n.advice().isEmpty()) {
      out.append(paper.wrap(n.advice(), INDENT));
    }
    return out.toString();
  }

  /** One line about a rule with additional information on a name. */
  String reference(Rule r) {
    return INDENT + "see also " + paper.bold(r.id()) + ": " + r.title() + "\n";
  }

  static int count(Rule r, RuleCatalog catalog) {
    long names = catalog.names().stream().filter(n -> n.family().equals(r.id())).count();
    long shmem =
        catalog.shmem().names().values().stream()
            .filter(n -> n.getFirst().rule().equals(r.id()))
            .count();
    return (int) (names + shmem);
  }

  private void section(StringBuilder out, String title, String body) {
    if (!body.isBlank()) {
      out.append("\n").append(paper.bold(title)).append("\n").append(body);
    }
  }

  private static void line(StringBuilder out, String label, String value) {
    if (!value.isEmpty()) {
      out.append("%s%-16s %s\n".formatted(INDENT, label, value));
    }
  }
}
