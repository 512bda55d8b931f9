package dev.rocport.buildsystem;

import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.core.source.SourceFile;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A tree in memory, whose only sources are {@code .cu} files. */
public record TestFiles(SortedMap<String, SourceFile> tree) implements ProjectFiles {
  @Override
  public SortedSet<String> paths() {
    return new TreeSet<>(tree.keySet());
  }

  @Override
  public boolean isSource(String path) {
    return path.endsWith(".cu");
  }

  @Override
  public @Nullable SourceFile read(String path) {
    return tree.get(path);
  }
}
