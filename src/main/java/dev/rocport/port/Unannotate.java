package dev.rocport.port;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.core.source.TreeWriter;
import dev.rocport.io.Sha256;
import dev.rocport.port.KnownFile.Made;
import dev.rocport.port.notes.Notes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes the comments of a port out of its files, and out of the copies for later merges, so that
 * the next port does not take their removal for an edit by hand.
 */
public final class Unannotate {
  private final TreeWriter writer;

  /**
   * Takes comments out below a folder.
   *
   * @param writer writes below the folder that has the state of the port, or below the tree
   */
  public Unannotate(TreeWriter writer) {
    this.writer = writer;
  }

  /** Returns one result for each file that was changed or could not be. */
  public List<FileResult> run(SourceTree tree) throws IOException {
    List<FileResult> results = new ArrayList<>();
    for (TreeEntry entry : tree.entries()) {
      if (entry.kind() == FileKind.LINK || entry.kind() == FileKind.SKIPPED) {
        continue;
      }
      try {
        if (isChanged(entry)) {
          results.add(Results.of(entry, Status.UNCHANGED, "comments removed"));
        }
      } catch (IOException e) {
        results.add(Results.of(entry, Status.FAILED, "not changed: " + SourceTree.reason(e)));
      }
    }
    for (StateFolder.Mode mode : StateFolder.Mode.values()) {
      if (StateFolder.exists(writer.root(), mode)) {
        try (StateFolder state = StateFolder.open(writer, mode)) {
          forget(state);
        }
      }
    }
    return results;
  }

  private boolean isChanged(TreeEntry entry) throws IOException {
    if (!hasNotes(entry)) {
      return false;
    }
    byte[] noted = Files.readAllBytes(entry.file());
    byte[] plain = Notes.without(noted);
    if (plain.length == noted.length) {
      return false;
    }
    Path target = entry.file();
    writer.write(target, plain, target);
    return true;
  }

  /** Returns whether a port writes comments into files of this kind. */
  private static boolean hasNotes(TreeEntry entry) {
    return entry.isSource() || entry.kind() == FileKind.PYTHON || entry.kind() == FileKind.BUILD;
  }

  private void forget(StateFolder state) throws IOException {
    boolean changed = false;
    for (KnownFile known : List.copyOf(state.manifest().all())) {
      String output = known.made().output();
      if (!state.store().has(output)) {
        continue;
      }
      byte[] noted = state.store().get(output);
      byte[] plain = Notes.without(noted);
      if (plain.length == noted.length) {
        continue;
      }
      String hash = Sha256.of(plain);
      state.store().put(hash, plain);
      state
          .manifest()
          .put(
              new KnownFile(
                  known.path(),
                  known.source(),
                  new Made(known.made().original(), hash, ""),
                  known.pending(),
                  known.edited(),
                  known.shims(),
                  known.result()));
      changed = true;
    }
    if (changed) {
      state.manifest().made("", "");
      state.save(writer, state.manifest().input());
    }
  }
}
