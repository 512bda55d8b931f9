package dev.rocport.buildsystem.shared;

import dev.rocport.core.source.SourceFile;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** The files of a tree, read on demand. */
public interface ProjectFiles {
  /** Returns a tree of one file. */
  static ProjectFiles of(SourceFile file) {
    return new OneFile(file);
  }

  /** Returns the copies of libraries in the tree, whose files are not among its paths. */
  default LibraryCopies copies() {
    return LibraryCopies.NONE;
  }

  /** Returns all paths, relative to the root of the tree and separated by {@code /}. */
  SortedSet<String> paths();

  /** Returns true for C, C++ and CUDA sources. */
  boolean isSource(String path);

  /** Returns a file of the tree; null if it is too large or unreadable. */
  @Nullable SourceFile read(String path);
}
