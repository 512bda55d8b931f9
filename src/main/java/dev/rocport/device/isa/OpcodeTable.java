package dev.rocport.device.isa;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The opcodes of a target, as the resource of its generation lists them. */
final class OpcodeTable {
  private final Map<Encoding, Map<Integer, Row>> rows = new EnumMap<>(Encoding.class);

  private OpcodeTable() {}

  /**
   * The opcodes.
   *
   * @param lanes of a wave
   */
  static OpcodeTable of(Target target, int lanes) {
    OpcodeTable table = new OpcodeTable();
    for (String[] cells : read(resource(target.generation()))) {
      if (List.of(cells[0].split(",")).contains(target.arch())) {
        Row row = Row.parse(cells, target.generation(), lanes > target.lanes());
        table.add(row);
        if (row.traits().contains(Row.Trait.E64)) {
          table.add(row.wide());
        }
      }
    }
    return table;
  }

  private void add(Row row) {
    Opcode opcode = row.opcode();
    Row before =
        rows.computeIfAbsent(opcode.encoding(), _ -> new HashMap<>()).put(opcode.number(), row);
    if (before != null) {
      throw new IllegalStateException(opcode + " is also " + before.opcode());
    }
  }

  @Nullable Row find(Encoding encoding, int number) {
    return rows.getOrDefault(encoding, Map.of()).get(number);
  }

  /** All rows by encoding and number. */
  List<Row> rows() {
    return rows.values().stream()
        .flatMap(
            m -> m.entrySet().stream().sorted(Map.Entry.comparingByKey()).map(Map.Entry::getValue))
        .toList();
  }

  private static String resource(Generation generation) {
    return switch (generation) {
      case CDNA -> "opcodes.tsv";
      case RDNA3 -> "opcodes-gfx11.tsv";
      case RDNA4 -> "opcodes-gfx12.tsv";
    };
  }

  private static List<String[]> read(String resource) {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(OpcodeTable.class.getResourceAsStream(resource), resource),
                StandardCharsets.UTF_8))) {
      List<String[]> lines = new ArrayList<>();
      in.lines().filter(l -> !l.startsWith("#")).skip(1).forEach(l -> lines.add(l.split("\t", -1)));
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
