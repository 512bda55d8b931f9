package dev.rocport.toolchain.packages;

import io.airlift.compress.v3.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * Unpacks the files of a Debian package: an {@code ar} archive whose member {@code data.tar} holds
 * them. Needs no dpkg, so that any Linux can take the packages.
 */
final class DebFile {
  private static final String MAGIC = "!<arch>\n";
  private static final int HEADER = 60;
  private static final String DATA = "data.tar";

  private DebFile() {}

  /** Unpacks into a folder that exists; no maintainer script runs. */
  static void unpack(Path deb, Path into) throws IOException {
    unpack(deb, into, name -> true);
  }

  /** Unpacks only the regular files whose names are wanted. */
  static void unpack(Path deb, Path into, Predicate<String> wanted) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(deb), 1 << 16)) {
      if (!read(in, MAGIC.length()).equals(MAGIC)) {
        throw new IOException("not a Debian package");
      }
      long offset = MAGIC.length();
      while (true) {
        String header = read(in, HEADER);
        offset += HEADER;
        String name = header.substring(0, 16).strip().replaceFirst("/$", "");
        long size = Long.parseLong(header.substring(48, 58).strip());
        if (name.startsWith(DATA)) {
          unpack(deb, offset, size, name, in, into, wanted);
          return;
        }
        in.skipNBytes(size + size % 2);
        offset += size + size % 2;
      }
    } catch (NumberFormatException e) {
      throw new IOException("its index is malformed", e);
    }
  }

  private static void unpack(
      Path deb,
      long offset,
      long size,
      String name,
      InputStream in,
      Path into,
      Predicate<String> wanted)
      throws IOException {
    Optional<InputStream> blocks =
        name.equals(DATA + ".xz") && Files.size(deb) >= offset + size
            ? XzBlocks.open(deb, offset, size, Runtime.getRuntime().availableProcessors())
            : Optional.empty();
    if (blocks.isPresent()) {
      try (InputStream tar = new BufferedInputStream(blocks.get(), 1 << 16)) {
        TarFile.unpack(tar, into, wanted);
      }
    } else {
      TarFile.unpack(plain(name, in), into, wanted);
    }
  }

  private static InputStream plain(String name, InputStream in) throws IOException {
    return switch (name.substring(DATA.length())) {
      case "" -> in;
      case ".gz" -> new GZIPInputStream(in, 1 << 16);
      case ".xz" -> new BufferedInputStream(new XZInputStream(in), 1 << 16);
      case ".zst" -> new BufferedInputStream(new ZstdInputStream(in), 1 << 16);
      default -> throw new IOException("unknown compression: " + name);
    };
  }

  private static String read(InputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("truncated before its files");
    }
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
