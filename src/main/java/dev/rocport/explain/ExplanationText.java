package dev.rocport.explain;

import dev.rocport.commandline.NvccFlags;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.PtxRow;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Explanations as Markdown, for editors. */
public final class ExplanationText {
  /** An instruction may have dozens of forms; an editor shows some of them. */
  private static final int FORMS = 6;

  private ExplanationText() {}

  /** Returns the text; empty if nothing is known. */
  public static String of(Explanation e, RuleCatalog catalog) {
    List<String> parts = new ArrayList<>();
    e.flag().ifPresent(f -> parts.add(flag(f)));
    e.rule().ifPresent(r -> parts.add(rule(r)));
    e.names().forEach(n -> parts.add(name(n, catalog)));
    e.ptx().stream().limit(FORMS).forEach(row -> parts.add(ptx(row)));
    if (e.ptx().size() > FORMS) {
      parts.add("… and " + (e.ptx().size() - FORMS) + " more forms: `rocport explain` shows all.");
    }
    if (!parts.isEmpty() && e.rule().isEmpty()) {
      e.about().forEach(r -> parts.add("See also **" + r.id() + "**: " + text(r.title())));
    }
    return String.join("\n\n", parts);
  }

  private static String flag(NvccFlags.Fate f) {
    List<String> lines = new ArrayList<>();
    boolean same = f.name().equals("-" + f.shortName());
    lines.add(code(f.name()) + (same ? "" : " (" + code(f.shortName()) + ")") + " — an nvcc flag");
    add(lines, "hipcc", f.hip().isEmpty() ? "" : code(f.hip()));
    add(lines, "", text(f.outcome()));
    add(lines, "", text(f.reason()));
    return String.join("  \n", lines);
  }

  private static String rule(Rule r) {
    List<String> parts = new ArrayList<>();
    parts.add("**" + r.id() + "** " + text(r.title()));
    parts.add("Severity " + r.severity().label() + ", confidence " + r.confidence().label() + ".");
    parts.add(text(r.why()));
    if (!r.advice().isEmpty()) {
      parts.add("**Advice:** " + text(r.advice()));
    }
    return String.join("\n\n", parts);
  }

  private static String name(ApiName n, RuleCatalog catalog) {
    List<String> lines = new ArrayList<>();
    lines.add("**" + code(n.cuda()) + "** " + n.kind().name().toLowerCase(Locale.ROOT));
    if (n.isSupported()) {
      add(lines, "HIP", code(n.hip()));
      add(lines, "with `--libs roc`", n.roc().isEmpty() ? "" : code(n.roc()));
      add(lines, "needs", n.needs().isEmpty() ? "any HIP version from 5.7 on" : "HIP " + n.needs());
    } else {
      add(lines, "HIP", "not supported");
    }
    Rule family = catalog.find(n.family());
    add(lines, "rule", n.family() + (family == null ? "" : ": " + text(family.title())));
    if (family != null && n.isSupported()) {
      add(
          lines,
          "headers",
          String.join(", ", family.headers().stream().map(h -> code(h)).toList()));
    }
    String rows = String.join("  \n", lines);
    return n.advice().isEmpty() ? rows : rows + "\n\n" + text(n.advice());
  }

  private static String ptx(PtxRow row) {
    List<String> lines = new ArrayList<>();
    lines.add("**" + code(row.form()) + "**");
    add(lines, "HIP", row.isTranslated() ? code(row.hip()) : "not translated");
    add(lines, "", text(row.meaning()));
    if (row.isTranslated()) {
      add(lines, "exactness", text(row.exact()));
    } else {
      add(lines, "effort", text(row.effort()));
    }
    add(lines, "rule", row.rule());
    add(lines, "", text(row.note()));
    return String.join("  \n", lines);
  }

  private static void add(List<String> lines, String label, String value) {
    if (!value.isBlank()) {
      lines.add(label.isEmpty() ? value : label + ": " + value);
    }
  }

  private static String code(String text) {
    String fence = text.contains("`") ? "``" : "`";
    return fence + text.replace('\n', ' ') + fence;
  }

  /** Text of a rule may hold characters that Markdown gives a meaning. */
  private static String text(String text) {
    return text.strip().replaceAll("([\\\\*_<>\\[\\]])", "\\\\$1");
  }
}
