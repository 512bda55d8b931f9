package dev.rocport.inventory;

import dev.rocport.inventory.Bill.Use;

/** The bill as CSV, one row for each piece of evidence. */
public final class BillCsv {
  private BillCsv() {}

  /** Lines end as RFC 4180 has it. */
  public static String of(Bill bill) {
    StringBuilder out = new StringBuilder();
    row(
        out,
        "component",
        "name",
        "support",
        "counterpart",
        "kind",
        "path",
        "line",
        "text",
        "version",
        "count",
        "purl");
    for (Use u : bill.uses()) {
      for (Evidence e : u.evidence()) {
        row(
            out,
            u.component().id(),
            u.component().name(),
            u.support().label(),
            u.component().counterpart(),
            e.kind().label(),
            e.path(),
            e.line() == 0 ? "" : Integer.toString(e.line()),
            e.text(),
            e.version(),
            Integer.toString(e.count()),
            e.purl());
      }
    }
    return out.toString();
  }

  private static void row(StringBuilder out, String... cells) {
    for (int i = 0; i < cells.length; i++) {
      out.append(i == 0 ? "" : ",").append(cell(cells[i]));
    }
    out.append("\r\n");
  }

  /** Spreadsheets interpret some first characters as a formula. */
  private static String cell(String text) {
    String safe = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
    boolean plain = safe.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? safe : "\"" + safe.replace("\"", "\"\"") + "\"";
  }
}
