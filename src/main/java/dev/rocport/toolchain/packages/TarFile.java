package dev.rocport.toolchain.packages;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Unpacks a tar stream (ustar with the extensions of GNU and POSIX) into a folder. Nothing is
 * written outside the folder, and an absolute symbolic link leads to the same path in the folder:
 * the files of another distribution must not resolve to files of this machine.
 */
final class TarFile {
  private static final int BLOCK = 512;
  private static final int LONGEST_TEXT = 1 << 20;

  private final InputStream in;
  private final Path root;
  private final Predicate<String> wanted;
  private final byte[] header = new byte[BLOCK];
  private final byte[] buffer = new byte[1 << 16];

  private TarFile(InputStream in, Path root, Predicate<String> wanted) {
    this.in = in;
    this.root = root;
    this.wanted = wanted;
  }

  /**
   * Unpacks all entries.
   *
   * @param in the tar stream, not compressed
   * @throws IOException when the stream is malformed or names a path outside the folder
   */
  static void unpack(InputStream in, Path into) throws IOException {
    unpack(in, into, name -> true);
  }

  /**
   * The same without some files.
   *
   * @param wanted receives the name of each regular file
   */
  static void unpack(InputStream in, Path into, Predicate<String> wanted) throws IOException {
    new TarFile(in, into.toRealPath(), wanted).run();
  }

  private void run() throws IOException {
    Map<String, String> extended = new HashMap<>();
    while (next()) {
      long size = number(124, 12);
      char type = (char) header[156];
      switch (type) {
        case 'L' -> extended.put("path", text(size));
        case 'K' -> extended.put("linkpath", text(size));
        case 'x' -> extended.putAll(records(text(size)));
        case 'g' -> text(size);
        default -> {
          String stated = extended.get("size");
          entry(
              type,
              extended.getOrDefault("path", name()),
              extended.getOrDefault("linkpath", field(157, 100)),
              stated == null ? size : Long.parseLong(stated));
          extended.clear();
        }
      }
    }
  }

  /** Reads the next header; false at the end. */
  private boolean next() throws IOException {
    int read = in.readNBytes(header, 0, BLOCK);
    if (read == 0) {
      return false;
    }
    if (read < BLOCK) {
      throw new EOFException("the tar archive ends within a header");
    }
    boolean empty = true;
    for (byte b : header) {
      empty &= b == 0;
    }
    if (empty) {
      return false;
    }
    int sum = 0;
    for (int i = 0; i < BLOCK; i++) {
      sum += i >= 148 && i < 156 ? ' ' : header[i] & 0xff;
    }
    if (sum != number(148, 8)) {
      throw new IOException("a tar header has a wrong checksum");
    }
    return true;
  }

  private void entry(char type, String name, String link, long size) throws IOException {
    Path at = inside(name);
    if (at.equals(root)) {
      return;
    }
    switch (type) {
      case '5' -> Files.createDirectories(at);
      case '2' -> {
        replace(at);
        Path target =
            link.startsWith("/")
                ? at.resolveSibling("").relativize(root.resolve(link.substring(1)))
                : Path.of(link);
        Files.createSymbolicLink(at, target);
      }
      case '1' -> {
        Path existing = inside(link);
        if (!existing.equals(at)) {
          replace(at);
          Files.createLink(at, existing);
        }
      }
      case '0', '\0', '7' -> {
        if (!wanted.test(name)) {
          in.skipNBytes(Math.ceilDiv(size, BLOCK) * BLOCK);
          return;
        }
        replace(at);
        try (OutputStream out = Files.newOutputStream(at)) {
          copy(size, out);
        }
        Files.setPosixFilePermissions(at, permissions());
        Files.setLastModifiedTime(at, FileTime.fromMillis(number(136, 12) * 1000));
      }
      default ->
          throw new IOException(
              "the tar archive has an entry of the unsupported type " + type + ": " + name);
    }
  }

  /** The place of an entry; symbolic links on the way to it may not lead out of the folder. */
  private Path inside(String name) throws IOException {
    Path at = root.resolve(name.replaceFirst("^/+", "")).normalize();
    if (!at.startsWith(root)) {
      throw new IOException("the tar archive names a path outside its folder: " + name);
    }
    if (at.equals(root)) {
      return at;
    }
    Path parent = at.resolveSibling("");
    Files.createDirectories(parent);
    if (!parent.toRealPath().startsWith(root)) {
      throw new IOException(
          "the tar archive writes through a link that leads out of its folder: " + name);
    }
    return at;
  }

  private static void replace(Path at) throws IOException {
    if (!Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
      Files.deleteIfExists(at);
    }
  }

  private Set<PosixFilePermission> permissions() throws IOException {
    long mode = number(100, 8);
    Set<PosixFilePermission> set =
        EnumSet.of(
            PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.OTHERS_READ);
    if ((mode & 0111) != 0) {
      set.add(PosixFilePermission.OWNER_EXECUTE);
      set.add(PosixFilePermission.GROUP_EXECUTE);
      set.add(PosixFilePermission.OTHERS_EXECUTE);
    }
    return set;
  }

  private void copy(long size, OutputStream out) throws IOException {
    long left = size;
    while (left > 0) {
      int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
      if (read < 0) {
        throw new EOFException("the tar archive ends within a file");
      }
      out.write(buffer, 0, read);
      left -= read;
    }
    in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
  }

  private String text(long size) throws IOException {
    if (size > LONGEST_TEXT) {
      throw new IOException("the tar archive has a name of " + size + " bytes");
    }
    byte[] bytes = in.readNBytes((int) size);
    in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
    return new String(bytes, StandardCharsets.UTF_8).replaceFirst("\0+$", "");
  }

  /** The records of a POSIX header, each {@code length key=value}. */
  private static Map<String, String> records(String text) {
    Map<String, String> found = new HashMap<>();
    for (String line : text.split("\n")) {
      int space = line.indexOf(' ');
      int equals = line.indexOf('=');
      if (space >= 0 && equals > space) {
        found.put(line.substring(space + 1, equals), line.substring(equals + 1));
      }
    }
    return found;
  }

  private String name() {
    String prefix =
        new String(header, 257, 5, StandardCharsets.US_ASCII).equals("ustar")
            ? field(345, 155)
            : "";
    // GNU's own format has times where POSIX has the prefix.
    boolean gnu = header[263] == ' ';
    return prefix.isEmpty() || gnu ? field(0, 100) : prefix + "/" + field(0, 100);
  }

  private String field(int from, int length) {
    byte[] bytes = Arrays.copyOfRange(header, from, from + length);
    String text = new String(bytes, StandardCharsets.UTF_8);
    int end = text.indexOf('\0');
    return end < 0 ? text : text.substring(0, end);
  }

  /** Octal digits, or binary where the first bit is set. */
  private long number(int from, int length) throws IOException {
    if ((header[from] & 0x80) != 0) {
      long value = header[from] & 0x3f;
      for (int i = from + 1; i < from + length; i++) {
        value = (value << 8) | (header[i] & 0xff);
      }
      return value;
    }
    String digits = field(from, length).strip();
    try {
      return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
    } catch (NumberFormatException e) {
      throw new IOException("a tar header has a malformed number: " + digits, e);
    }
  }
}
