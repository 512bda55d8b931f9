package dev.rocport.port;

import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.io.Compression;
import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import dev.rocport.port.decide.EditedLines;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.zip.DataFormatException;

/**
 * The ports of the files of a tree, for later runs of any command. A port depends on the content of
 * the file and on its key, see {@link PortKey#ofFile}, so a file is ported again if either has
 * changed. Ports that failed are not kept, and kept ports cannot be taken apart into edits.
 */
final class PortStore {
  private final TreeCache cache;
  private final UnaryOperator<String> keys;

  /**
   * @param keys gives by the path of a file what identifies everything but the file itself that
   *     determines its port
   */
  PortStore(TreeCache cache, UnaryOperator<String> keys) {
    this.cache = cache;
    this.keys = keys;
  }

  /** Creates a store that keeps nothing. */
  static PortStore none() {
    return new PortStore(TreeCache.none(), path -> "");
  }

  private String key(TreeEntry entry) {
    return " " + keys.apply(entry.path());
  }

  /** Returns whether the port of a file that had this stamp is kept. */
  boolean holds(TreeEntry entry, String stamp) {
    return cache.holds(entry, stamp, key(entry));
  }

  /** Returns the port of a file if it is kept. */
  Optional<PortedFile> find(int index, TreeEntry entry, SourceFile file) {
    if (!cache.keeps()) {
      return Optional.empty();
    }
    try {
      return cache
          .find(entry, file, key(entry))
          .map(packed -> read(index, entry, file, new PackedReader(packed)));
    } catch (RuntimeException e) {
      return Optional.empty(); // damaged before its checksum was made
    }
  }

  /** Keeps a port. */
  void put(PortedFile file) {
    if (cache.keeps() && file.failure().isEmpty()) {
      PackedWriter out = new PackedWriter();
      write(file, out);
      cache.put(file.entry(), file.source(), key(file.entry()), out.toBytes());
    }
  }

  /** Writes what this run knows. */
  void save() {
    cache.save();
  }

  private static void write(PortedFile file, PackedWriter out) {
    out.flag(file.isChanged());
    if (file.isChanged()) {
      out.number(file.output().length);
      out.bytes(Compression.compress(file.output()));
    }
    PackedResult.edits(file.edits(), out);
    PackedResult.findings(file.findings(), out);
    PackedResult.suppressed(file.suppressed(), out);
    out.list(file.shims(), out::text);
    PackedResult.changes(file.changes(), out);
    out.list(
        file.edited(),
        e -> {
          out.number(e.first());
          out.number(e.last());
          out.text(e.rule());
        });
  }

  private static PortedFile read(int index, TreeEntry entry, SourceFile file, PackedReader in) {
    byte[] output = in.flag() ? output(in.integer(), in.bytes()) : file.bytes();
    return new PortedFile(
        index,
        entry,
        file,
        output,
        PackedResult.edits(in),
        PackedResult.findings(in),
        PackedResult.suppressed(in),
        new TreeSet<>(in.list(in::text)),
        PackedResult.changes(in),
        in.list(() -> new EditedLines(in.integer(), in.integer(), in.text())),
        Partial.NONE,
        "");
  }

  private static byte[] output(int length, byte[] compressed) {
    try {
      return Compression.decompress(compressed, length);
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("a kept port is damaged", e);
    }
  }
}
