package dev.rocport.verify;

import java.util.List;

/**
 * The line of a CUDA source that a line of a ported file comes from.
 *
 * @param path of the file in the original tree
 * @param line 1-based
 * @param excerpt the line, marked, with those around it; empty if the original is not there any
 *     more
 */
record OriginalPlace(String path, int line, List<String> excerpt) {
  OriginalPlace {
    excerpt = List.copyOf(excerpt);
  }

  @Override
  public String toString() {
    return path + ":" + line;
  }
}
