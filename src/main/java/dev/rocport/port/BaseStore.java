package dev.rocport.port;

import dev.rocport.source.TreeWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** Copies of files by their hash, compressed: what a merge and an undo go back to. */
final class BaseStore {
  private static final String ENDING = ".z";

  private final Path folder;
  private final TreeWriter writer;

  BaseStore(Path folder, TreeWriter writer) {
    this.folder = folder;
    this.writer = writer;
  }

  /** Keeps a copy, unless it is there already. */
  void put(String hash, byte[] content) throws IOException {
    Path file = place(hash);
    if (Files.exists(file)) {
      return;
    }
    ByteArrayOutputStream packed = new ByteArrayOutputStream(content.length / 3 + 64);
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try (DeflaterOutputStream out = new DeflaterOutputStream(packed, deflater, 1 << 14)) {
      out.write(content);
    } finally {
      deflater.end();
    }
    writer.write(file, packed.toByteArray(), null);
  }

  boolean has(String hash) {
    return !hash.isEmpty() && Files.exists(place(hash));
  }

  /**
   * The copy with this hash.
   *
   * @throws IOException if it is not there or is damaged
   */
  byte[] get(String hash) throws IOException {
    byte[] packed = Files.readAllBytes(place(hash));
    try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(packed))) {
      byte[] content = in.readAllBytes();
      if (!Hashes.of(content).equals(hash)) {
        throw new IOException("the base copy " + place(hash) + " is damaged");
      }
      return content;
    }
  }

  /** Deletes all copies but these. */
  void keepOnly(Set<String> hashes) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    List<Path> files;
    try (Stream<Path> walk = Files.walk(folder)) {
      files = walk.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (name.endsWith(ENDING)
          && !hashes.contains(name.substring(0, name.length() - ENDING.length()))) {
        Files.deleteIfExists(file);
      }
    }
  }

  private Path place(String hash) {
    return folder.resolve(hash.substring(0, 2)).resolve(hash + ENDING);
  }
}
