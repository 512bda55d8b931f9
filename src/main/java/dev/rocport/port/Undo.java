package dev.rocport.port;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeWriter;
import dev.rocport.io.PathText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Undoes a port: files ported in place become the originals, byte for byte; files written into an
 * output folder are deleted. A file that was edited since is kept unless {@code force} is set; a
 * file that rocport did not write is always kept.
 */
public final class Undo {
  private static final String EDITED =
      "edited since the port, so the file was left unchanged; --force undoes the port anyway";

  private static final String FOREIGN = "not written by rocport: left unchanged";

  private final TreeWriter writer;
  private final boolean force;

  /**
   * Undoes ports below a folder.
   *
   * @param force whether to discard manual edits
   */
  public Undo(TreeWriter writer, boolean force) {
    this.writer = writer;
    this.force = force;
  }

  /**
   * Returns the nearest folder, from here upwards, with the state of a port; null if there is none.
   */
  public static @Nullable Path stateAbove(Path folder) {
    for (Path at = folder; at != null; at = at.getParent()) {
      for (StateFolder.Mode mode : StateFolder.Mode.values()) {
        if (StateFolder.exists(at, mode)) {
          return at;
        }
      }
    }
    return null;
  }

  /**
   * Undoes what was ported below these files and folders.
   *
   * @return one result per file; {@code CONFLICT} for those that were kept
   * @throws StateException if the state cannot be used
   */
  public List<FileResult> run(List<Path> starts) throws IOException {
    List<FileResult> results = new ArrayList<>();
    for (StateFolder.Mode mode : StateFolder.Mode.values()) {
      if (StateFolder.exists(writer.root(), mode)) {
        try (StateFolder state = StateFolder.open(writer, mode)) {
          run(state, mode, starts, results);
        }
      }
    }
    return results;
  }

  private void run(
      StateFolder state, StateFolder.Mode mode, List<Path> starts, List<FileResult> results)
      throws IOException {
    Placement placement = new Placement(writer, state);
    state.sweep(writer);
    boolean all = starts.contains(writer.root());
    for (KnownFile known : List.copyOf(state.manifest().all())) {
      Path place = placement.target(known.path());
      Path source = PathText.resolve(writer.root(), known.source());
      boolean asked =
          starts.stream()
              .anyMatch(
                  s -> place.startsWith(s) || (!known.source().isEmpty() && source.startsWith(s)));
      if (!asked || (known.source().isEmpty() && !all)) {
        continue;
      }
      try {
        FileResult result =
            mode == StateFolder.Mode.IN_PLACE && !known.source().isEmpty()
                ? restore(known, place, source, state, placement)
                : delete(known, place, placement);
        if (result.status() != Status.UP_TO_DATE) {
          results.add(result);
        }
        if (result.status() != Status.CONFLICT) {
          state.manifest().remove(known.path());
        }
      } catch (IOException e) {
        results.add(
            Results.as(known.result(), Status.FAILED, "not undone: " + SourceTree.reason(e)));
      }
    }
    if (state.manifest().all().isEmpty()) {
      state.deleteIfUnused();
    } else {
      state.save(writer, mode == StateFolder.Mode.IN_PLACE ? "." : "");
    }
  }

  private FileResult restore(
      KnownFile known, Path place, Path source, StateFolder state, Placement placement)
      throws IOException {
    String original = known.made().original();
    String output = known.made().output();
    String standing = placement.standing(known.path());
    boolean sameName = place.equals(source);
    String there = sameName ? null : placement.standing(known.source());
    if (there != null && !there.equals(original)) {
      return Results.as(
          known.result(), Status.CONFLICT, known.source() + " exists again: left unchanged");
    }
    if (original.startsWith(Placement.LINK)) {
      if (standing != null && !output.equals(standing)) {
        return Results.as(
            known.result(),
            Status.CONFLICT,
            "no longer the symbolic link that the port wrote: left unchanged");
      }
      writer.link(source, Path.of(original.substring(Placement.LINK.length())));
      deleteOther(place, source);
      return Results.as(known.result(), Status.UNCHANGED, "restored");
    }
    if (sameName && (original.equals(output) || original.equals(standing))) {
      return Results.as(known.result(), Status.UP_TO_DATE, "");
    }
    if (!force && (known.edited() || !output.equals(standing))) {
      return Results.as(known.result(), Status.CONFLICT, EDITED);
    }
    writer.write(source, state.store().get(original), Files.isRegularFile(place) ? place : null);
    deleteOther(place, source);
    return Results.as(known.result(), Status.UNCHANGED, "restored");
  }

  private void deleteOther(Path place, Path source) throws IOException {
    if (!place.equals(source)) {
      writer.delete(place);
    }
  }

  private FileResult delete(KnownFile known, Path place, Placement placement) throws IOException {
    String standing = placement.standing(known.path());
    String output = known.made().output();
    if (standing == null) {
      return Results.as(known.result(), Status.UP_TO_DATE, "");
    }
    boolean ours = standing.equals(output);
    if (!ours && (output.isEmpty() || known.edited())) {
      return Results.as(known.result(), Status.UNCHANGED, FOREIGN);
    }
    if (!ours && !force) {
      return Results.as(known.result(), Status.CONFLICT, EDITED);
    }
    writer.delete(place);
    Vanished.removeEmptyFolders(place.getParent(), writer.root());
    return Results.as(known.result(), Status.UNCHANGED, "deleted");
  }
}
