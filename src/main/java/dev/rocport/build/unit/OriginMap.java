package dev.rocport.build.unit;

import java.util.Optional;

/** The way back from a ported tree to the tree that it was made from. */
public interface OriginMap {
  /** Knows nothing. */
  OriginMap NONE = (path, line) -> Optional.empty();

  /**
   * The origin of a line; empty if the file is not from a port, or the line was added by it.
   *
   * @param path relative to the ported tree's root
   * @param line 1-based
   */
  Optional<Origin> at(String path, int line);
}
