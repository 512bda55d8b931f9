package dev.rocport.port;

import dev.rocport.core.result.Change;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.result.Suppressed;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.io.Compression;
import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import dev.rocport.port.decide.EditedLines;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
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
    out.map(file.edits(), n -> out.number(n));
    out.list(file.findings(), f -> finding(f, out));
    out.list(
        file.suppressed(),
        s -> {
          finding(s.finding(), out);
          out.text(s.reason());
          out.text(s.where());
        });
    out.list(file.shims(), out::text);
    out.list(
        file.changes(),
        c -> {
          out.text(c.rule());
          out.number(c.line());
          out.text(c.before());
          out.text(c.after());
        });
    out.list(
        file.edited(),
        e -> {
          out.number(e.first());
          out.number(e.last());
          out.text(e.rule());
        });
  }

  private static void finding(Finding f, PackedWriter out) {
    out.text(f.rule());
    out.constant(f.severity());
    out.constant(f.disposition());
    out.text(f.path());
    out.number(f.line());
    out.number(f.column());
    out.number(f.endLine());
    out.number(f.endColumn());
    out.text(f.message());
    out.text(f.advice());
    out.text(f.snippet());
    out.text(f.about());
    out.text(f.fingerprint());
  }

  private static PortedFile read(int index, TreeEntry entry, SourceFile file, PackedReader in) {
    byte[] output = in.flag() ? output(in.integer(), in.bytes()) : file.bytes();
    SortedMap<String, Integer> edits = new TreeMap<>(in.map(in::integer));
    return new PortedFile(
        index,
        entry,
        file,
        output,
        edits,
        in.list(() -> finding(in)),
        in.list(() -> new Suppressed(finding(in), in.text(), in.text())),
        new TreeSet<>(in.list(in::text)),
        in.list(() -> new Change(in.text(), in.integer(), in.text(), in.text())),
        in.list(() -> new EditedLines(in.integer(), in.integer(), in.text())),
        Partial.NONE,
        "");
  }

  private static Finding finding(PackedReader in) {
    return new Finding(
        in.text().intern(),
        in.constant(Severity.class),
        in.constant(Disposition.class),
        in.text(),
        in.integer(),
        in.integer(),
        in.integer(),
        in.integer(),
        in.text(),
        in.text().intern(),
        in.text(),
        in.text(),
        in.text());
  }

  private static byte[] output(int length, byte[] compressed) {
    try {
      return Compression.decompress(compressed, length);
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("a kept port is damaged", e);
    }
  }
}
