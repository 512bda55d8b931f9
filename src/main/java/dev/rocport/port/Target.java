package dev.rocport.port;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Receives the files of a run. Called by many threads concurrently. */
public interface Target {
  /** A target that writes nothing. */
  Target NONE = new Target() {};

  /**
   * Returns the content to port.
   *
   * @throws IOException if it cannot be read
   */
  default byte[] read(TreeEntry entry) throws IOException {
    return Files.readAllBytes(entry.file());
  }

  /** Returns whether this asks ported files for their content with some edits only. */
  default boolean takesParts() {
    return false;
  }

  /** Returns whether {@link #read} gives what the file on disk holds. */
  default boolean readsDisk() {
    return true;
  }

  /**
   * Returns the key of the last port if this program made it, with the same rules and options, of
   * files with the same paths, and what it wrote of its own is still there; otherwise empty.
   *
   * @param tree identifies the program, rules, options and paths
   */
  default Optional<String> lastKey(String tree) throws IOException {
    return Optional.empty();
  }

  /**
   * Returns the result of an entry if the last port made it with this key, and neither its original
   * nor its output has changed since; otherwise null. Writes nothing.
   */
  default @Nullable FileResult unchanged(TreeEntry entry, String key) throws IOException {
    return null;
  }

  /**
   * Returns whether the last port has searched an unchanged file that is only copied, with this
   * program and these rules, and has found nothing in it.
   */
  default boolean isSearched(TreeEntry entry) {
    return false;
  }

  /** Takes the result of such a search: there is nothing to report. */
  default void searched(TreeEntry entry) {}

  /** Returns whether {@link #wants} is true for all entries. */
  default boolean wantsAll() {
    return true;
  }

  /**
   * Returns whether the run needs the result of an entry; if not, it is only looked at as context.
   */
  default boolean wants(TreeEntry entry) {
    return true;
  }

  /**
   * Called before the first file is ported; not called if every entry is unchanged. The key
   * identifies options, rules and project; equal keys give equal ports. To find it out takes a
   * while.
   */
  default void begin(Supplier<String> key) {}

  /**
   * Adds a header that this run generates; it is written beside rocport's own if a file needs it.
   */
  default void header(String name, String content) {}

  /** Adds a file that has no original. */
  default void added(String path, AddedFile file) {}

  /**
   * Returns the result of a file that is up to date; null if the file must be ported.
   *
   * @throws IOException if the state of the last run cannot be read
   */
  default @Nullable FileResult known(TreeEntry entry, SourceFile file) throws IOException {
    return null;
  }

  /**
   * Takes a ported file.
   *
   * @throws IOException if it cannot be written; no partial output remains
   */
  default FileResult ported(PortedFile file) throws IOException {
    return file.result();
  }

  /** Reports that the file at this place of the tree is finished, with or without success. */
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
