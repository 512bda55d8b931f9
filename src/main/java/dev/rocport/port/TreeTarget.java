package dev.rocport.port;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.core.source.TreeWriter;
import dev.rocport.io.Checksum;
import dev.rocport.io.Sha256;
import dev.rocport.port.KnownFile.Made;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the ported tree into a separate folder and records what it wrote, so that the next run
 * writes only changes and keeps manual edits.
 */
public final class TreeTarget extends OutputTarget implements AutoCloseable {
  /** Files up to this size are read once to be copied. */
  private static final long SMALL = 1 << 20;

  private final TreeWriter writer;
  private final StateFolder state;
  private final Placement placement;
  private final SeenFiles seen;
  private String tree = "";
  private String key = "";

  private TreeTarget(TreeWriter writer, ShimHeaders shims, OutputNames names, StateFolder state) {
    super(shims, names);
    this.writer = writer;
    this.state = state;
    this.placement = new Placement(writer, state);
    this.seen = state.seen();
  }

  /**
   * Opens the output.
   *
   * @param oneFile whether the output is one file beside others that rocport did not write
   * @throws StateException if another run writes there or the state cannot be used
   */
  public static TreeTarget open(
      TreeWriter writer, ShimHeaders shims, OutputNames names, boolean oneFile) throws IOException {
    StateFolder.Mode mode = oneFile ? StateFolder.Mode.FILE : StateFolder.Mode.TREE;
    return new TreeTarget(writer, shims, names, StateFolder.open(writer, mode));
  }

  @Override
  public Optional<String> lastKey(String ofTree) throws IOException {
    tree = ofTree;
    Optional<String> last = state.manifest().keyOf(ofTree);
    for (KnownFile known : last.isPresent() ? state.manifest().all() : List.<KnownFile>of()) {
      boolean own = known.source().isEmpty();
      if (known.pending() != null || (own && !isCurrent(known))) {
        return Optional.empty();
      }
    }
    return last;
  }

  /** Returns whether a file of rocport's own stands as written, and as the installation has it. */
  private boolean isCurrent(KnownFile own) throws IOException {
    String path = own.path();
    Path target = placement.target(path);
    Optional<Path> installed = shims.installed(path);
    if (installed.isPresent() && seen.isSame(path, installed.get(), target)) {
      return true;
    }
    if (!own.made().output().equals(placement.standing(path))) {
      return false;
    }
    if (installed.isPresent()) {
      if (Files.mismatch(installed.get(), target) >= 0) {
        return false;
      }
      seen.note(path, installed.get(), target);
    }
    return true;
  }

  @Override
  public @Nullable FileResult unchanged(TreeEntry entry, String lastKey) throws IOException {
    if (entry.kind() == FileKind.SKIPPED) {
      return Results.of(entry);
    }
    String path = names.of(entry);
    KnownFile known = state.manifest().find(path);
    if (known == null
        || !(known.made().key().equals(lastKey) || isIndependent(known))
        || isCopiedForItsSize(entry, known)
        || known.result().status() == Status.FAILED
        || !isSame(entry, path, known.made())) {
      return null;
    }
    return Results.as(known.result(), Status.UP_TO_DATE, "");
  }

  @Override
  public boolean isSearched(TreeEntry entry) {
    return seen.isSearched(names.of(entry));
  }

  @Override
  public void searched(TreeEntry entry) {
    seen.searched(names.of(entry));
  }

  /** Returns whether the original and its output are those of the last port. */
  private boolean isSame(TreeEntry entry, String path, Made made) throws IOException {
    boolean stamped = entry.kind() != FileKind.LINK && entry.kind() != FileKind.UNREADABLE;
    if (stamped && seen.isSame(path, entry.file(), placement.target(path))) {
      return true;
    }
    if (!made.output().equals(placement.standing(path))) {
      return false;
    }
    String original =
        switch (entry.kind()) {
          case LINK -> Placement.LINK + names.linkTarget(entry);
          case UNREADABLE -> "";
          default ->
              Checksum.is(made.original()) ? Checksum.of(entry.file()) : Sha256.of(entry.file());
        };
    boolean same = original.equals(made.original());
    if (same && stamped) {
      seen.note(path, entry.file(), placement.target(path));
    }
    return same;
  }

  /**
   * Returns what {@link #words(String)} kept, if this run has found nothing changed since;
   * otherwise empty.
   */
  public Optional<String> words() {
    return key.isEmpty() ? seen.words() : Optional.empty();
  }

  /** Keeps what the text of all files tells, for runs in which nothing has changed. */
  public void words(String lines) {
    seen.words(lines);
  }

  /** Returns whether the file was only copied, which does not depend on the key. */
  private static boolean isIndependent(KnownFile known) {
    return known.result().status() == Status.COPIED;
  }

  /** The finding about the size is not part of the record. */
  private static boolean isCopiedForItsSize(TreeEntry entry, KnownFile known) {
    return FilePorter.isAnalyzed(entry) && Checksum.is(known.made().original());
  }

  @Override
  public void begin(Supplier<String> newKey) {
    key = newKey.get();
  }

  @Override
  public @Nullable FileResult known(TreeEntry entry, SourceFile file) throws IOException {
    String path = names.of(entry);
    KnownFile known = placement.find(path);
    if (known == null || known.result().status() == Status.FAILED) {
      return null;
    }
    String hash = file.hash();
    Made pending = known.pending();
    Made made = pending == null ? known.made() : pending;
    String standing = placement.standing(path);
    if (standing == null || !made.original().equals(hash) || !made.key().equals(key)) {
      return null;
    }
    shims.need(known.shims());
    if (pending != null) {
      return known.result();
    }
    boolean edited = !standing.equals(made.output());
    if (!edited) {
      seen.note(path, entry.file(), placement.target(path));
    }
    return Results.as(known.result(), Status.UP_TO_DATE, edited ? Placement.KEPT : "");
  }

  @Override
  public FileResult ported(PortedFile file) throws IOException {
    String path = names.of(file.entry());
    shims.need(file.shims());
    String original = file.source().hash();
    Made made = new Made(original, file.isChanged() ? Sha256.of(file.output()) : original, key);
    Placement.Outcome outcome = placement.place(path, file.output(), made, file.entry().file());
    FileResult result = told(file.result(), outcome);
    remember(path, file.entry().path(), outcome, List.copyOf(file.shims()), result);
    note(path, file.entry(), outcome);
    return result;
  }

  @Override
  public FileResult passed(int index, TreeEntry entry) throws IOException {
    FileResult result = Results.of(entry);
    String path = names.of(entry);
    if (entry.kind() == FileKind.LINK) {
      return link(entry, path);
    }
    if (entry.kind() == FileKind.SKIPPED || entry.kind() == FileKind.UNREADABLE) {
      return result;
    }
    byte[] content = entry.size() <= SMALL ? Files.readAllBytes(entry.file()) : null;
    String hash = content == null ? Checksum.of(entry.file()) : Checksum.of(content);
    Made made = new Made(hash, hash, key);
    boolean fresh = !hash.equals(placement.standing(path, hash));
    Placement.Outcome outcome = placement.copy(path, entry.file(), content, made);
    KnownFile known = state.manifest().find(path);
    if (!fresh && known != null && known.made().output().equals(hash)) {
      note(path, entry, outcome);
      return Results.as(result, Status.UP_TO_DATE, "");
    }
    result = told(result, outcome);
    remember(path, entry.path(), outcome, List.of(), result);
    note(path, entry, outcome);
    return result;
  }

  /** Notes a file whose output is what the port made, and not what a person made of it. */
  private void note(String path, TreeEntry entry, Placement.Outcome outcome) throws IOException {
    if (!outcome.isConflict() && outcome.message().isEmpty()) {
      seen.note(path, entry.file(), placement.target(path));
    }
  }

  /** Notes a header that is a copy of one of the installation. */
  private void noteOwn(String path, byte[] content, Placement.Outcome outcome) throws IOException {
    Optional<Path> installed = shims.installed(path);
    if (!outcome.isConflict()
        && outcome.message().isEmpty()
        && installed.isPresent()
        && Arrays.equals(Files.readAllBytes(installed.get()), content)) {
      seen.note(path, installed.get(), placement.target(path));
    }
  }

  private FileResult link(TreeEntry entry, String path) throws IOException {
    Path target = placement.target(path);
    Path leadsTo = names.linkTarget(entry);
    String hash = Placement.LINK + leadsTo;
    Made made = new Made(hash, hash, key);
    KnownFile known = placement.find(path);
    FileResult result = Results.of(entry);
    String standing = placement.standing(path);
    if (standing != null
        && !standing.equals(hash)
        && (known == null || !standing.equals(known.made().output()))) {
      return Results.as(
          result, Status.CONFLICT, "a file or folder exists at the path of the symbolic link");
    }
    if (!hash.equals(standing)) {
      writer.link(target, leadsTo);
    }
    remember(path, entry.path(), new Placement.Outcome(made, null, ""), List.of(), result);
    return result;
  }

  private static FileResult told(FileResult result, Placement.Outcome outcome) {
    if (outcome.isConflict()) {
      return Results.as(result, Status.CONFLICT, outcome.message());
    }
    return outcome.message().isEmpty() || result.status() == Status.FAILED
        ? result
        : Results.as(result, result.status(), outcome.message());
  }

  private void remember(
      String path, String source, Placement.Outcome outcome, List<String> needed, FileResult result)
      throws IOException {
    KnownFile before = placement.find(path);
    boolean foreign =
        before != null
            && before.edited()
            && !outcome.isConflict()
            && !outcome.made().output().equals(placement.standing(path, outcome.made().output()));
    state
        .manifest()
        .put(
            new KnownFile(
                path, source, outcome.made(), outcome.pending(), foreign, needed, result));
  }

  /**
   * After the last file: writes the headers of rocport that the port includes, removes the ports of
   * deleted files, and saves the state.
   *
   * @param results receives further results: deleted files, and headers that could not be written
   * @throws IOException if the state cannot be saved; the state of the last run and the journal of
   *     this run remain
   */
  public void finish(SourceTree tree, TreeSelection selection, List<FileResult> results)
      throws IOException {
    for (String folder : tree.emptyFolders()) {
      try {
        writer.folder(placement.target(folder));
      } catch (IOException e) {
        results.add(Results.failed(folder, e));
      }
    }
    if (key.isEmpty()) {
      state.saveSeen(writer); // nothing has changed since the last port
      return;
    }
    Set<String> alive = new HashSet<>();
    for (TreeEntry entry : tree.entries()) {
      if (entry.kind() != FileKind.SKIPPED) {
        alive.add(names.of(entry));
      }
    }
    shims.keepNames(writer.root(), state.manifest(), tree);
    for (Map.Entry<String, AddedFile> shim : shims.files().entrySet()) {
      String path = shim.getKey();
      byte[] content = shim.getValue().content();
      alive.add(path);
      String hash = Sha256.of(content);
      try {
        Placement.Outcome outcome =
            placement.place(path, content, new Made(hash, hash, ""), shim.getValue().like());
        FileResult result = Results.ofAdded(path, content.length);
        remember(path, "", outcome, List.of(), told(result, outcome));
        noteOwn(path, content, outcome);
        if (outcome.isConflict()) {
          results.add(told(result, outcome));
        }
      } catch (IOException e) {
        results.add(Results.failed(path, e));
      }
    }
    results.addAll(new Vanished(state, placement, writer).remove(tree, selection, alive));
    boolean whole = selection.starts().contains(selection.root());
    state.manifest().made(whole ? this.tree : "", key);
    state.save(writer, selection.root().toString());
    state.saveSeen(writer);
  }

  /**
   * Returns what the same run would find if nothing changed until then; empty if only such a run
   * can tell. For after {@link #finish}.
   *
   * @param results those of this run
   * @param start when this run began
   * @param program the files that it runs from
   */
  public Optional<Unchanged> unchanged(
      SourceTree tree, List<FileResult> results, Instant start, List<Path> program) {
    try {
      writer.folder(Unchanged.folder(writer)); // before the stamp of the folder above it
      TreeStamps stamps = new TreeStamps(start);
      stamps.program(program);
      stamps.folders(tree, writer.root());
      for (TreeEntry entry : tree.entries()) {
        stamps(entry, stamps);
      }
      for (String folder : tree.emptyFolders()) {
        stamps.output(placement.target(folder));
      }
      for (KnownFile known : state.manifest().all()) {
        if (known.source().isEmpty()) {
          ownStamps(known, stamps);
        }
      }
      state.stamps(stamps);
      return Optional.of(new Unchanged(writer, stamps, again(tree, results)));
    } catch (IOException | TreeStamps.UnknownException e) {
      return Optional.empty();
    }
  }

  private void stamps(TreeEntry entry, TreeStamps stamps)
      throws IOException, TreeStamps.UnknownException {
    String path = names.of(entry);
    Path target = placement.target(path);
    KnownFile known = state.manifest().find(path);
    if (known == null || known.pending() != null) {
      throw new TreeStamps.UnknownException(path + " must be merged");
    }
    switch (entry.kind()) {
      case SKIPPED, UNREADABLE ->
          throw new TreeStamps.UnknownException(path + " is not a file of the port");
      case LINK -> {
        boolean keeps = Files.readSymbolicLink(entry.file()).toString().equals(entry.note());
        String leadsTo = Placement.LINK + names.linkTarget(entry);
        if (!keeps || !leadsTo.equals(placement.standing(path))) {
          throw new TreeStamps.UnknownException(path + " depends on where it leads");
        }
        stamps.input(entry.file());
        stamps.output(target);
      }
      default -> seen.stamps(path, entry.file(), target, stamps);
    }
  }

  private void ownStamps(KnownFile own, TreeStamps stamps)
      throws IOException, TreeStamps.UnknownException {
    String path = own.path();
    Path target = placement.target(path);
    Optional<Path> installed = shims.installed(path);
    if (own.pending() != null || !own.made().output().equals(placement.standing(path))) {
      throw new TreeStamps.UnknownException(path + " was edited");
    }
    if (installed.isPresent()) {
      seen.stamps(path, installed.get(), target, stamps);
    } else {
      stamps.output(target);
    }
  }

  /** Returns what {@link #unchanged(TreeEntry, String)} returns next for each file. */
  private static List<FileResult> again(SourceTree tree, List<FileResult> results)
      throws TreeStamps.UnknownException {
    Map<String, FileResult> byPath = new HashMap<>();
    for (FileResult r : results) {
      boolean isFine =
          switch (r.status()) {
            case PORTED, UNCHANGED, COPIED, UP_TO_DATE -> r.message().isEmpty();
            default -> false;
          };
      if (!isFine || byPath.put(r.path(), r) != null) {
        throw new TreeStamps.UnknownException(r.path() + " has a message");
      }
    }
    List<FileResult> again = new ArrayList<>();
    for (TreeEntry entry : tree.entries()) {
      FileResult r = byPath.get(entry.path());
      if (r == null) {
        throw new TreeStamps.UnknownException(entry.path() + " has no result");
      }
      again.add(Results.as(r, Status.UP_TO_DATE, ""));
    }
    return again;
  }

  @Override
  public void close() throws IOException {
    state.close();
  }
}
