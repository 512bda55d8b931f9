package dev.rocport.fleet;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The rows of one repository. */
final class Rows {
  private final Map<Table, List<List<Object>>> rows = new EnumMap<>(Table.class);

  /**
   * Adds a row.
   *
   * @param cells a {@link String} or a {@link Long} for each column
   */
  void add(Table table, Object... cells) {
    if (cells.length != table.columns().size()) {
      throw new IllegalArgumentException("columns of " + table.label());
    }
    for (int i = 0; i < cells.length; i++) {
      if (table.columns().get(i).isNumber() != cells[i] instanceof Long) {
        throw new IllegalArgumentException(
            table.label() + "." + table.columns().get(i).name() + ": " + cells[i]);
      }
    }
    rows.computeIfAbsent(table, t -> new ArrayList<>()).add(List.of(cells));
  }

  List<List<Object>> of(Table table) {
    return rows.getOrDefault(table, List.of());
  }
}
