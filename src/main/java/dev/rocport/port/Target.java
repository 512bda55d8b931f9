package dev.rocport.port;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import java.io.IOException;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;

/** Receives the files of a run. Called by many threads concurrently. */
public interface Target {
  /** A target that writes nothing. */
  Target NONE = new Target() {};

  /**
   * The content to look at and to port.
   *
   * @throws IOException if it cannot be read
   */
  default byte[] read(TreeEntry entry) throws IOException {
    return Files.readAllBytes(entry.file());
  }

  /**
   * Before the first file is ported: identifies options, rules and project; equal keys give equal
   * ports.
   */
  default void begin(String key) {}

  /** A header that this run makes up; it goes beside rocport's own if a file asks for it. */
  default void header(String name, String content) {}

  /** A file that the output has beside those of the original. */
  default void added(String path, AddedFile file) {}

  /**
   * The result of a file that need not be ported again; null if it must.
   *
   * @throws IOException if the state of the last run cannot be read
   */
  default @Nullable FileResult known(TreeEntry entry, SourceFile file) throws IOException {
    return null;
  }

  /**
   * Takes a ported file.
   *
   * @throws IOException if it cannot be written; nothing half-written is left
   */
  default FileResult ported(PortedFile file) throws IOException {
    return file.result();
  }

  /** The file at this place of the tree is done, well or not. */
  default void done(int index) {}

  /**
   * Takes an entry that is not a source: build files, other files, links, excluded files.
   *
   * @throws IOException if it cannot be read or written; no partial output remains
   */
  default FileResult passed(int index, TreeEntry entry) throws IOException {
    return Results.of(entry);
  }
}
