package dev.rocport.render.text;

import dev.rocport.core.result.ShmemInfo;
import dev.rocport.core.result.Versions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Tables of the NVSHMEM names that a tree uses. */
public final class ShmemTables {
  private ShmemTables() {}

  /**
   * Returns names and places by the version of rocSHMEM that they need, with a column per answer.
   */
  public static TextTable summary(List<ShmemInfo> used) {
    TextTable table =
        new TextTable("lrrrrr", "rocSHMEM", "direct", "changed", "added", "missing", "places");
    Map<String, List<ShmemInfo>> byVersion =
        new TreeMap<>(Comparator.comparing(String::isEmpty).thenComparing(Versions::compare));
    for (ShmemInfo i : used) {
      byVersion.computeIfAbsent(i.since(), v -> new ArrayList<>()).add(i);
    }
    byVersion.forEach(
        (version, list) ->
            table.row(
                version.isEmpty() ? "none" : "from " + version,
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
