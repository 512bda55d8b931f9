package dev.rocport.inventory;

import dev.rocport.inventory.Bill.Use;
import java.util.Collection;

/** Bills and the table of all known components, as Markdown. */
public final class BillMarkdown {
  private BillMarkdown() {}

  /** The bill of a tree. */
  public static String of(Bill bill) {
    StringBuilder out = new StringBuilder("# CUDA dependencies\n\n");
    out.append(BillText.summary(bill)).append(".\n");
    if (!bill.uses().isEmpty()) {
      out.append("\n| component | version | support | on ROCm | found as | first |\n");
      out.append("|---|---|---|---|---|---|\n");
      for (Use u : bill.uses()) {
        row(
            out,
            u.component().name(),
            String.join(", ", u.versions()),
            u.support().label(),
            u.component().counterpart(),
            BillText.kinds(u),
            u.evidence().getFirst().place());
      }
      out.append("\n## What to do\n\n");
      for (Use u : bill.uses()) {
        out.append("- **").append(cell(u.component().name())).append("**: ");
        out.append(cell(u.component().note()));
        if (!u.without().isEmpty()) {
          out.append(" Names without a counterpart: ");
          out.append(cell(String.join(", ", u.without()))).append('.');
        }
        out.append('\n');
      }
    }
    if (!bill.targets().isEmpty()) {
      out.append("\n## NVIDIA GPUs\n\n| GPU | found as |\n|---|---|\n");
      BillText.targets(bill).forEach((name, where) -> row(out, name, where));
    }
    if (!bill.notes().isEmpty()) {
      out.append("\n## Not examined\n\n| file | why |\n|---|---|\n");
      bill.notes().forEach(n -> row(out, n.path(), n.message()));
    }
    return out.toString();
  }

  /** All components, a table for each group. */
  public static String known(Collection<Component> components) {
    StringBuilder out = new StringBuilder();
    String group = "";
    for (Component c : components) {
      if (!c.group().equals(group)) {
        group = c.group();
        out.append(out.isEmpty() ? "" : "\n").append("## ");
        out.append(group.substring(0, 1).toUpperCase(java.util.Locale.ROOT));
        out.append(group.substring(1)).append("\n\n");
        out.append("| component | support | on ROCm | library, target, header | notes |\n");
        out.append("|---|---|---|---|---|\n");
      }
      String parts =
          java.util.stream.Stream.of(c.library(), c.target(), c.header())
              .filter(s -> !s.isEmpty())
              .map(s -> "`" + s + "`")
              .collect(java.util.stream.Collectors.joining(", "));
      row(out, c.name(), c.support().label(), c.counterpart(), parts, c.note());
    }
    return out.toString();
  }

  private static void row(StringBuilder out, String... cells) {
    out.append('|');
    for (String c : cells) {
      out.append(' ').append(cell(c)).append(" |");
    }
    out.append('\n');
  }

  /** Text that others wrote ends no cell and starts no element. */
  private static String cell(String text) {
    return text.replaceAll("[\\r\\n]+", " ")
        .replace("\\", "\\\\")
        .replace("|", "\\|")
        .replace("<", "&lt;")
        .replaceAll("([*\\[\\]])", "\\\\$1");
  }
}
