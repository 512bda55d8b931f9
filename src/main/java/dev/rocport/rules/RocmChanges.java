package dev.rocport.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What differs between HIP versions: the rows of {@code rocm/changes.tsv}, in its order. */
public final class RocmChanges {
  static final RocmChanges NONE = new RocmChanges(List.of());

  private final List<RocmChange> rows;
  private final List<RocmChange> patterns = new ArrayList<>();
  private final Map<String, List<RocmChange>> byName = new HashMap<>();

  public RocmChanges(List<RocmChange> rows) {
    this.rows = List.copyOf(rows);
    for (RocmChange row : rows) {
      if (row.name().contains("*")) {
        patterns.add(row);
      } else {
        byName.computeIfAbsent(row.name(), n -> new ArrayList<>()).add(row);
      }
    }
  }

  public List<RocmChange> rows() {
    return rows;
  }

  /** The rows that a port to a HIP version says something of. */
  public RocmChanges differing(String hip) {
    return new RocmChanges(rows.stream().filter(r -> !r.difference(hip).isEmpty()).toList());
  }

  /** The rows that give names of a HIP version. */
  public RocmChanges renaming(String hip) {
    return new RocmChanges(rows.stream().filter(r -> !r.now().isEmpty() && r.holds(hip)).toList());
  }

  /** The rows about a HIP name, those with a star last. */
  public List<RocmChange> of(String name) {
    List<RocmChange> exact = byName.getOrDefault(name, List.of());
    if (patterns.isEmpty()) {
      return exact;
    }
    List<RocmChange> found = new ArrayList<>(exact);
    patterns.stream().filter(r -> r.matches(name)).forEach(found::add);
    return found;
  }

  /** The name that headers of this HIP version have for a name of the tables; empty for none. */
  public String name(String name, String hip) {
    if (rows.isEmpty()) {
      return name;
    }
    for (RocmChange row : of(name)) {
      if (!row.now().isEmpty() && row.holds(hip)) {
        return row.renamed(name);
      }
    }
    return name;
  }

  /** These rows with a user's over them: those of a name replace these. */
  RocmChanges under(RocmChanges over) {
    List<RocmChange> all = new ArrayList<>(over.rows);
    rows.stream()
        .filter(r -> over.rows.stream().noneMatch(o -> o.name().equals(r.name())))
        .forEach(all::add);
    return new RocmChanges(all);
  }
}
