package dev.rocport.fleet;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * Unpacks an archive whose content nobody vouches for: paths stay in the folder, the size is
 * limited, and links are made last, so that nothing is written through them.
 */
final class TarContent {
  private static final int MOST_ENTRIES = 1_000_000;

  private final Path folder;
  private final long limit;
  private final Map<Path, String> links = new LinkedHashMap<>();
  private long bytes;
  private int entries;

  private TarContent(Path folder, long limit) {
    this.folder = folder;
    this.limit = limit;
  }

  /**
   * Unpacks an archive.
   *
   * @param limit most bytes of content
   * @return the root of the repository: the folder, or the only folder in it
   */
  static Path unpack(Path archive, Path folder, long limit) throws Failure, IOException {
    if (!Files.isRegularFile(archive)) {
      throw new Failure(
          Failure.Kind.UNREADABLE, Files.exists(archive) ? "not a file" : "no such file");
    }
    try (InputStream file = new BufferedInputStream(Files.newInputStream(archive), 1 << 16)) {
      new TarContent(folder, limit).unpack(archive, file);
    }
    try (Stream<Path> top = Files.list(folder)) {
      Path[] all = top.toArray(Path[]::new);
      boolean one = all.length == 1 && Files.isDirectory(all[0]) && !Files.isSymbolicLink(all[0]);
      return one ? all[0] : folder;
    }
  }

  private void unpack(Path archive, InputStream file) throws Failure, IOException {
    boolean packed = !archive.toString().endsWith(".tar");
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(
            packed ? new GZIPInputStream(file, 1 << 16) : file, StandardCharsets.UTF_8.name())) {
      TarArchiveEntry entry = next(tar);
      if (entry == null) {
        throw new Failure(Failure.Kind.BROKEN_ARCHIVE, "the archive is empty");
      }
      for (; entry != null; entry = next(tar)) {
        if (++entries > MOST_ENTRIES) {
          throw new Failure(
              Failure.Kind.TOO_LARGE, "the archive has more than %,d entries".formatted(entries));
        }
        unpack(tar, entry);
      }
    } catch (EOFException | ZipException e) {
      throw broken(e);
    }
    for (Map.Entry<Path, String> link : links.entrySet()) {
      if (!Files.exists(link.getKey())) {
        Files.createSymbolicLink(link.getKey(), Path.of(link.getValue()));
      }
    }
  }

  private static TarArchiveEntry next(TarArchiveInputStream tar) throws Failure {
    try {
      return tar.getNextEntry();
    } catch (IOException | IllegalArgumentException e) {
      throw broken(e);
    }
  }

  private static Failure broken(Exception e) {
    return new Failure(Failure.Kind.BROKEN_ARCHIVE, "the archive is damaged: " + e.getMessage());
  }

  private void unpack(TarArchiveInputStream tar, TarArchiveEntry entry)
      throws Failure, IOException {
    Path target = inside(entry.getName());
    if (target.equals(folder)) {
      return;
    }
    if (entry.isDirectory()) {
      Files.createDirectories(target);
    } else if (entry.isSymbolicLink()) {
      Files.createDirectories(target.getParent());
      links.put(target, entry.getLinkName());
    } else if (entry.isLink()) {
      Path original = inside(entry.getLinkName());
      if (!Files.isRegularFile(original)) {
        throw new Failure(
            Failure.Kind.BROKEN_ARCHIVE, "a hard link to nothing: " + entry.getName());
      }
      count(Files.size(original));
      Files.createDirectories(target.getParent());
      Files.copy(original, target);
    } else if (entry.isFile()) {
      Files.createDirectories(target.getParent());
      copy(tar, target);
    }
    // Devices and pipes are left out: an audit does not read them.
  }

  private Path inside(String name) throws Failure {
    Path target;
    try {
      target = folder.resolve(name).normalize();
    } catch (InvalidPathException e) {
      throw broken(e);
    }
    if (name.startsWith("/") || !target.startsWith(folder)) {
      throw new Failure(
          Failure.Kind.LEADS_OUT, "the archive contains a path that leads out of it: " + name);
    }
    return target;
  }

  private void copy(TarArchiveInputStream tar, Path target) throws Failure, IOException {
    byte[] buffer = new byte[1 << 16];
    try (OutputStream out = Files.newOutputStream(target)) {
      while (true) {
        int n;
        try {
          n = tar.read(buffer);
        } catch (IOException e) {
          throw broken(e);
        }
        if (n < 0) {
          return;
        }
        count(n);
        out.write(buffer, 0, n);
      }
    }
  }

  private void count(long more) throws Failure {
    bytes += more;
    if (bytes > limit) {
      throw new Failure(
          Failure.Kind.TOO_LARGE,
          "the archive has more than %d MiB of content (--size-limit)".formatted(limit >> 20));
    }
  }
}
