package dev.rocport.port;

import dev.rocport.core.source.TreeWriter;
import dev.rocport.io.Compression;
import dev.rocport.io.Sha256;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.zip.DataFormatException;
import org.jspecify.annotations.Nullable;

/**
 * Compressed copies of files by their hash, for merge and undo. One file holds them all, since
 * creating a file takes much longer than appending to one. It has records of SHA-256 (32 bytes),
 * length, compressed length (4 bytes each, big-endian) and the compressed bytes. A partial record
 * at the end, which a killed run may leave, is truncated.
 */
final class BaseStore implements AutoCloseable {
  private static final int HEADER = 32 + 4 + 4;

  /** Number of unused bytes below which the file is not rewritten. */
  private static final long SLACK = 1 << 20;

  private final Path file;
  private final Map<String, Place> places = new HashMap<>();
  private @Nullable FileChannel channel;
  private long end;
  private boolean indexed;

  private record Place(long offset, int length, int packed) {}

  /** A store in a file, which is read when it is first needed and created with the first copy. */
  BaseStore(Path file) {
    this.file = file;
  }

  private FileChannel open() throws IOException {
    FileChannel c = channel;
    if (c == null) {
      c =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      channel = c;
    }
    return c;
  }

  /** Returns where each copy is, by its hash. */
  private Map<String, Place> places() throws IOException {
    if (!indexed) {
      if (Files.exists(file)) {
        index(open());
      }
      indexed = true;
    }
    return places;
  }

  private void index(FileChannel c) throws IOException {
    long size = c.size();
    ByteBuffer header = ByteBuffer.allocate(HEADER);
    byte[] hash = new byte[32];
    while (end + HEADER <= size) {
      read(c, header.clear(), end);
      header.flip().get(hash);
      int length = header.getInt();
      int packed = header.getInt();
      if (length < 0 || packed < 0 || end + HEADER + packed > size) {
        break;
      }
      places.put(HexFormat.of().formatHex(hash), new Place(end + HEADER, length, packed));
      end += HEADER + packed;
    }
    if (end < size) {
      c.truncate(end);
    }
  }

  /** Adds a copy, unless it is already present. */
  void put(String hash, byte[] content) throws IOException {
    if (has(hash)) {
      return;
    }
    ByteBuffer record = record(hash, content);
    synchronized (this) {
      if (has(hash)) {
        return; // another thread was faster with an equal file
      }
      FileChannel c = open();
      int packed = record.remaining() - HEADER;
      long at = end;
      try {
        while (record.hasRemaining()) {
          at += c.write(record, at);
        }
      } catch (IOException e) {
        c.truncate(end); // a partial record would be read as a complete one
        throw e;
      }
      places().put(hash, new Place(end + HEADER, content.length, packed));
      end = at;
    }
  }

  private static ByteBuffer record(String hash, byte[] content) {
    byte[] packed = Compression.compress(content);
    return ByteBuffer.allocate(HEADER + packed.length)
        .put(HexFormat.of().parseHex(hash))
        .putInt(content.length)
        .putInt(packed.length)
        .put(packed)
        .flip();
  }

  synchronized boolean has(String hash) throws IOException {
    return places().containsKey(hash);
  }

  /**
   * Returns the copy with this hash.
   *
   * @throws IOException if it is missing or damaged
   */
  byte[] get(String hash) throws IOException {
    byte[] packed;
    Place place;
    synchronized (this) {
      place = places().get(hash);
      if (place == null) {
        throw new IOException("the base copy is missing from " + file);
      }
      packed = new byte[place.packed()];
      read(open(), ByteBuffer.wrap(packed), place.offset());
    }
    try {
      byte[] content = Compression.decompress(packed, place.length());
      if (Sha256.of(content).equals(hash)) {
        return content;
      }
      throw new IOException("a base copy in " + file + " is damaged");
    } catch (DataFormatException e) {
      throw new IOException("a base copy in " + file + " is damaged", e);
    }
  }

  /** Removes all copies but these, if that frees enough space. */
  synchronized void keepOnly(Set<String> hashes, TreeWriter writer) throws IOException {
    long live = 0;
    for (Map.Entry<String, Place> e : places().entrySet()) {
      live += hashes.contains(e.getKey()) ? HEADER + e.getValue().packed() : 0;
    }
    if (end - live <= Math.max(SLACK, live)) {
      return;
    }
    FileChannel from = open();
    writer.write(
        file,
        out -> {
          for (Map.Entry<String, Place> e : places.entrySet()) {
            if (hashes.contains(e.getKey())) {
              ByteBuffer record = ByteBuffer.allocate(HEADER + e.getValue().packed());
              read(from, record, e.getValue().offset() - HEADER);
              out.write(record.array());
            }
          }
        });
    close();
    places.clear();
    end = 0;
    index(open());
  }

  private static void read(FileChannel from, ByteBuffer into, long at) throws IOException {
    long next = at;
    while (into.hasRemaining()) {
      int n = from.read(into, next);
      if (n < 0) {
        throw new EOFException("the base copies are truncated");
      }
      next += n;
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
  }
}
