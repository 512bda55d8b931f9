package dev.rocport.port;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.core.source.TreeWriter;
import dev.rocport.io.PathText;
import dev.rocport.io.Sha256;
import dev.rocport.port.KnownFile.Made;
import dev.rocport.port.notes.Notes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

  /**
   * Returns one result for each file that was changed or could not be.
   *
   * @throws StateException if another run writes there or a state cannot be used; if that is so at
   *     the start, nothing is written
   */
  public List<FileResult> run(SourceTree tree) throws IOException {
    List<TreeEntry> entries = tree.entries().stream().filter(Unannotate::hasNotes).toList();
    SortedMap<String, FileResult> results = new TreeMap<>();
    List<StateFolder.Mode> modes =
        Stream.of(StateFolder.Mode.values())
            .filter(mode -> StateFolder.exists(writer.root(), mode))
            .toList();
    for (StateFolder.Mode mode : modes) {
      StateFolder.open(writer, mode).close(); // before the first file is written
    }
    for (StateFolder.Mode mode : modes) {
      try (StateFolder state = StateFolder.open(writer, mode)) {
        run(entries, state, mode == modes.getLast(), results);
      }
    }
    if (modes.isEmpty()) {
      for (TreeEntry entry : entries) {
        run(entry, null, null, results);
      }
    }
    return List.copyOf(results.values());
  }

  /**
   * Changes the files that a state knows.
   *
   * @param others whether to change the other files too
   */
  private void run(
      List<TreeEntry> entries,
      StateFolder state,
      boolean others,
      SortedMap<String, FileResult> results)
      throws IOException {
    Map<Path, KnownFile> known = new HashMap<>();
    for (KnownFile file : state.manifest().all()) {
      known.put(PathText.resolve(writer.root(), file.path()), file);
    }
    boolean forgotten = false;
    for (TreeEntry entry : entries) {
      KnownFile file = known.get(entry.file());
      if (file != null || others) {
        forgotten |= run(entry, state, file, results);
      }
    }
    if (forgotten) {
      state.manifest().made("", "");
      state.save(writer, state.manifest().input());
    }
  }

  /** Changes a file and its record; returns whether the record has changed. */
  private boolean run(
      TreeEntry entry,
      @Nullable StateFolder state,
      @Nullable KnownFile known,
      SortedMap<String, FileResult> results) {
    try {
      byte[] noted = Files.readAllBytes(entry.file());
      byte[] plain = Notes.without(noted);
      if (plain.length != noted.length) {
        writer.write(entry.file(), plain, entry.file());
        results.put(entry.path(), Results.of(entry, Status.UNCHANGED, "comments removed"));
      }
    } catch (IOException e) {
      String why = "not changed: " + SourceTree.reason(e);
      results.put(entry.path(), Results.of(entry, Status.FAILED, why));
      return false;
    }
    try {
      return state != null && known != null && forget(state, known);
    } catch (IOException e) {
      String why = "the state of the port was not changed: " + SourceTree.reason(e);
      results.put(entry.path(), Results.of(entry, Status.FAILED, why));
      return false;
    }
  }

  /** Returns whether a port writes comments into files of this kind. */
  private static boolean hasNotes(TreeEntry entry) {
    return entry.isSource() || entry.kind() == FileKind.PYTHON || entry.kind() == FileKind.BUILD;
  }

  /** Makes the output of the last port the one without comments; returns whether it had any. */
  private static boolean forget(StateFolder state, KnownFile known) throws IOException {
    String output = known.made().output();
    if (!state.store().has(output)) {
      return false;
    }
    byte[] noted = state.store().get(output);
    byte[] plain = Notes.without(noted);
    if (plain.length == noted.length) {
      return false;
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
    return true;
  }
}
