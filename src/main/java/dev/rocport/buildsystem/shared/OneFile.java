package dev.rocport.buildsystem.shared;

import dev.rocport.core.source.SourceFile;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A tree of one file. */
public record OneFile(SourceFile file) implements ProjectFiles {
  @Override
  public SortedSet<String> paths() {
    return new TreeSet<>(List.of(file.path()));
  }

  @Override
  public boolean isSource(String path) {
    return false;
  }

  @Override
  public @Nullable SourceFile read(String path) {
    return path.equals(file.path()) ? file : null;
  }
}
