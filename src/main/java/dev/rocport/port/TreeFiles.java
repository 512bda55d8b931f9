package dev.rocport.port;

import dev.rocport.buildsystem.shared.LibraryCopies;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The files of a run, for the port of build files. */
final class TreeFiles implements ProjectFiles {
  /** Build files and scripts are smaller. */
  private static final long LARGEST = 4 << 20;

  private final SortedMap<String, TreeEntry> entries = new TreeMap<>();
  private final SortedSet<String> paths;
  private final LibraryCopies copies;
  private final Target target;

  TreeFiles(Collection<TreeEntry> all, LibraryCopies copies, Target target) {
    for (TreeEntry e : all) {
      boolean isFile =
          e.isSource()
              || e.kind() == FileKind.PYTHON
              || e.kind() == FileKind.JAVA
              || e.kind() == FileKind.BUILD
              || e.kind() == FileKind.OTHER;
      if (isFile && !copies.has(e.path())) {
        entries.put(e.path(), e);
      }
    }
    this.paths = Collections.unmodifiableSortedSet(new TreeSet<>(entries.keySet()));
    this.copies = copies;
    this.target = target;
  }

  @Override
  public LibraryCopies copies() {
    return copies;
  }

  @Override
  public SortedSet<String> paths() {
    return paths;
  }

  @Override
  public boolean isSource(String path) {
    TreeEntry e = entries.get(path);
    return e != null && e.isSource();
  }

  @Override
  public @Nullable SourceFile read(String path) {
    TreeEntry e = entries.get(path);
    if (e == null || e.size() > LARGEST) {
      return null;
    }
    try {
      return new SourceFile(path, target.read(e));
    } catch (IOException x) {
      return null; // its copy fails in the same way and reports it
    }
  }
}
