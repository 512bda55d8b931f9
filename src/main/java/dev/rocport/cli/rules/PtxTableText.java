package dev.rocport.cli.rules;

import dev.rocport.rules.PtxRow;
import dev.rocport.rules.RuleCatalog;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What is known of PTX's instructions, as tables in Markdown. */
final class PtxTableText {
  private static final int LONGEST = 160;

  private PtxTableText() {}

  /** A row an opcode, and one for each kind of special registers. */
  static String opcodes(RuleCatalog catalog) {
    Map<String, List<PtxRow>> groups = new TreeMap<>();
    for (PtxRow row : catalog.ptx()) {
      groups.computeIfAbsent(subject(row), k -> new ArrayList<>()).add(row);
    }
    StringBuilder out = new StringBuilder();
    out.append("| instruction | translated | exact or within | why not |\n|---|---|---|---|\n");
    groups.forEach((opcode, rows) -> out.append(line(opcode, rows)));
    return out.toString();
  }

  /** A row a form. */
  static String forms(RuleCatalog catalog) {
    StringBuilder out = new StringBuilder();
    String rule = "";
    for (PtxRow row : catalog.ptx()) {
      if (!row.rule().equals(rule)) {
        rule = row.rule();
        String title = java.util.Objects.requireNonNull(catalog.find(rule)).title();
        out.append(out.isEmpty() ? "" : "\n").append("## ").append(rule).append(": ").append(title);
        out.append(
            "\n\n| form | what it does | HIP | exact or within | notes |\n|---|---|---|---|---|\n");
      }
      out.append("| `").append(cell(row.form())).append("` | ").append(cell(row.meaning()));
      out.append(" | ").append(row.isTranslated() ? "`" + cell(row.hip()) + "`" : "no");
      out.append(" | ").append(row.isTranslated() ? cell(row.exact()) : "");
      out.append(" | ").append(cell(row.note())).append(" |\n");
    }
    return out.toString();
  }

  private static String line(String opcode, List<PtxRow> rows) {
    long translated = rows.stream().filter(PtxRow::isTranslated).count();
    String how =
        translated == rows.size()
            ? "yes"
            : translated == 0 ? "no" : translated + " of " + rows.size() + " forms";
    Set<String> bounds = new LinkedHashSet<>();
    Set<String> reasons = new LinkedHashSet<>();
    for (PtxRow row : rows) {
      if (row.isTranslated()) {
        bounds.add(row.exact());
      } else {
        reasons.add(shortened(row.note()));
      }
    }
    return "| `%s` | %s | %s | %s |\n"
        .formatted(
            cell(opcode), how, cell(bounds(bounds)), cell(reasons.stream().findFirst().orElse("")));
  }

  /** The bounds of the forms, on one line each if one of them names the types that it is for. */
  private static String bounds(Set<String> bounds) {
    if (bounds.stream().noneMatch(b -> b.contains(": "))) {
      return String.join("; ", bounds);
    }
    return bounds.stream()
        .map(b -> b.equals("exact") ? "other types: exact" : b)
        .collect(Collectors.joining("<br>"));
  }

  /** The first sentence. */
  private static String shortened(String note) {
    int stop = note.indexOf(". ");
    String first = stop < 0 ? note : note.substring(0, stop + 1);
    return first.length() <= LONGEST ? first : first.substring(0, LONGEST - 3) + "...";
  }

  /** An opcode, or a special register without its part and number. */
  private static String subject(PtxRow row) {
    if (row.isRegister()) {
      int stop = row.form().indexOf('.');
      String name = stop < 0 ? row.form() : row.form().substring(0, stop);
      return name.replaceFirst("(?<=[a-z])[0-9]+$", "");
    }
    return row.opcode();
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("\n", " ");
  }
}
