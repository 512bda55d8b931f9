package dev.rocport.port;

import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.lang.cuda.symbols.ProjectIndex.Scan;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is known about sources before they are read. Thread-safe. */
interface KnownScans {
  /** The facts of a source; null if it has none, or if nobody needs them. */
  record Known(@Nullable Scan scan) {}

  /** Returns the facts of a source; empty if the file may have changed since they were kept. */
  Optional<Known> find(TreeEntry entry);

  /** Returns the facts of a source with this content. */
  Optional<Known> find(TreeEntry entry, SourceFile content);

  /**
   * Takes the facts of a source.
   *
   * @param scan null if it has none
   */
  void put(TreeEntry entry, SourceFile content, @Nullable Scan scan);
}
