package dev.rocport.packaging;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Environment variables of CUDA programs and containers: {@code packages/environment.tsv}. */
final class Settings {
  private static final Map<String, Row> ROWS = new LinkedHashMap<>();

  static {
    for (TsvTable.Row r :
        BuiltInText.table("packages/environment.tsv", "variable\taction\ttarget\twhy").rows()) {
      if (!List.of("drop", "rename", "replace", "trim", "path", "review").contains(r.cell(1))) {
        throw new InvalidFileException(r.where() + ": unknown action: " + r.cell(1));
      }
      ROWS.put(r.cell(0), new Row(r.cell(1), r.cell(2), r.cell(3)));
    }
  }

  private Settings() {}

  private record Row(String action, String target, String why) {}

  /**
   * The translation of a setting.
   *
   * @param text {@code NAME=VALUE}, empty if it is dropped; the same if it is kept and reported
   */
  record Twin(String text, String why) {}

  /** Returns the translation of a variable with this value; empty if it stays. */
  static Optional<Twin> of(String name, String value) {
    Row row = ROWS.get(name);
    if (row == null) {
      return Optional.empty();
    }
    String same = name + "=" + value;
    String now =
        switch (row.action) {
          case "drop" -> "";
          case "rename" -> row.target + "=" + value;
          case "replace" -> row.target;
          case "trim" -> trim(name, value, row.target);
          case "path" ->
              name
                  + "="
                  + value
                      .replaceAll("/usr/local/cuda(-[\\d.]+)?(?=/|:|$)", "/opt/rocm")
                      .replaceAll("/opt/rocm/lib64(?=/|:|$)", "/opt/rocm/lib")
                      .replaceAll("/opt/rocm/extras/CUPTI/lib64:?", "");
          default -> same;
        };
    boolean kept = now.equals(same) && !row.action.equals("review");
    return kept ? Optional.empty() : Optional.of(new Twin(now, row.why));
  }

  private static String trim(String name, String value, String key) {
    List<String> parts = new ArrayList<>();
    for (String part : value.split(",", -1)) {
      if (!part.strip().startsWith(key + ":")) {
        parts.add(part);
      }
    }
    return parts.isEmpty() ? "" : name + "=" + String.join(",", parts);
  }
}
