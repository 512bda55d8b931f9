package dev.rocport.commandline;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The tables of nvcc flags and NVIDIA libraries, one row per name: {@code rules/build}. */
final class NvccTables {
  private static final String FLAGS_HEADER = "long\tshort\tvalue\taction\tdetail\treason";
  private static final String LIBRARIES_HEADER = "library\thip\treason";
  private static final Map<String, Flag> FLAGS = new LinkedHashMap<>();
  private static final Map<String, Library> LIBRARIES = new LinkedHashMap<>();

  static {
    for (TsvTable.Row r : BuiltInText.table("build/nvcc-flags.tsv", FLAGS_HEADER).rows()) {
      Flag flag = flag(r);
      FLAGS.put("--" + flag.name(), flag);
      FLAGS.put("-" + flag.name(), flag);
      FLAGS.put("-" + flag.shortName(), flag);
      FLAGS.putIfAbsent("--" + flag.shortName(), flag);
    }
    for (TsvTable.Row r : BuiltInText.table("build/nvcc-libraries.tsv", LIBRARIES_HEADER).rows()) {
      LIBRARIES.put(r.cell(0), new Library(r.cell(0), r.cell(1), r.cell(2)));
    }
  }

  private static Flag flag(TsvTable.Row r) {
    try {
      Value value = Value.valueOf(r.cell(2).toUpperCase(Locale.ROOT));
      return new Flag(r.cell(0), r.cell(1), value, r.cell(3), r.cell(4), r.cell(5));
    } catch (IllegalArgumentException e) {
      throw new InvalidFileException(r.where() + ": unknown form of value: " + r.cell(2), e);
    }
  }

  /** Form of the value of a flag. */
  enum Value {
    NONE,
    /** One value, in the next argument or after {@code =}. */
    ONE,
    /** One value, also directly after the short name. */
    JOINED,
    /** Values separated by commas. */
    LIST,
    /** {@code true} or {@code false}. */
    BOOL
  }

  /**
   * A flag of nvcc.
   *
   * @param action how it is translated; see {@link NvccParser}
   * @param detail parameter of the action
   * @param reason why it is left out, or a remark
   */
  record Flag(
      String name, String shortName, Value value, String action, String detail, String reason) {}

  /**
   * An NVIDIA library.
   *
   * @param hip its counterpart; empty if none is linked
   */
  record Library(String name, String hip, String reason) {}

  private NvccTables() {}

  /** Returns the flag of exactly this spelling, dashes included. */
  static Optional<Flag> flag(String spelling) {
    return Optional.ofNullable(FLAGS.get(spelling));
  }

  static List<Flag> flags() {
    return FLAGS.values().stream().distinct().toList();
  }

  static Optional<Library> library(String name) {
    return Optional.ofNullable(LIBRARIES.get(name));
  }
}
