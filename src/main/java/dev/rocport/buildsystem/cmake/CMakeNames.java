package dev.rocport.buildsystem.cmake;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** CUDA names in CMake files and their ROCm counterparts: {@code cmake/names.tsv}. */
final class CMakeNames {
  private static final String HEADER = "kind\tcuda\taction\trocm\tpackage\treason";
  private static final Map<Kind, Map<String, Entry>> ENTRIES = new EnumMap<>(Kind.class);

  /** The entries that end with {@code *}, in order. */
  private static final Map<Kind, List<Entry>> OPEN = new EnumMap<>(Kind.class);

  static {
    for (TsvTable.Row r : BuiltInText.table("cmake/names.tsv", HEADER).rows()) {
      try {
        Kind kind = Kind.valueOf(r.cell(0).toUpperCase(Locale.ROOT));
        Action action = Action.valueOf(r.cell(2).toUpperCase(Locale.ROOT).replace('-', '_'));
        Entry entry = new Entry(r.cell(1), action, r.cell(3), r.cell(4), r.cell(5));
        ENTRIES.computeIfAbsent(kind, k -> new LinkedHashMap<>()).put(r.cell(1), entry);
        if (entry.cuda().endsWith("*")) {
          OPEN.computeIfAbsent(kind, k -> new ArrayList<>()).add(entry);
        }
      } catch (IllegalArgumentException e) {
        throw new InvalidFileException(r.where() + ": unknown kind or action", e);
      }
    }
  }

  private CMakeNames() {}

  /** Kind of a name. */
  enum Kind {
    VARIABLE,
    /** A variable that holds libraries. */
    LIBRARY,
    TARGET,
    PACKAGE,
    PROPERTY,
    COMMAND,
    MODULE,
    /** A repository that FetchContent or similar modules fetch. */
    PROJECT
  }

  /** What the port does with a name; the head of {@code names.tsv} has details. */
  enum Action {
    RENAME,
    FLAGS,
    LIST_FLAGS,
    ARCH,
    DROP,
    SEPARABLE,
    VERSION,
    FUNCTION,
    REFUSE
  }

  /**
   * A CUDA name.
   *
   * @param rocm the ROCm name; empty if there is none
   * @param needs the package that provides it; empty for none
   * @param reason why it is left out or has no counterpart
   */
  record Entry(String cuda, Action action, String rocm, String needs, String reason) {}

  static Optional<Entry> of(Kind kind, String name) {
    Map<String, Entry> entries = ENTRIES.getOrDefault(kind, Map.of());
    Entry exact = entries.get(name);
    if (exact != null) {
      return Optional.of(exact);
    }
    for (Entry e : OPEN.getOrDefault(kind, List.of())) {
      String stem = e.cuda().substring(0, e.cuda().length() - 1);
      if (name.startsWith(stem) && name.length() > stem.length()) {
        String rest = name.substring(stem.length());
        String rocm = e.rocm().isEmpty() ? "" : e.rocm() + rest;
        return Optional.of(new Entry(name, e.action(), rocm, e.needs(), e.reason()));
      }
    }
    return Optional.empty();
  }

  /** Returns the entry of an NVIDIA library that is linked by its plain name, such as cublas. */
  static Optional<Entry> library(String name) {
    String target =
        switch (name) {
          case "cuda" -> "cuda_driver";
          case "nvidia-ml" -> "nvml";
          default -> name;
        };
    Map<String, Entry> targets = ENTRIES.getOrDefault(Kind.TARGET, Map.of());
    Entry known = targets.get("CUDA::" + target);
    return Optional.ofNullable(known != null ? known : targets.get("nvshmem::" + target));
  }
}
