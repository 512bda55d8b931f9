package dev.rocport.core.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The part of the file system that a run processes.
 *
 * @param root the folder that paths are relative to: the folder given, or the deepest one that
 *     holds all paths given
 * @param starts the files and folders given, absolute, without links
 * @param include if not empty: only sources that one of these names are ported
 * @param exclude files and folders to exclude
 * @param outputs folders that are never walked because the run writes there
 */
public record TreeSelection(
    Path root, List<Path> starts, Globs include, Globs exclude, Set<Path> outputs) {
  public TreeSelection {
    starts = List.copyOf(starts);
    outputs = Set.copyOf(outputs);
  }

  /**
   * The selection of these files and folders with nothing left out.
   *
   * @throws IOException if one does not exist or cannot be reached
   */
  public static TreeSelection of(List<Path> paths) throws IOException {
    List<Path> starts = new ArrayList<>();
    for (Path path : paths) {
      starts.add(path.toRealPath());
    }
    Path root = folder(starts.getFirst());
    for (Path start : starts) {
      root = common(root, folder(start));
    }
    return new TreeSelection(root, starts, Globs.NONE, Globs.NONE, Set.of());
  }

  public TreeSelection with(Globs newInclude, Globs newExclude) {
    return new TreeSelection(root, starts, newInclude, newExclude, outputs);
  }

  public TreeSelection withOutputs(Set<Path> folders) {
    return new TreeSelection(root, starts, include, exclude, folders);
  }

  public TreeSelection withRoot(Path folder) {
    return new TreeSelection(folder, starts, include, exclude, outputs);
  }

  /** True if the selection is one file, not a folder. */
  public boolean isOneFile() {
    return starts.size() == 1 && !Files.isDirectory(starts.getFirst());
  }

  private static Path folder(Path start) {
    Path parent = start.getParent();
    return Files.isDirectory(start) || parent == null ? start : parent;
  }

  private static Path common(Path one, Path other) {
    Path parent = one.getParent();
    return other.startsWith(one) || parent == null ? one : common(parent, other);
  }
}
