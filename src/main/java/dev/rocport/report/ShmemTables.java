package dev.rocport.report;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a tree uses of NVSHMEM, summed up. */
final class ShmemTables {
  private ShmemTables() {}

  /** Names and places by the version of rocSHMEM that they need, a column an answer. */
  static TextTable summary(List<ShmemInfo> used) {
    TextTable table =
        new TextTable("lrrrrr", "rocSHMEM", "direct", "changed", "added", "missing", "places");
    Map<Double, List<ShmemInfo>> byVersion = new TreeMap<>();
    for (ShmemInfo i : used) {
      double version = i.since().isEmpty() ? Double.MAX_VALUE : Double.parseDouble(i.since());
      byVersion.computeIfAbsent(version, v -> new java.util.ArrayList<>()).add(i);
    }
    byVersion.forEach(
        (version, list) ->
            table.row(
                list.getFirst().since().isEmpty() ? "none" : "from " + list.getFirst().since(),
                count(list, "direct"),
                count(list, "changed"),
                count(list, "added"),
                count(list, "missing"),
                list.stream().mapToInt(ShmemInfo::count).sum()));
    return table;
  }

  private static long count(List<ShmemInfo> list, String answer) {
    return list.stream().filter(i -> i.answer().equals(answer)).count();
  }
}
