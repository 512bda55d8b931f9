package dev.rocport.port;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.core.source.TreeWriter;
import dev.rocport.io.PathText;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Removes ports of files that the original no longer has, unless a person edited them. */
final class Vanished {
  private final StateFolder state;
  private final Placement placement;
  private final TreeWriter writer;

  Vanished(StateFolder state, Placement placement, TreeWriter writer) {
    this.state = state;
    this.placement = placement;
    this.writer = writer;
  }

  /**
   * Removes the ports of deleted files.
   *
   * @param alive paths of the output whose original still exists
   */
  List<FileResult> remove(SourceTree tree, TreeSelection selection, Set<String> alive) {
    List<FileResult> results = new ArrayList<>();
    for (KnownFile known : List.copyOf(state.manifest().all())) {
      if (alive.contains(known.path()) || !isAskedFor(known, selection) || isHidden(known, tree)) {
        continue;
      }
      try {
        remove(known, results);
      } catch (IOException e) {
        results.add(Results.failed(known.path(), e));
      }
    }
    return results;
  }

  private void remove(KnownFile known, List<FileResult> results) throws IOException {
    String standing = placement.standing(known.path());
    if (standing == null) {
      state.manifest().remove(known.path());
      return;
    }
    boolean untouched = standing.equals(known.made().output());
    if (untouched) {
      writer.delete(placement.target(known.path()));
      removeEmptyFolders(placement.target(known.path()).getParent(), writer.root());
      state.manifest().remove(known.path());
    }
    if (!known.source().isEmpty()) {
      results.add(
          Results.as(
              known.result(),
              Status.SKIPPED,
              untouched
                  ? "no longer in the original: its port was removed"
                  : "no longer in the original; its port was edited by hand, so it was kept"));
    }
  }

  /** A run over a part of the tree does not affect the rest. */
  private static boolean isAskedFor(KnownFile known, TreeSelection selection) {
    if (known.source().isEmpty()) {
      // A header of rocport: other parts of the tree may include it.
      return selection.starts().contains(selection.root());
    }
    Path file = PathText.resolve(selection.root(), known.source());
    return selection.starts().stream().anyMatch(file::startsWith);
  }

  /** The contents of an unreadable folder do not count as removed. */
  private static boolean isHidden(KnownFile known, SourceTree tree) {
    for (TreeEntry entry : tree.entries()) {
      if (entry.kind() == FileKind.UNREADABLE
          && (known.source().equals(entry.path())
              || known.source().startsWith(entry.path() + "/"))) {
        return true;
      }
    }
    return false;
  }

  /** Removes a folder and its parents below the root, as long as they are empty. */
  static void removeEmptyFolders(@Nullable Path folder, Path root) throws IOException {
    for (Path at = folder; at != null && !at.equals(root) && at.startsWith(root); ) {
      try (DirectoryStream<Path> children = Files.newDirectoryStream(at)) {
        if (children.iterator().hasNext()) {
          return;
        }
      }
      Files.delete(at);
      at = at.getParent();
    }
  }
}
