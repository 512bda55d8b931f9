package dev.rocport.conformance;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The suites that rocport knows, from {@code rules/conformance/suites.tsv}. */
public final class Suites {
  static final String HEADER = "suite\tentry\tvalue";

  /** Packages of every suite: the C library that the programs are linked with. */
  private static final String EVERY = "all";

  private Suites() {}

  /** All suites, in the order of the table. */
  public static List<Suite> builtIn() {
    return of(BuiltInText.table("conformance/suites.tsv", HEADER));
  }

  static List<Suite> of(TsvTable table) {
    Map<String, Suite.Builder> suites = new LinkedHashMap<>();
    List<TsvTable.Row> every = new ArrayList<>();
    for (TsvTable.Row row : table.rows()) {
      if (row.cell(0).equals(EVERY)) {
        every.add(row);
      } else {
        add(suites.computeIfAbsent(row.cell(0), Suite.Builder::new), row);
      }
    }
    suites.values().forEach(suite -> every.forEach(row -> add(suite, row)));
    return suites.values().stream().map(Suite.Builder::build).toList();
  }

  private static void add(Suite.Builder suite, TsvTable.Row row) {
    try {
      if (suite.add(row.cell(1), row.cell(2))) {
        return;
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new InvalidFileException(row.where() + ": " + e.getMessage(), e);
    }
    throw new InvalidFileException(row.where() + ": no such entry: " + row.cell(1));
  }
}
