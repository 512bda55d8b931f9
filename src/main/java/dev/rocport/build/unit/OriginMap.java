package dev.rocport.build.unit;

import java.util.Optional;

/** Maps lines of a ported tree to the original tree. */
public interface OriginMap {
  /** A map without origins. */
  OriginMap NONE = (path, line) -> Optional.empty();

  /**
   * Returns the origin of a line; empty if the file was not ported or the port added the line.
   *
   * @param path path relative to the root of the ported tree
   * @param line 1-based
   */
  Optional<Origin> at(String path, int line);
}
