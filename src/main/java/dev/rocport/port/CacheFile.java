package dev.rocport.port;

import dev.rocport.core.source.TreeWriter;
import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import dev.rocport.io.ProgramFile;
import dev.rocport.io.Sha256;
import dev.rocport.io.UserFolders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A file in the user's cache about a tree: a checksum (4 bytes, big-endian, CRC-32C) of the bytes
 * after it, and these bytes. A file that no run has used for two weeks is deleted when another one
 * is written.
 */
record CacheFile(Path folder, String name) {
  /** Bytes before the content. */
  static final int HEAD = Integer.BYTES;

  private static final String SUFFIX = ".cache";

  /** Trees with fewer sources are analyzed faster than a cache is read. */
  private static final int FEWEST = 20;

  private static final Duration UNUSED = Duration.ofDays(14);

  /** Gives the file for a tree, as {@link #of} does. */
  interface Place {
    Optional<CacheFile> of(String kind, Path root, int sources, String key);
  }

  /**
   * Returns the file for a tree; none if the program does not run from its package, or for small
   * trees.
   *
   * @param kind what is in the file
   * @param root the root of the tree
   * @param sources number of sources in the tree
   * @param key identifies the program, the rules and the options
   */
  static Optional<CacheFile> of(String kind, Path root, int sources, String key) {
    if (sources < FEWEST || ProgramFile.build().isEmpty()) {
      return Optional.empty();
    }
    String set = System.getenv().getOrDefault("ROCPORT_CACHE", "");
    Path cache = set.startsWith("/") ? Path.of(set) : UserFolders.cache(System.getenv());
    return Optional.of(in(cache.resolve(kind), root, key));
  }

  /** Returns the file for any tree in a folder. */
  static CacheFile in(Path folder, Path root, String key) {
    return new CacheFile(folder, Sha256.fingerprint(root.toString()) + "-" + key + SUFFIX);
  }

  Path path() {
    return folder.resolve(name);
  }

  /** Notes that the file was used. */
  void use() throws IOException {
    Files.setLastModifiedTime(path(), FileTime.from(Instant.now()));
  }

  /**
   * Reads the file.
   *
   * @return all of its bytes; none if it is damaged
   */
  byte[] read() throws IOException {
    byte[] all = Files.readAllBytes(path());
    boolean isWhole = all.length >= HEAD && ByteBuffer.wrap(all).getInt() == checksum(all);
    return isWhole ? all : new byte[0];
  }

  /**
   * Reads a file of packed values.
   *
   * @return none if it is damaged
   */
  Optional<PackedReader> packed() throws IOException {
    byte[] all = read();
    return all.length == 0
        ? Optional.empty()
        : Optional.of(new PackedReader(Arrays.copyOfRange(all, HEAD, all.length)));
  }

  private static int checksum(byte[] all) {
    CRC32C sum = new CRC32C();
    sum.update(all, HEAD, all.length - HEAD);
    return (int) sum.getValue();
  }

  /** Writes a file of packed values. */
  void write(PackedWriter values) throws IOException {
    byte[] packed = values.toBytes();
    byte[] all = new byte[HEAD + packed.length];
    System.arraycopy(packed, 0, all, HEAD, packed.length);
    write(all);
  }

  /**
   * Writes the file at once, and deletes others that were not used for long.
   *
   * @param all the bytes of the file; receives the checksum
   */
  void write(byte[] all) throws IOException {
    ByteBuffer.wrap(all).putInt(checksum(all));
    new TreeWriter(folder).write(path(), all, null);
    Instant limit = Instant.now().minus(UNUSED);
    try (DirectoryStream<Path> caches = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path cache : caches) {
        if (Files.getLastModifiedTime(cache).toInstant().isBefore(limit)) {
          Files.deleteIfExists(cache);
        }
      }
    }
  }
}
