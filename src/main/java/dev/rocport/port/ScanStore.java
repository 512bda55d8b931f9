package dev.rocport.port;

import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import dev.rocport.lang.cuda.symbols.ProjectIndex.Scan;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The facts of the sources of a tree, for later runs of any command: a source whose facts are kept
 * is neither parsed nor, if its stamp is the same, read. They depend on nothing but the path and
 * the content of the file, the program, the rules and the options.
 */
final class ScanStore implements KnownScans {
  private final TreeCache cache;

  ScanStore(TreeCache cache) {
    this.cache = cache;
  }

  /**
   * Opens the store of a tree.
   *
   * @param root the root of the tree
   * @param sources number of sources in the tree
   * @param key identifies the program, the rules and the options
   */
  static ScanStore of(Path root, int sources, String key) {
    return new ScanStore(TreeCache.of("scans", root, sources, key));
  }

  /** Creates a store that keeps nothing. */
  static ScanStore none() {
    return new ScanStore(TreeCache.none());
  }

  @Override
  public Optional<Known> find(TreeEntry entry) {
    return cache.find(entry).flatMap(ScanStore::unpacked);
  }

  @Override
  public Optional<Known> find(TreeEntry entry, SourceFile content) {
    return cache.find(entry, content, "").flatMap(ScanStore::unpacked);
  }

  private static Optional<Known> unpacked(byte[] packed) {
    try {
      return Optional.of(
          new Known(packed.length == 0 ? null : Scan.read(new PackedReader(packed))));
    } catch (RuntimeException e) {
      return Optional.empty(); // damaged before its checksum was made
    }
  }

  @Override
  public void put(TreeEntry entry, SourceFile content, @Nullable Scan scan) {
    if (cache.keeps()) {
      PackedWriter out = new PackedWriter();
      if (scan != null) {
        scan.write(out);
      }
      cache.put(entry, content, "", out.toBytes());
    }
  }

  /** Returns what is kept about the sources that this run has asked about, by path. */
  Map<String, TreeCache.Kept> asked() {
    return cache.asked();
  }

  /** Writes what this run knows. */
  void save() {
    cache.save();
  }
}
