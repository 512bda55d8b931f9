package dev.rocport.rules;

import dev.rocport.io.InvalidFileException;
import dev.rocport.rules.GuardMacro.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The macros of {@code guards/macros.tsv}, in its order. */
public record GuardTable(List<GuardMacro> macros) {
  static final GuardTable NONE = new GuardTable(List.of());

  /** What a current NVIDIA build sees, and the oldest that is tried instead. */
  public record Range(long current, long oldest) {}

  public GuardTable {
    macros = List.copyOf(macros);
  }

  /**
   * The range of all macros of this kind.
   *
   * @throws InvalidFileException if there are none, or if they differ
   */
  public Range range(Kind kind) {
    List<Range> ranges =
        macros.stream()
            .filter(m -> m.kind() == kind)
            .map(m -> new Range(Long.parseLong(m.value()), m.oldest()))
            .distinct()
            .toList();
    if (ranges.size() != 1) {
      throw new InvalidFileException(
          "guards/macros.tsv: the rows of one kind must have equal numbers, but "
              + kind.name().toLowerCase(java.util.Locale.ROOT)
              + " has "
              + ranges);
    }
    return ranges.getFirst();
  }

  /** The other table's macros go before these. */
  GuardTable under(GuardTable over) {
    Map<String, GuardMacro> byName = new LinkedHashMap<>();
    macros.forEach(m -> byName.put(m.macro(), m));
    over.macros.forEach(m -> byName.put(m.macro(), m));
    return new GuardTable(new ArrayList<>(byName.values()));
  }
}
