package dev.rocport.buildsystem.shared;

import dev.rocport.core.source.SourceFile;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** The files of a tree, read when they are asked for. */
public interface ProjectFiles {
  /** A tree of one file. */
  static ProjectFiles of(SourceFile file) {
    return new OneFile(file);
  }

  /** All paths, relative to the tree's root, with {@code /}. */
  SortedSet<String> paths();

  /** True for C, C++ and CUDA. */
  boolean isSource(String path);

  /** A file of the tree; null if it is too large or cannot be read. */
  @Nullable SourceFile read(String path);
}
