package dev.rocport.build.compile;

import dev.rocport.io.Sha256;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A folder of files by name, written atomically, so that several runs can share it. If it exceeds
 * its limit, the least recently used files are deleted. A file is checked against its hash when it
 * is read; a damaged file is ignored.
 */
public final class ObjectCache {
  private static final int HASH = 32;

  private final Path folder;
  private final long limit;

  /**
   * @param limit maximum size in bytes
   */
  public ObjectCache(Path folder, long limit) {
    this.folder = folder;
    this.limit = limit;
  }

  /** A compiled object. */
  static final class Entry {
    private final byte[] object;
    private final String messages;
    private final List<String> dependencies;

    /**
     * @param object bytes of the file
     * @param messages what the compiler printed
     * @param dependencies files that it read, as spelled by the compiler
     */
    Entry(byte[] object, String messages, List<String> dependencies) {
      this.object = object;
      this.messages = messages;
      this.dependencies = List.copyOf(dependencies);
    }

    byte[] object() {
      return object;
    }

    String messages() {
      return messages;
    }

    List<String> dependencies() {
      return dependencies;
    }
  }

  Optional<Entry> object(String key) {
    return read(key + ".o")
        .flatMap(
            bytes -> {
              try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
                String messages = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
                String names = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
                List<String> files = names.isEmpty() ? List.of() : List.of(names.split("\n"));
                return Optional.of(new Entry(in.readAllBytes(), messages, files));
              } catch (IOException e) {
                return Optional.empty();
              }
            });
  }

  void putObject(String key, Entry entry) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(entry.object().length + 4096);
    DataOutputStream out = new DataOutputStream(bytes);
    for (String text : new String[] {entry.messages(), String.join("\n", entry.dependencies())}) {
      byte[] b = text.getBytes(StandardCharsets.UTF_8);
      out.writeInt(b.length);
      out.write(b);
    }
    out.write(entry.object());
    write(key + ".o", bytes.toByteArray());
  }

  /** Returns the lines stored under a key; empty if there are none. */
  List<String> lines(String key) {
    return read(key + ".m")
        .map(b -> new String(b, StandardCharsets.UTF_8).lines().toList())
        .orElse(List.of());
  }

  void putLines(String key, List<String> lines) throws IOException {
    write(key + ".m", String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
  }

  private Path file(String name) {
    return folder.resolve(name.substring(0, 2)).resolve(name.substring(2));
  }

  private Optional<byte[]> read(String name) {
    Path file = file(name);
    try {
      byte[] all = Files.readAllBytes(file);
      if (all.length < HASH) {
        return Optional.empty();
      }
      byte[] content = Arrays.copyOfRange(all, HASH, all.length);
      if (!Arrays.equals(Sha256.digest().digest(content), Arrays.copyOf(all, HASH))) {
        return Optional.empty();
      }
      touch(file);
      return Optional.of(content);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static void touch(Path file) {
    try {
      Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
    } catch (IOException e) {
      // Another run may have deleted it, or the folder is read-only; only the time of use is lost.
    }
  }

  private void write(String name, byte[] content) throws IOException {
    Path file = file(name);
    Files.createDirectories(file.getParent());
    Path part = Files.createTempFile(file.getParent(), "part", ".tmp");
    try {
      try (FileChannel out = FileChannel.open(part, StandardOpenOption.WRITE)) {
        out.write(java.nio.ByteBuffer.wrap(Sha256.digest().digest(content)));
        java.nio.ByteBuffer rest = java.nio.ByteBuffer.wrap(content);
        while (rest.hasRemaining()) {
          out.write(rest);
        }
      }
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private record Stored(Path file, long size, long used) {}

  /**
   * Deletes the least recently used files if the folder exceeds its limit, unless another run is
   * doing so.
   */
  public void trim() throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    Path lockFile = folder.resolve("lock");
    try (FileChannel channel =
            FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        return;
      }
      List<Stored> files = stored();
      long total = files.stream().mapToLong(Stored::size).sum();
      if (total <= limit) {
        return;
      }
      files.sort(Comparator.comparingLong(Stored::used));
      for (Stored s : files) {
        if (total <= limit / 10 * 8) {
          break;
        }
        Files.deleteIfExists(s.file());
        total -= s.size();
      }
    } catch (java.nio.channels.OverlappingFileLockException e) {
      // Another build in this process is trimming.
    }
  }

  private List<Stored> stored() throws IOException {
    List<Stored> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(folder, 2)) {
      for (Path p :
          (Iterable<Path>)
              all.filter(f -> f.getNameCount() > folder.getNameCount() + 1)::iterator) {
        try {
          files.add(new Stored(p, Files.size(p), Files.getLastModifiedTime(p).toMillis()));
        } catch (NoSuchFileException e) {
          // Renamed or deleted in the meantime.
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return files;
  }
}
