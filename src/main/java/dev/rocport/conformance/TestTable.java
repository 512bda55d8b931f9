package dev.rocport.conformance;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The table of tests that the programs of rocBLAS and rocSPARSE read when they start, which takes
 * most of the time of a small sample. It has the name of the library, one entry as an example, the
 * name with upper and lower case exchanged, and then the entries. A zero byte follows each name.
 *
 * @param header how many bytes precede the entries
 * @param size of an entry
 * @param entries how many there are
 */
record TestTable(Path file, int header, int size, long entries) {
  /** More than the header of any table. */
  private static final int HEAD = 1 << 16;

  private static final Pattern NAME = Pattern.compile("roc[A-Z]{1,16}\0");

  /** Returns the table in a file; empty if it holds none. */
  static Optional<TestTable> of(Path file) throws IOException {
    String head;
    try (InputStream in = Files.newInputStream(file)) {
      head = new String(in.readNBytes(HEAD), StandardCharsets.ISO_8859_1);
    }
    Matcher name = NAME.matcher(head);
    if (!name.lookingAt()) {
      return Optional.empty();
    }
    int end = head.indexOf(exchanged(name.group()), name.end());
    int size = end - name.end();
    int header = end + name.end();
    if (size <= 0 || (Files.size(file) - header) % size != 0) {
      return Optional.empty();
    }
    return Optional.of(new TestTable(file, header, size, (Files.size(file) - header) / size));
  }

  private static String exchanged(String name) {
    StringBuilder exchanged = new StringBuilder();
    name.chars()
        .map(c -> Character.isUpperCase(c) ? Character.toLowerCase(c) : Character.toUpperCase(c))
        .forEach(c -> exchanged.append((char) c));
    return exchanged.toString();
  }

  /**
   * Writes a table with every Nth entry.
   *
   * @param most how many entries it may have
   * @return N
   */
  long sample(long most, Path to) throws IOException {
    long step = Math.max(1, Math.ceilDiv(entries, most));
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file));
        OutputStream out = new BufferedOutputStream(Files.newOutputStream(to))) {
      out.write(in.readNBytes(header));
      for (long i = 0; i < entries; i += step) {
        out.write(in.readNBytes(size));
        in.skipNBytes(size * (Math.min(step, entries - i) - 1));
      }
    }
    return step;
  }
}
