package dev.rocport.toolchain.packages;

import dev.rocport.io.Sha256;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.provision.Download;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A folder of packages as one file: a tar archive with the manifest first, then the packages in the
 * manifest's order. The same packages make the same bytes.
 */
public final class PackageArchive {
  /** What tells the file name of an archive from that of a folder. */
  static final String ENDING = ".tar";

  private static final int BLOCK = 512;

  private PackageArchive() {}

  public static boolean isName(Path path) {
    return path.toString().endsWith(ENDING);
  }

  /** Writes a folder that {@link Download} filled, and the archive's SHA-256 beside it. */
  public static void write(Path folder, Path archive) throws IOException, ToolchainException {
    Path part = archive.resolveSibling(archive.getFileName() + ".part");
    try {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part), 1 << 16)) {
        List<Path> files = new ArrayList<>(List.of(folder.resolve(Manifest.FILE)));
        Manifest.read(folder).debs().stream().map(Deb::file).distinct().forEach(files::add);
        for (Path file : files) {
          add(file, out);
        }
        out.write(new byte[2 * BLOCK]);
      }
      Files.move(part, archive, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
    Files.writeString(
        archive.resolveSibling(archive.getFileName() + ".sha256"),
        Sha256.of(archive) + "  " + archive.getFileName() + "\n");
  }

  /** Unpacks an archive into a new folder; the manifest's hashes are checked by who reads it. */
  static void unpack(Path archive, Path folder) throws IOException, ToolchainException {
    Files.createDirectories(folder);
    try (InputStream in = new BufferedInputStream(Files.newInputStream(archive), 1 << 16)) {
      TarFile.unpack(in, folder);
    } catch (IOException e) {
      throw new ToolchainException(
          archive
              + " cannot be unpacked: "
              + e.getMessage()
              + "\nCheck its SHA-256 and copy it again.",
          e);
    }
  }

  private static void add(Path file, OutputStream out) throws IOException {
    long size = Files.size(file);
    byte[] header = new byte[BLOCK];
    put(header, 0, String.valueOf(file.getFileName()));
    put(header, 100, "0000644");
    put(header, 108, "0000000");
    put(header, 116, "0000000");
    put(header, 124, "%011o".formatted(size));
    put(header, 136, "%011o".formatted(0));
    put(header, 148, "        ");
    header[156] = '0';
    put(header, 257, "ustar\00000");
    int sum = 0;
    for (byte b : header) {
      sum += b & 0xff;
    }
    put(header, 148, "%06o\0 ".formatted(sum));
    out.write(header);
    Files.copy(file, out);
    out.write(new byte[(int) ((BLOCK - size % BLOCK) % BLOCK)]);
  }

  private static void put(byte[] header, int at, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > 100) {
      throw new IOException("the name is too long for the archive: " + text);
    }
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }
}
