package dev.rocport.port;

import dev.rocport.core.source.TreeEntry;
import dev.rocport.core.source.TreeWriter;
import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import dev.rocport.io.ProgramFile;
import dev.rocport.io.Sha256;
import dev.rocport.io.UserFolders;
import dev.rocport.lang.cuda.symbols.ProjectIndex.Scan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The facts of the sources of a tree, kept in the user's cache for later runs of any command. A
 * source whose stamp is unchanged is not read; one with another stamp is read, and its facts hold
 * if its content has the same hash. The facts of a file depend on nothing but its path, its
 * content, the program, the rules and the options; all of these but the content are in the name of
 * the store. This is only a cache: without it, all sources are scanned. Thread-safe.
 *
 * <p>The file holds a checksum (4 bytes, big-endian) of the bytes after it, and after that, packed,
 * for each source: path, stamp, hash of the content, and the packed facts, which are empty if the
 * source has none.
 */
final class ScanStore {
  /** Keeps nothing. */
  static final ScanStore NONE = new ScanStore(null, Instant.EPOCH);

  private static final int CHECKSUM = Integer.BYTES;
  private static final String SUFFIX = ".scans";

  /** Trees with fewer sources are scanned faster than such a file is read. */
  private static final int FEWEST = 20;

  private static final Duration UNUSED = Duration.ofDays(14);

  /** The facts of a source, packed. */
  @SuppressWarnings("ArrayRecordComponent") // written and read, never compared
  private record Kept(String stamp, String hash, byte[] scan) {}

  /** Facts that are known; of a file without any, {@code scan} is null. */
  record Known(@Nullable Scan scan) {}

  private final @Nullable Path file;
  private final Instant start;
  private final Map<String, Kept> before = new HashMap<>();
  private final Map<String, Kept> now = new ConcurrentHashMap<>();

  private ScanStore(@Nullable Path file, Instant start) {
    this.file = file;
    this.start = start;
  }

  /**
   * Opens the store of a tree; {@link #NONE} if the program does not run from its package, or for
   * small trees.
   *
   * @param root the root of the tree
   * @param sources number of sources in the tree
   * @param key identifies the program, the rules and the options
   */
  static ScanStore of(Path root, int sources, String key) {
    if (sources < FEWEST || ProgramFile.build().isEmpty()) {
      return NONE;
    }
    String set = System.getenv().getOrDefault("ROCPORT_CACHE", "");
    Path cache = set.startsWith("/") ? Path.of(set) : UserFolders.cache(System.getenv());
    return open(cache.resolve("scans"), root, key, Instant.now());
  }

  /**
   * The same in a folder, for any tree.
   *
   * @param start when the run began: files that are written later, or shortly before, are read
   *     again in the next run
   */
  static ScanStore open(Path folder, Path root, String key, Instant start) {
    String name = Sha256.fingerprint(root.toString()) + "-" + key + SUFFIX;
    ScanStore store = new ScanStore(folder.resolve(name), start);
    try {
      store.read(folder.resolve(name));
    } catch (IOException | RuntimeException e) {
      store.before.clear(); // a missing or damaged store: all sources are scanned
    }
    return store;
  }

  private void read(Path from) throws IOException {
    byte[] all = Files.readAllBytes(from);
    if (all.length < CHECKSUM || ByteBuffer.wrap(all).getInt() != checksum(all)) {
      return;
    }
    PackedReader in = new PackedReader(Arrays.copyOfRange(all, CHECKSUM, all.length));
    int count = in.integer();
    for (int i = 0; i < count; i++) {
      before.put(in.text(), new Kept(in.text(), in.text(), in.bytes()));
    }
  }

  /** Returns the checksum of what follows the checksum. */
  private static int checksum(byte[] all) {
    CRC32C sum = new CRC32C();
    sum.update(all, CHECKSUM, all.length - CHECKSUM);
    return (int) sum.getValue();
  }

  /** Returns the facts of a source that nobody has written since they were kept. */
  Optional<Known> find(TreeEntry entry) {
    Kept kept = before.get(entry.path());
    try {
      return kept != null && FileStamp.of(entry.file()).text().equals(kept.stamp())
          ? take(entry.path(), kept)
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // who reads it reports that
    }
  }

  /** Returns the facts of a source with this content. */
  Optional<Known> find(TreeEntry entry, byte[] content) {
    Kept kept = before.get(entry.path());
    return kept != null && kept.hash().equals(hash(content))
        ? take(entry.path(), new Kept(stamp(entry), kept.hash(), kept.scan()))
        : Optional.empty();
  }

  private Optional<Known> take(String path, Kept kept) {
    try {
      Known known = new Known(unpacked(kept.scan()));
      now.put(path, kept);
      return Optional.of(known);
    } catch (RuntimeException e) {
      return Optional.empty(); // damaged before its checksum was made
    }
  }

  /**
   * Keeps the facts of a source.
   *
   * @param scan null if it has none
   */
  void put(TreeEntry entry, byte[] content, @Nullable Scan scan) {
    if (file != null) {
      now.put(entry.path(), new Kept(stamp(entry), hash(content), packed(scan)));
    }
  }

  /** Returns the stamp of a file that was read; empty if it may have changed meanwhile. */
  private String stamp(TreeEntry entry) {
    try {
      FileStamp stamp = FileStamp.of(entry.file());
      return stamp.isOlderThan(start) ? stamp.text() : "";
    } catch (IOException e) {
      return "";
    }
  }

  private static String hash(byte[] content) {
    return Sha256.of(content);
  }

  private static byte[] packed(@Nullable Scan scan) {
    PackedWriter out = new PackedWriter();
    if (scan != null) {
      scan.write(out);
    }
    return out.toBytes();
  }

  private static @Nullable Scan unpacked(byte[] scan) {
    return scan.length == 0 ? null : Scan.read(new PackedReader(scan));
  }

  /**
   * Writes what this run knows, and deletes stores that no run has written for two weeks. Without a
   * change, only the age of the store is set. A store that cannot be written is left out.
   */
  void save() {
    Path target = file;
    if (target == null) {
      return;
    }
    try {
      if (isSame()) {
        Files.setLastModifiedTime(target, FileTime.from(Instant.now()));
        return;
      }
      PackedWriter out = new PackedWriter();
      out.number(now.size());
      new TreeMap<>(now)
          .forEach(
              (path, kept) -> {
                out.text(path);
                out.text(kept.stamp());
                out.text(kept.hash());
                out.bytes(kept.scan());
              });
      byte[] packed = out.toBytes();
      byte[] all = new byte[CHECKSUM + packed.length];
      System.arraycopy(packed, 0, all, CHECKSUM, packed.length);
      ByteBuffer.wrap(all).putInt(checksum(all));
      Path folder = target.getParent();
      new TreeWriter(folder).write(target, all, null);
      deleteUnused(folder);
    } catch (IOException e) {
      // The next run scans all sources again.
    }
  }

  /** Returns whether this run has used all that was kept, unchanged. */
  private boolean isSame() {
    return now.size() == before.size()
        && now.entrySet().stream().allMatch(e -> before.get(e.getKey()) == e.getValue());
  }

  private static void deleteUnused(Path folder) throws IOException {
    Instant limit = Instant.now().minus(UNUSED);
    try (DirectoryStream<Path> stores = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path store : stores) {
        if (Files.getLastModifiedTime(store).toInstant().isBefore(limit)) {
          Files.deleteIfExists(store);
        }
      }
    }
  }
}
