package dev.rocport.port;

import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import dev.rocport.io.PathText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What earlier runs of any command have found out about the files of a tree, in the user's cache: a
 * value of bytes for each file. A value holds for a file whose stamp is the same, which is not
 * read, or whose content has the same hash. What else determines the values is in the key of the
 * cache. Without the cache, everything is found out again. Thread-safe.
 *
 * <p>The {@linkplain CacheFile file} holds, packed, for each file of the tree: path, stamp, hash of
 * the content, and value.
 */
final class TreeCache {
  /** Bytes of the values in the user's cache; further ones are not kept. */
  private static final long LARGEST = 64L << 20;

  /**
   * What is kept about a file.
   *
   * @param stamp its stamp; empty if it may have changed since it was read
   * @param hash the hash of its content, with what else the value depends on
   */
  @SuppressWarnings("ArrayRecordComponent") // written and read, never compared
  record Kept(String stamp, String hash, byte[] value) {}

  /** Empty if nothing is kept. */
  private final Optional<CacheFile> file;

  private final Path root;
  private final Instant start;
  private final long largest;
  private final Map<String, Kept> before = new HashMap<>();
  private final Map<String, Kept> now = new ConcurrentHashMap<>();
  private final AtomicLong size = new AtomicLong();

  /** Whether a value or a stamp differs from what was read. */
  private final AtomicBoolean changed = new AtomicBoolean();

  private TreeCache(Optional<CacheFile> file, Path root, Instant start, long largest) {
    this.file = file;
    this.root = root;
    this.start = start;
    this.largest = largest;
  }

  /** Creates a cache that keeps nothing. */
  static TreeCache none() {
    return new TreeCache(Optional.empty(), Path.of(""), Instant.EPOCH, LARGEST);
  }

  /**
   * Opens a cache of a tree; one that keeps nothing if the program does not run from its package,
   * or for small trees.
   *
   * @param kind what the values are
   * @param root the root of the tree
   * @param sources number of sources in the tree
   * @param key identifies the program, the rules and the options
   */
  static TreeCache of(String kind, Path root, int sources, String key) {
    return CacheFile.of(kind, root, sources, key)
        .map(f -> open(f, root, Instant.now()))
        .orElseGet(TreeCache::none);
  }

  /**
   * The same with a file, for any tree.
   *
   * @param start when the run began: files that are written later, or shortly before, are read
   *     again in the next run
   */
  static TreeCache open(CacheFile file, Path root, Instant start) {
    TreeCache cache = new TreeCache(Optional.of(file), root, start, LARGEST);
    cache.read(file);
    return cache;
  }

  /** The same for the values of a part of a tree, which are all kept. */
  static TreeCache ofPart(CacheFile file, Path root) {
    TreeCache cache = new TreeCache(Optional.of(file), root, Instant.now(), Long.MAX_VALUE);
    cache.read(file);
    return cache;
  }

  /** Returns the values of all parts of a tree; keeps none. */
  static TreeCache ofParts(List<CacheFile> files, Path root) {
    TreeCache cache = new TreeCache(Optional.empty(), root, Instant.now(), Long.MAX_VALUE);
    files.forEach(cache::read);
    return cache;
  }

  private void read(CacheFile from) {
    try {
      from.packed().ifPresent(this::read);
    } catch (IOException | RuntimeException e) {
      before.clear(); // missing or damaged: everything is found out again
    }
  }

  private void read(PackedReader in) {
    int count = in.integer();
    for (int i = 0; i < count; i++) {
      before.put(in.text(), new Kept(in.text(), in.text(), in.bytes()));
    }
  }

  /** Returns the value of a file that nobody has written since it was kept. */
  Optional<byte[]> find(TreeEntry entry) {
    Kept kept = before.get(entry.path());
    try {
      if (kept == null || !FileStamp.of(entry.file()).text().equals(kept.stamp())) {
        return Optional.empty();
      }
    } catch (IOException e) {
      return Optional.empty(); // who reads it reports that
    }
    keep(entry, kept);
    return Optional.of(kept.value());
  }

  /**
   * Returns the value of a file with this content.
   *
   * @param also what else the value depends on
   */
  Optional<byte[]> find(TreeEntry entry, SourceFile content, String also) {
    Kept kept = before.get(entry.path());
    if (kept == null || !kept.hash().equals(content.hash() + also)) {
      return Optional.empty();
    }
    String stamp = FileStamp.textOf(entry.file(), start);
    if (!stamp.equals(kept.stamp())) {
      changed.set(true);
    }
    keep(entry, new Kept(stamp, kept.hash(), kept.value()));
    return Optional.of(kept.value());
  }

  /**
   * Returns whether a value is kept of a file that had this stamp.
   *
   * @param also what else the value depends on
   */
  boolean holds(TreeEntry entry, String stamp, String also) {
    Kept kept = before.get(entry.path());
    return kept != null
        && !stamp.isEmpty()
        && kept.stamp().equals(stamp)
        && kept.hash().endsWith(also);
  }

  /** Returns whether values are kept. */
  boolean keeps() {
    return file.isPresent();
  }

  /** Keeps the value of a file. */
  void put(TreeEntry entry, SourceFile content, String also, byte[] value) {
    if (keeps()) {
      changed.set(true);
      keep(entry, new Kept(FileStamp.textOf(entry.file(), start), content.hash() + also, value));
    }
  }

  private void keep(TreeEntry entry, Kept kept) {
    if (size.addAndGet(kept.value().length) <= largest) {
      now.put(entry.path(), kept);
    }
  }

  /**
   * Writes what this run knows. Without a change, only the age of the cache is set. A cache that
   * cannot be written is left out.
   */
  void save() {
    if (file.isEmpty()) {
      return;
    }
    try {
      Map<String, Kept> all = all();
      if (!changed.get() && !all.isEmpty() && all.size() == before.size()) {
        file.get().use();
        return;
      }
      PackedWriter out = new PackedWriter();
      out.number(all.size());
      all.forEach(
          (path, kept) -> {
            out.text(path);
            out.text(kept.stamp());
            out.text(kept.hash());
            out.bytes(kept.value());
          });
      file.get().write(out);
    } catch (IOException e) {
      // The next run finds out everything again.
    }
  }

  /** Returns what is kept about the files that this run has asked about, by path. */
  Map<String, Kept> asked() {
    return now;
  }

  /** Returns the values of this run, and those of files that it has not asked about. */
  private Map<String, Kept> all() {
    Map<String, Kept> all = new TreeMap<>(now);
    before.forEach(
        (path, kept) -> {
          if (!all.containsKey(path) && Files.exists(PathText.resolve(root, path))) {
            all.put(path, kept);
          }
        });
    return all;
  }
}
