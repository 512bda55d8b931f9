package dev.rocport.port;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.core.source.TreeWriter;
import dev.rocport.io.PathText;
import dev.rocport.io.Sha256;
import dev.rocport.port.KnownFile.Made;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ports files in place. The state keeps each original, so that it can be ported again with other
 * rules, and restored. The original is on disk before its file is replaced.
 */
public final class InPlaceTarget extends OutputTarget implements AutoCloseable {
  private final TreeWriter writer;
  private final StateFolder state;
  private String key = "";

  private InPlaceTarget(
      TreeWriter writer, ShimHeaders shims, OutputNames names, StateFolder state) {
    super(shims, names);
    this.writer = writer;
    this.state = state;
  }

  /**
   * Opens the state of a tree.
   *
   * @throws StateException if another run writes there or the state cannot be used
   */
  public static InPlaceTarget open(TreeWriter writer, ShimHeaders shims, OutputNames names)
      throws IOException {
    return new InPlaceTarget(
        writer, shims, names, StateFolder.open(writer, StateFolder.Mode.IN_PLACE));
  }

  /** Returns the nearest folder, from here upwards, with the state of a port in place. */
  public static @Nullable Path stateAbove(Path folder) {
    Path at = folder;
    while (at != null && !StateFolder.exists(at, StateFolder.Mode.IN_PLACE)) {
      at = at.getParent();
    }
    return at;
  }

  @Override
  public boolean readsDisk() {
    return false;
  }

  /** Returns the original if the file has not changed since the last run, else the file itself. */
  @Override
  public byte[] read(TreeEntry entry) throws IOException {
    byte[] standing = Files.readAllBytes(entry.file());
    KnownFile known = state.manifest().find(entry.path());
    if (known == null || known.edited()) {
      return standing;
    }
    Made made = known.made();
    boolean untouched =
        !made.original().equals(made.output()) && Sha256.of(standing).equals(made.output());
    return untouched ? state.store().get(made.original()) : standing;
  }

  @Override
  public void begin(Supplier<String> newKey) {
    key = newKey.get();
  }

  @Override
  public @Nullable FileResult known(TreeEntry entry, SourceFile file) throws IOException {
    KnownFile known = state.manifest().find(entry.path());
    if (known == null || known.result().status() == Status.FAILED) {
      return null;
    }
    Made made = known.made();
    String read = Sha256.of(file.bytes());
    boolean same =
        known.edited()
            ? read.equals(made.output())
            : read.equals(made.original()) && Sha256.of(entry.file()).equals(made.output());
    if (!same || !made.key().equals(key)) {
      return null;
    }
    shims.need(known.shims());
    return Results.as(known.result(), Status.UP_TO_DATE, "");
  }

  @Override
  public FileResult ported(PortedFile file) throws IOException {
    TreeEntry entry = file.entry();
    String path = names.of(entry);
    shims.need(file.shims());
    KnownFile known = state.manifest().find(entry.path());
    byte[] source = file.source().bytes();
    String read = Sha256.of(source);
    String standing = Sha256.of(entry.file());
    String output = file.isChanged() ? Sha256.of(file.output()) : read;
    boolean handEdited =
        known != null
            && (known.edited() || !known.made().original().equals(known.made().output()))
            && read.equals(standing)
            && !standing.equals(known.made().original());
    String original = handEdited && known != null ? known.made().original() : read;
    FileResult result = file.result();
    requireFree(path, entry);
    if (!output.equals(standing) || !path.equals(entry.path())) {
      requireWritable(entry.file());
      state.store().put(read, source);
      state.store().put(output, file.output());
    }
    state
        .manifest()
        .put(
            new KnownFile(
                path,
                known == null ? entry.path() : known.source(),
                new Made(original, output, key),
                null,
                handEdited,
                List.copyOf(file.shims()),
                result));
    if (!output.equals(standing)) {
      writer.write(place(path), file.output(), entry.file());
    } else if (!path.equals(entry.path())) {
      writer.copy(entry.file(), place(path));
    }
    if (!path.equals(entry.path())) {
      state.manifest().remove(entry.path());
      writer.delete(entry.file());
    }
    return handEdited
        ? Results.as(result, result.status(), "edited by hand since the last port: edits kept")
        : result;
  }

  @Override
  public FileResult passed(int index, TreeEntry entry) throws IOException {
    if (entry.kind() == FileKind.LINK) {
      Path leadsTo = names.linkTarget(entry);
      String path = names.of(entry);
      if (!leadsTo.toString().equals(entry.note()) || !path.equals(entry.path())) {
        requireFree(path, entry);
        Made made = new Made(Placement.LINK + entry.note(), Placement.LINK + leadsTo, key);
        FileResult result =
            Results.as(Results.of(entry), Status.PORTED, "now points to the new name");
        state
            .manifest()
            .put(new KnownFile(path, entry.path(), made, null, false, List.of(), result));
        writer.link(place(path), leadsTo);
        if (!path.equals(entry.path())) {
          writer.delete(entry.file());
        }
        return result;
      }
    }
    return Results.of(entry);
  }

  /** Checks names in use: a run over a part of the tree does not know all of them. */
  private void requireFree(String path, TreeEntry entry) throws IOException {
    if (!path.equals(entry.path()) && Files.exists(place(path), LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(path + " already exists: not overwritten");
    }
  }

  /** Rejects read-only files: renaming over one would work, but the protection is intentional. */
  private static void requireWritable(Path file) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (view != null) {
      Set<PosixFilePermission> permissions = view.readAttributes().permissions();
      if (!permissions.contains(PosixFilePermission.OWNER_WRITE)) {
        throw new IOException("the file is read-only: chmod u+w it to port it in place");
      }
    } else if (!Files.isWritable(file)) {
      throw new IOException("the file is read-only");
    }
  }

  private Path place(String path) {
    return PathText.resolve(writer.root(), path);
  }

  /**
   * After the last file: writes the headers of rocport that the port includes and saves the state.
   *
   * @param results receives further results: headers that could not be written
   * @throws IOException if the state cannot be saved; the state of the last run and the journal of
   *     this run remain
   */
  public void finish(SourceTree tree, List<FileResult> results) throws IOException {
    Placement placement = new Placement(writer, state);
    shims.keepNames(writer.root(), state.manifest(), tree);
    for (Map.Entry<String, AddedFile> shim : shims.files().entrySet()) {
      String path = shim.getKey();
      byte[] content = shim.getValue().content();
      String hash = Sha256.of(content);
      Made made = new Made("", hash, "");
      try {
        Placement.Outcome outcome = placement.place(path, content, made, shim.getValue().like());
        FileResult result = Results.ofAdded(path, content.length);
        if (outcome.isConflict()) {
          results.add(Results.as(result, Status.CONFLICT, outcome.message()));
        }
        state
            .manifest()
            .put(
                new KnownFile(
                    path, "", outcome.made(), outcome.pending(), false, List.of(), result));
      } catch (IOException e) {
        results.add(Results.failed(path, e));
      }
    }
    for (KnownFile known : List.copyOf(state.manifest().all())) {
      if (placement.standing(known.path()) == null) {
        state.manifest().remove(known.path()); // a person deleted it
      }
    }
    state.save(writer, ".");
  }

  @Override
  public void close() throws IOException {
    state.close();
  }
}
