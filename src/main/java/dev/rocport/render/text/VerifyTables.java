package dev.rocport.render.text;

import dev.rocport.core.result.VerifyInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A verification as tables for people. */
public final class VerifyTables {
  private static final int MOST_TENSORS = 60;

  private VerifyTables() {}

  /** A table: heading, column titles, rows. */
  public record Table(
      String title, String alignment, List<String> header, List<List<String>> rows) {}

  /** Returns the verification as text: tables, each with a summary line. */
  public static String text(VerifyInfo v, Paper paper) {
    StringBuilder out = new StringBuilder();
    for (Table t : tables(v)) {
      TextTable table = new TextTable(t.alignment(), t.header().toArray(String[]::new));
      t.rows().forEach(r -> table.row(r.stream().map(TextReport::visible).toArray()));
      out.append("\n").append(paper.bold(t.title())).append("\n");
      out.append(table.render(paper, "  "));
    }
    out.append("\n").append(paper.bold("Verification")).append("\n");
    summary(v).forEach((k, s) -> out.append("  %-11s%s%n".formatted(k, TextReport.visible(s))));
    return out.toString();
  }

  /** Returns the summary lines by label. */
  public static Map<String, String> summary(VerifyInfo v) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("device", v.device() + (v.note().isEmpty() ? "" : ": " + v.note()));
    if (!v.cases().isEmpty()) {
      lines.put(
          "runs",
          v.byStatus().entrySet().stream()
              .map(e -> e.getValue() + " " + e.getKey())
              .collect(Collectors.joining(", ")));
    }
    if (!v.rocmLibraries().isEmpty()) {
      lines.put("libraries", String.join(", ", v.rocmLibraries()) + ": AMD's libraries");
    }
    if (!v.standIns().isEmpty()) {
      lines.put(
          "stand-ins",
          String.join(", ", v.standIns())
              + ": from rocport; the runs prove nothing about the ROCm libraries");
    }
    if (!v.tensors().isEmpty()) {
      long bad = v.tensors().stream().filter(t -> !isOk(t)).count();
      lines.put("tensors", v.tensors().size() + " compared, " + bad + " differ");
    }
    if (!v.cells().isEmpty()) {
      lines.put(
          "checks",
          "%d rows, %d elements, %d wrong".formatted(v.rows(), v.checks(), v.wrongChecks()));
    }
    if (!v.faults().isEmpty()) {
      lines.put("faults", v.caught() + " of " + v.faults().size() + " caught");
    }
    return lines;
  }

  public static List<Table> tables(VerifyInfo v) {
    List<Table> tables = new ArrayList<>();
    add(tables, cases(v));
    add(tables, tensors(v));
    add(tables, cells(v));
    add(tables, faults(v));
    add(tables, places(v));
    return tables;
  }

  private static void add(List<Table> tables, Table table) {
    if (!table.rows().isEmpty()) {
      tables.add(table);
    }
  }

  private static Table cases(VerifyInfo v) {
    List<List<String>> rows = new ArrayList<>();
    for (VerifyInfo.Case c : v.cases()) {
      String checks =
          c.checks().entrySet().stream()
              .map(e -> e.getKey() + " " + e.getValue())
              .collect(Collectors.joining(", "));
      String name = c.run().isEmpty() ? c.fixture() : c.fixture() + " " + c.run();
      String said =
          c.message().isEmpty() ? checks : checks + (checks.isEmpty() ? "" : "; ") + c.message();
      rows.add(
          List.of(
              name, c.target(), c.ranks() == 0 ? "" : String.valueOf(c.ranks()), c.status(), said));
    }
    return new Table(
        "Runs", "llrll", List.of("program", "target", "np", "status", "what was compared"), rows);
  }

  public static boolean isOk(VerifyInfo.Tensor t) {
    return t.outcome().equals("identical") || t.outcome().equals("close");
  }

  /** Lists all tensors that differ, then a limited number of the others. */
  private static Table tensors(VerifyInfo v) {
    List<List<String>> rows = new ArrayList<>();
    int shown = 0;
    for (VerifyInfo.Tensor t : v.tensors()) {
      if (isOk(t) && shown++ >= MOST_TENSORS) {
        continue;
      }
      rows.add(
          List.of(
              t.where(),
              t.name(),
              t.type(),
              t.outcome(),
              String.valueOf(t.wrong()),
              String.valueOf(t.maxUlp()),
              String.valueOf(t.p99Ulp()),
              number(t.maxAbs()),
              number(t.maxRel()),
              Double.isNaN(t.cosine()) ? "" : number(1 - t.cosine()),
              t.rule() + note(t)));
    }
    if (shown > MOST_TENSORS) {
      rows.add(more(11, "and " + (shown - MOST_TENSORS) + " more that are correct"));
    }
    return new Table(
        "Tensors",
        "llllrrrrrrl",
        List.of(
            "run",
            "tensor",
            "type",
            "outcome",
            "wrong",
            "max ulp",
            "p99",
            "max abs",
            "max rel",
            "1-cos",
            "tolerance"),
        rows);
  }

  private static String note(VerifyInfo.Tensor t) {
    String note = t.message();
    if (!isOk(t) && !t.maxAbsAt().isEmpty()) {
      note += (note.isEmpty() ? "" : "; ") + t.maxAbsAt();
    }
    return note.isEmpty() ? "" : " (" + note + ")";
  }

  /**
   * Returns one row per fixture, kernel, type and operation; counts as a range, targets side by
   * side.
   */
  private static Table cells(VerifyInfo v) {
    Map<List<String>, List<VerifyInfo.Cell>> groups = new LinkedHashMap<>();
    for (VerifyInfo.Cell c : v.cells()) {
      List<String> key = List.of(c.fixture(), c.kernel(), c.type(), c.op(), c.target());
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(c);
    }
    List<List<String>> rows = new ArrayList<>();
    groups.forEach(
        (key, cells) -> {
          List<String> row = new ArrayList<>(key);
          row.add(String.valueOf(cells.stream().map(VerifyInfo.Cell::count).distinct().count()));
          row.add(sum(cells, VerifyInfo.Cell::rows));
          row.add(sum(cells, VerifyInfo.Cell::checks));
          row.add(sum(cells, VerifyInfo.Cell::wrong));
          row.add(
              Long.toUnsignedString(
                  cells.stream().mapToLong(VerifyInfo.Cell::maxUlp).max().orElse(0)));
          row.add(number(cells.stream().mapToDouble(VerifyInfo.Cell::maxAbs).max().orElse(0)));
          row.add(number(cells.stream().mapToDouble(VerifyInfo.Cell::errRef).max().orElse(0)));
          rows.add(row);
        });
    return new Table(
        "Checks of the programs",
        "lllllrrrrrrr",
        List.of(
            "program", "kernel", "type", "op", "target", "counts", "rows", "checks", "wrong",
            "max ulp", "max abs", "err ref"),
        rows);
  }

  private static String sum(
      List<VerifyInfo.Cell> cells, java.util.function.ToLongFunction<VerifyInfo.Cell> part) {
    return String.valueOf(cells.stream().mapToLong(part).sum());
  }

  private static Table faults(VerifyInfo v) {
    List<List<String>> rows = new ArrayList<>();
    for (VerifyInfo.Fault f : v.faults()) {
      rows.add(List.of(f.fixture(), f.name(), f.caught() ? "caught" : "NOT CAUGHT", f.by()));
    }
    return new Table("Injected faults", "llll", List.of("program", "fault", "", "caught by"), rows);
  }

  private static Table places(VerifyInfo v) {
    List<List<String>> rows = new ArrayList<>();
    for (VerifyInfo.Place p : v.places()) {
      rows.add(List.of(p.cell(), p.host(), p.device()));
    }
    return new Table("Where cells ran", "lll", List.of("cell", "machine", "device"), rows);
  }

  private static List<String> more(int columns, String text) {
    List<String> row = new ArrayList<>(java.util.Collections.nCopies(columns, ""));
    row.set(0, text);
    return row;
  }

  public static String number(double x) {
    return x == 0 ? "0" : "%.3g".formatted(x);
  }
}
