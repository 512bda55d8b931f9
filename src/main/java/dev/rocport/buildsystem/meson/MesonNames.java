package dev.rocport.buildsystem.meson;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** CUDA names in Meson files and their ROCm counterparts: {@code meson/names.tsv}. */
final class MesonNames {
  private static final String HEADER = "kind\tcuda\taction\trocm\treason";
  private static final Map<Kind, Map<String, Entry>> ENTRIES = new LinkedHashMap<>();

  static {
    for (TsvTable.Row r : BuiltInText.table("meson/names.tsv", HEADER).rows()) {
      try {
        Kind kind = Kind.valueOf(r.cell(0).toUpperCase(Locale.ROOT));
        Action action = Action.valueOf(r.cell(2).toUpperCase(Locale.ROOT));
        ENTRIES
            .computeIfAbsent(kind, k -> new LinkedHashMap<>())
            .put(r.cell(1), new Entry(r.cell(1), action, r.cell(3), r.cell(4)));
      } catch (IllegalArgumentException e) {
        throw new InvalidFileException(r.where() + ": unknown kind or action", e);
      }
    }
  }

  private MesonNames() {}

  /** Kind of a name. */
  enum Kind {
    FUNCTION,
    METHOD,
    KEYWORD,
    OPTION,
    PROGRAM,
    FOLDER
  }

  /** What the port does with a name; the head of {@code names.tsv} has details. */
  enum Action {
    RENAME,
    FLAGS,
    DROP,
    VERSION,
    REFUSE
  }

  /**
   * A CUDA name.
   *
   * @param rocm the ROCm counterpart
   * @param reason why it is left out or has no counterpart
   */
  record Entry(String cuda, Action action, String rocm, String reason) {}

  static Optional<Entry> of(Kind kind, String name) {
    return Optional.ofNullable(ENTRIES.getOrDefault(kind, Map.of()).get(name));
  }
}
