package dev.rocport.io;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a file atomically: next to its target first, then moves it there. */
public final class AtomicFile {
  private AtomicFile() {}

  /** Something that writes text. */
  @FunctionalInterface
  public interface Content {
    void writeTo(Writer out) throws IOException;
  }

  /**
   * Writes UTF-8 text; folders that are missing are made.
   *
   * @throws IOException if the file cannot be written; what was there before stays
   */
  public static void write(Path file, Content content) throws IOException {
    Path target = file.toAbsolutePath();
    Files.createDirectories(target.getParent());
    // Not a temporary file of the JDK: that could be read by its owner only, and so the report.
    String name = ".rocport-" + target.getFileName() + "-" + ProcessHandle.current().pid() + ".tmp";
    Path beside = target.resolveSibling(name);
    try {
      try (BufferedWriter out = Files.newBufferedWriter(beside, StandardCharsets.UTF_8)) {
        content.writeTo(out);
      }
      move(beside, target);
    } finally {
      Files.deleteIfExists(beside);
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
