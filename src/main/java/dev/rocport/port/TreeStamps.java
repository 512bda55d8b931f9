package dev.rocport.port;

import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.lang.python.RuntimeModules;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The stamps of all files and folders that decide whether a run would do something. Each is in the
 * form that {@code stat} prints for {@link #FORMAT}.
 */
final class TreeStamps {
  /** Size, inode, time of the last change, time of the status. */
  static final String FORMAT = "%s:%i:%.9Y:%.9Z";

  private static final Set<String> VERSION_CONTROL = Set.of(".git", ".hg", ".svn", ".bzr");

  /** They decide what is walked, or name files outside of the tree. */
  private static final Set<String> DECIDING = Set.of("CMakeCache.txt", "compile_commands.json");

  private static final int NANOS = 9;

  private final Instant start;
  private final Map<Path, String> stamps = new LinkedHashMap<>();

  /** Signals that a later run must look for itself. */
  static final class UnknownException extends Exception {
    private static final long serialVersionUID = 1;

    UnknownException(String message) {
      super(message);
    }
  }

  /**
   * Creates an empty list.
   *
   * @param start when the run began: inputs must be older
   */
  TreeStamps(Instant start) {
    this.start = start;
  }

  /** Returns the stamps in the order in which they were added. */
  Map<Path, String> all() {
    return stamps;
  }

  /** Adds what this run has read. */
  void input(Path file) throws IOException, UnknownException {
    FileStamp stamp = FileStamp.of(file);
    if (!stamp.isOlderThan(start)) {
      throw new UnknownException(file + " has just been written");
    }
    stamps.put(file, printed(stamp.text()));
  }

  /** Adds what this run has written or compared. */
  void output(Path file) throws IOException, UnknownException {
    stamps.put(file, printed(FileStamp.of(file).text()));
  }

  /**
   * Adds a file with the stamp that it had when it was read or written.
   *
   * @param text that of {@link FileStamp#text}
   */
  void seen(Path file, String text) throws UnknownException {
    stamps.put(file, printed(text));
  }

  /** Adds the program itself: its files and the Python modules that ports receive. */
  void program(List<Path> files) throws IOException, UnknownException {
    for (Path file : files) {
      input(file);
    }
    for (Path module : RuntimeModules.files()) {
      input(module);
    }
  }

  /** Adds the folders of a tree, in which no file can appear or vanish without a new stamp. */
  void folders(SourceTree tree, Path output) throws IOException, UnknownException {
    Set<Path> files = new HashSet<>();
    for (TreeEntry entry : tree.entries()) {
      files.add(entry.file());
    }
    folder(tree.root(), files, output);
  }

  private void folder(Path folder, Set<Path> files, Path output)
      throws IOException, UnknownException {
    input(folder);
    try (DirectoryStream<Path> children = Files.newDirectoryStream(folder)) {
      for (Path child : children) {
        String name = child.getFileName().toString();
        if (name.startsWith(SourceTree.STATE) || DECIDING.contains(name)) {
          throw new UnknownException(child + " decides what is ported");
        }
        if (files.contains(child) || VERSION_CONTROL.contains(name) || child.equals(output)) {
          continue;
        }
        if (!Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
          throw new UnknownException(child + " is not a file of the port");
        }
        folder(child, files, output);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private static String printed(String text) throws UnknownException {
    String[] parts = text.split(":", -1);
    return parts[0] + ":" + parts[1] + ":" + seconds(parts[2]) + ":" + seconds(parts[3]);
  }

  private static String seconds(String nanos) throws UnknownException {
    if (nanos.startsWith("-")) {
      throw new UnknownException("a time before 1970");
    }
    String digits = "0".repeat(Math.max(0, NANOS + 1 - nanos.length())) + nanos;
    int dot = digits.length() - NANOS;
    return digits.substring(0, dot) + "." + digits.substring(dot);
  }
}
