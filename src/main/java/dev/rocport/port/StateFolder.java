package dev.rocport.port;

import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeWriter;
import dev.rocport.io.PathText;
import dev.rocport.port.decide.Decisions;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The folder {@code .rocport} of an output, held by one run at a time. */
final class StateFolder implements AutoCloseable {
  /** The kind of port; each kind has its own state file. */
  enum Mode {
    /** A tree written into a folder of its own. */
    TREE("port.json"),
    /** One file written beside others. */
    FILE("file.json"),
    /** The state of files ported in place. */
    IN_PLACE("in-place.json");

    final String file;

    Mode(String file) {
      this.file = file;
    }
  }

  private final Path folder;
  private final FileChannel lock;
  private final Mode mode;
  private final Manifest manifest;
  private final BaseStore store;
  private final SeenFiles seen;

  private StateFolder(Path folder, FileChannel lock, Mode mode) throws IOException {
    this.folder = folder;
    this.lock = lock;
    this.mode = mode;
    this.store = new BaseStore(folder.resolve("base.pack"));
    this.manifest = Manifest.load(folder.resolve(mode.file));
    this.seen = SeenFiles.load(folder, manifest.made());
  }

  /**
   * Opens the state of an output and creates the folder.
   *
   * @throws StateException if another run holds it, or it cannot be used
   * @throws IOException if it cannot be read or created
   */
  static StateFolder open(TreeWriter writer, Mode mode) throws IOException {
    Path folder = writer.root().resolve(SourceTree.STATE);
    writer.folder(folder);
    Path file = folder.resolve("lock");
    FileChannel lock = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean held = false;
    try {
      held = lock.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      held = false;
    }
    if (!held) {
      lock.close();
      throw new StateException(
          "another rocport process is writing to " + writer.root() + ": wait until it finishes");
    }
    try {
      return new StateFolder(folder, lock, mode);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** Returns whether a folder holds the state of such a port. */
  static boolean exists(Path output, Mode mode) {
    Path file = output.resolve(SourceTree.STATE).resolve(mode.file);
    return Files.exists(file) || Files.exists(file.resolveSibling(mode.file + ".journal"));
  }

  Manifest manifest() {
    return manifest;
  }

  BaseStore store() {
    return store;
  }

  SeenFiles seen() {
    return seen;
  }

  /** Writes what this run has seen; only of whole trees, whose next port asks for it. */
  void saveSeen(TreeWriter writer) throws IOException {
    if (mode == Mode.TREE && !manifest.made().isEmpty()) {
      seen.save(writer, manifest.made());
    }
  }

  /** Adds the stamps of the state, which each run that writes something changes. */
  void stamps(TreeStamps stamps) throws IOException, TreeStamps.UnknownException {
    stamps.output(folder);
    stamps.output(folder.resolve(mode.file));
    stamps.output(folder.resolve(SeenFiles.FILE));
  }

  /** Returns the path of a new port that a person must merge. */
  Path conflict(String path) {
    return PathText.resolve(folder.resolve("conflicts"), path);
  }

  /** Writes the state and removes base copies that are no longer needed. */
  void save(TreeWriter writer, String input) throws IOException {
    sweep(writer);
    manifest.save(writer, input);
    Set<String> needed = new HashSet<>();
    needs(manifest, needed);
    for (Mode other : Mode.values()) {
      if (other != mode && Files.exists(folder.resolve(other.file))) {
        needs(Manifest.load(folder.resolve(other.file)), needed);
      }
    }
    store.keepOnly(needed, writer);
  }

  /** Deletes unfinished files that a killed run left beside the files of the port. */
  void sweep(TreeWriter writer) throws IOException {
    Set<Path> folders = new HashSet<>();
    folders.add(folder);
    for (KnownFile known : manifest.all()) {
      folders.add(PathText.resolve(writer.root(), known.path()).getParent());
    }
    for (Path at : folders) {
      writer.sweep(at);
    }
  }

  private static void needs(Manifest manifest, Set<String> hashes) {
    for (KnownFile known : manifest.all()) {
      add(known.made(), hashes);
      KnownFile.Made pending = known.pending();
      if (pending != null) {
        add(pending, hashes);
      }
    }
  }

  private static void add(KnownFile.Made made, Set<String> hashes) {
    hashes.add(made.original());
    hashes.add(made.output());
  }

  /** Deletes the folder if it no longer records a port, except decisions of people. */
  void deleteIfUnused() throws IOException {
    manifest.delete();
    for (Mode other : Mode.values()) {
      if (Files.exists(folder.resolve(other.file))) {
        return;
      }
    }
    close();
    List<Path> deepestFirst;
    try (Stream<Path> walk = Files.walk(folder)) {
      deepestFirst = walk.sorted((a, b) -> b.compareTo(a)).toList();
    }
    Path decisions = folder.resolve(Path.of(Decisions.NAME).getFileName());
    boolean kept = Files.exists(decisions);
    for (Path file : deepestFirst) {
      if (!kept || !decisions.startsWith(file)) {
        Files.deleteIfExists(file);
      }
    }
  }

  @Override
  public void close() throws IOException {
    manifest.close();
    store.close();
    lock.close();
  }
}
