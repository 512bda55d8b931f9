package dev.rocport.build.nvcc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The tables of nvcc's flags and of NVIDIA's libraries, one row a name. */
final class NvccTables {
  private static final Map<String, Flag> FLAGS = new LinkedHashMap<>();
  private static final Map<String, Library> LIBRARIES = new LinkedHashMap<>();

  static {
    for (String[] c : rows("nvcc-flags.tsv", 6)) {
      Flag flag =
          new Flag(c[0], c[1], Value.valueOf(c[2].toUpperCase(Locale.ROOT)), c[3], c[4], c[5]);
      FLAGS.put("--" + c[0], flag);
      FLAGS.put("-" + c[0], flag);
      FLAGS.put("-" + c[1], flag);
      FLAGS.putIfAbsent("--" + c[1], flag);
    }
    for (String[] c : rows("nvcc-libraries.tsv", 3)) {
      LIBRARIES.put(c[0], new Library(c[0], c[1], c[2]));
    }
  }

  /** What follows a flag. */
  enum Value {
    NONE,
    /** One value, in the next argument or behind {@code =}. */
    ONE,
    /** The same, or right behind the short name. */
    JOINED,
    /** Values parted by commas. */
    LIST,
    /** {@code true} or {@code false}. */
    BOOL
  }

  /**
   * A flag of nvcc.
   *
   * @param action what becomes of it; see {@link NvccParser}
   * @param detail of the action
   * @param reason why it is left out, or what to know
   */
  record Flag(
      String name, String shortName, Value value, String action, String detail, String reason) {}

  /**
   * A library of NVIDIA's.
   *
   * @param hip its counterpart; empty if none is linked
   */
  record Library(String name, String hip, String reason) {}

  private NvccTables() {}

  /** The flag of exactly this spelling, dashes included. */
  static Optional<Flag> flag(String spelling) {
    return Optional.ofNullable(FLAGS.get(spelling));
  }

  static List<Flag> flags() {
    return FLAGS.values().stream().distinct().toList();
  }

  static Optional<Library> library(String name) {
    return Optional.ofNullable(LIBRARIES.get(name));
  }

  private static List<String[]> rows(String name, int columns) {
    List<String[]> rows = new ArrayList<>();
    try (InputStream in = NvccTables.class.getResourceAsStream("/dev/rocport/build/" + name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing: build rocport again");
      }
      BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      for (String line : reader.lines().skip(1).toList()) {
        String[] c = line.split("\t", -1);
        if (c.length != columns) {
          throw new IllegalStateException(name + ": needs " + columns + " columns: " + line);
        }
        rows.add(c);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }
}
