package dev.rocport.inventory;

import dev.rocport.inventory.Bill.Target;
import dev.rocport.inventory.Bill.Use;
import dev.rocport.inventory.Evidence.Kind;
import dev.rocport.render.text.Paper;
import dev.rocport.render.text.TextTable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The bill as readable text. */
public final class BillText {
  private static final int PLACES = 3;
  private static final int NAMES = 6;
  private static final int NOTES = 20;

  private BillText() {}

  /** The bill, written for this paper. */
  public static String of(Bill bill, Paper paper) {
    StringBuilder out = new StringBuilder();
    if (bill.uses().isEmpty()) {
      out.append("No CUDA components are used (files examined: ")
          .append(bill.files())
          .append(").\n");
    } else {
      out.append(table(bill).render(paper, ""));
      for (Use u : bill.uses()) {
        out.append('\n').append(details(u, paper));
      }
    }
    if (!bill.targets().isEmpty()) {
      out.append('\n').append(paper.bold("NVIDIA GPUs")).append('\n');
      targets(bill).forEach((name, where) -> out.append(paper.wrap(name + ": " + where, "  ")));
    }
    if (!bill.notes().isEmpty()) {
      out.append('\n').append(paper.bold("Not examined")).append('\n');
      bill.notes().stream()
          .limit(NOTES)
          .forEach(n -> out.append(paper.wrap(n.path() + ": " + n.message(), "  ")));
      if (bill.notes().size() > NOTES) {
        out.append("  and ").append(bill.notes().size() - NOTES).append(" more\n");
      }
    }
    out.append('\n').append(summary(bill)).append('\n');
    return out.toString();
  }

  private static TextTable table(Bill bill) {
    TextTable table =
        new TextTable("lllll", "component", "version", "support", "on ROCm", "found as");
    for (Use u : bill.uses()) {
      table.row(
          u.component().name(),
          dashed(versions(u)),
          u.support().label(),
          dashed(u.component().counterpart()),
          kinds(u));
    }
    return table;
  }

  /** Versions as written, the first few. */
  static String versions(Use u) {
    return u.versions().size() > 3
        ? String.join(", ", u.versions().stream().limit(3).toList()) + ", ..."
        : String.join(", ", u.versions());
  }

  private static String dashed(String text) {
    return text.isEmpty() ? "-" : text;
  }

  /** How often it is found, by kind. */
  static String kinds(Use u) {
    Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    u.evidence().forEach(e -> counts.merge(e.kind(), e.count(), Integer::sum));
    List<String> parts = new ArrayList<>();
    counts.forEach((k, n) -> parts.add(k.label() + " " + n));
    return String.join(", ", parts);
  }

  private static String details(Use u, Paper paper) {
    StringBuilder out = new StringBuilder();
    Component c = u.component();
    out.append(paper.bold(c.name())).append(": ").append(u.support().label()).append('\n');
    out.append(paper.wrap(c.note(), "  "));
    Set<String> instead = new LinkedHashSet<>();
    if (!c.library().isEmpty()) {
      instead.add("library " + c.library());
    }
    if (!c.target().isEmpty()) {
      instead.add("target " + c.target());
    }
    if (!c.header().isEmpty()) {
      instead.add("header " + c.header());
    }
    if (!instead.isEmpty()) {
      out.append(paper.wrap("on ROCm: " + String.join(", ", instead), "  "));
    }
    List<String> without = u.without();
    if (!u.names().isEmpty()) {
      String names = "names in use: " + u.names().size();
      if (!without.isEmpty()) {
        names += ", without a counterpart: " + without.size() + " (" + some(without) + ")";
      }
      out.append(paper.wrap(names, "  "));
    }
    for (Kind kind : Kind.values()) {
      List<Evidence> all = u.evidence().stream().filter(e -> e.kind() == kind).toList();
      all.stream()
          .limit(PLACES)
          .forEach(
              e -> out.append("  %-9s  %s: %s\n".formatted(kind.label(), e.place(), e.text())));
      if (all.size() > PLACES) {
        out.append("             and ").append(all.size() - PLACES).append(" more\n");
      }
    }
    return out.toString();
  }

  private static String some(List<String> names) {
    return names.size() <= NAMES
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, NAMES)) + ", ...";
  }

  /** Architectures, each with how and where, in short. */
  static Map<String, String> targets(Bill bill) {
    Map<String, Map<String, List<String>>> byName = new LinkedHashMap<>();
    for (Target t : bill.targets()) {
      byName
          .computeIfAbsent(t.name(), n -> new LinkedHashMap<>())
          .computeIfAbsent(t.how(), h -> new ArrayList<>())
          .add(t.evidence().place());
    }
    Map<String, String> shown = new LinkedHashMap<>();
    byName.forEach(
        (name, how) -> {
          List<String> parts = new ArrayList<>();
          how.forEach(
              (h, places) ->
                  parts.add(
                      h
                          + " ("
                          + places.getFirst()
                          + (places.size() > 1 ? " and " + (places.size() - 1) + " more" : "")
                          + ")"));
          shown.put(name, String.join(", ", parts));
        });
    return shown;
  }

  /** The last line. */
  static String summary(Bill bill) {
    Map<Support, Integer> counts = new EnumMap<>(Support.class);
    bill.uses().forEach(u -> counts.merge(u.support(), 1, Integer::sum));
    return "%d files, %d components: %d ported, %d in part, %d by hand, %d without counterpart"
        .formatted(
            bill.files(),
            bill.uses().size(),
            counts.getOrDefault(Support.YES, 0),
            counts.getOrDefault(Support.PARTLY, 0),
            counts.getOrDefault(Support.MANUAL, 0),
            counts.getOrDefault(Support.NO, 0));
  }
}
