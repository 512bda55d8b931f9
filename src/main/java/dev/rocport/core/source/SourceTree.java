package dev.rocport.core.source;

import dev.rocport.io.PathText;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The files of a run, in order of their paths: the same list for the same files, whatever the file
 * system's order. Links are never followed; folders of version control and of rocport, and CMake
 * build folders are excluded.
 *
 * @param root the folder to which paths are relative; absolute, without links
 * @param entries in order of the path
 * @param emptyFolders paths of folders with nothing in them
 */
public record SourceTree(Path root, List<TreeEntry> entries, List<String> emptyFolders) {
  /** Where rocport keeps the state of a port. */
  public static final String STATE = ".rocport";

  /** The prefix of temporary files, which a killed run may leave behind. */
  public static final String UNFINISHED = ".rocport-";

  private static final Set<String> LEFT_OUT = Set.of(".git", ".hg", ".svn", ".bzr", STATE);

  public static SourceTree walk(TreeSelection selection) {
    return new Walk(selection).run();
  }

  /**
   * Returns the entry of a regular file.
   *
   * @param path relative to the root, with {@code /}
   * @throws IOException if its name does not tell what it is and it cannot be read
   */
  public static TreeEntry entry(TreeSelection selection, Path file, String path, long size)
      throws IOException {
    String language = FileTypes.language(file);
    FileKind kind =
        switch (language) {
          case "build" -> FileKind.BUILD;
          case "python" -> FileKind.PYTHON;
          case "java" -> FileKind.JAVA;
          case "other" -> FileKind.OTHER;
          default ->
              selection.include().isEmpty() || selection.include().matches(path)
                  ? FileKind.SOURCE
                  : FileKind.OTHER;
        };
    return new TreeEntry(file, path, kind, language, size, "");
  }

  /**
   * Returns whether a walk can reach a file that is not there yet: neither it nor a folder above it
   * is excluded or belongs to version control, to rocport or to a build.
   *
   * @param path relative to the root, with {@code /}
   */
  public static boolean reaches(TreeSelection selection, String path) {
    for (int end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
      String part = end < 0 ? path : path.substring(0, end);
      Path file = PathText.resolve(selection.root(), part);
      if (LEFT_OUT.contains(part.substring(part.lastIndexOf('/') + 1))
          || selection.exclude().matches(part)
          || selection.outputs().contains(file)
          || Files.isSymbolicLink(file)) {
        return false;
      }
      if (end < 0) {
        return true;
      }
      if (!leftOut(file).isEmpty()) {
        return false;
      }
    }
  }

  /** Returns why a folder is not walked; empty if it is. */
  private static String leftOut(Path folder) {
    if (Files.exists(folder.resolve(STATE).resolve("port.json"))) {
      return "the output of an earlier port";
    }
    boolean isBuild =
        Files.exists(folder.resolve("CMakeCache.txt"))
            && !Files.exists(folder.resolve("CMakeLists.txt"));
    return isBuild ? "a CMake build folder" : "";
  }

  /** Bytes of all regular files. */
  public long bytes() {
    return entries.stream().mapToLong(TreeEntry::size).sum();
  }

  private static final class Walk {
    private final TreeSelection selection;
    private final Path root;
    private final List<TreeEntry> entries = new ArrayList<>();
    private final List<String> emptyFolders = new ArrayList<>();
    private final Set<Path> seen = new HashSet<>();

    Walk(TreeSelection selection) {
      this.selection = selection;
      this.root = selection.root();
    }

    SourceTree run() {
      for (Path start : selection.starts()) {
        visit(start, start.equals(root) ? "" : PathText.of(root.relativize(start)));
      }
      entries.sort(Comparator.comparing(TreeEntry::path));
      emptyFolders.sort(Comparator.naturalOrder());
      return new SourceTree(root, List.copyOf(entries), List.copyOf(emptyFolders));
    }

    private void visit(Path file, String path) {
      if (!seen.add(file) || selection.outputs().contains(file)) {
        return;
      }
      boolean isRoot = file.equals(root);
      String name = isRoot ? "" : file.getFileName().toString();
      if (LEFT_OUT.contains(name) || (name.startsWith(UNFINISHED) && name.endsWith(".tmp"))) {
        return;
      }
      if (!isRoot && selection.exclude().matches(path)) {
        add(file, path, FileKind.SKIPPED, "excluded by a pattern");
        return;
      }
      try {
        BasicFileAttributes is =
            Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (is.isSymbolicLink()) {
          link(file, path);
        } else if (is.isDirectory()) {
          folder(file, path, isRoot);
        } else if (is.isRegularFile()) {
          regular(file, path, is.size());
        } else {
          add(file, path, FileKind.SKIPPED, "a pipe, socket or device, not a file");
        }
      } catch (IOException e) {
        add(file, path, FileKind.UNREADABLE, reason(e));
      }
    }

    private void folder(Path folder, String path, boolean isRoot) throws IOException {
      String why = isRoot ? "" : leftOut(folder);
      if (!why.isEmpty()) {
        add(folder, path, FileKind.SKIPPED, why);
        return;
      }
      List<Path> children = new ArrayList<>();
      try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
        stream.forEach(children::add);
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
      if (children.isEmpty() && !isRoot) {
        emptyFolders.add(path);
      }
      children.sort(Comparator.naturalOrder());
      String above = isRoot ? "" : path + "/";
      children.forEach(c -> visit(c, above + PathText.of(c.getFileName())));
    }

    private void regular(Path file, String path, long size) throws IOException {
      entries.add(entry(selection, file, path, size));
    }

    /** A link is made again in the output if it stays inside the tree; it is never followed. */
    private void link(Path file, String path) throws IOException {
      Path target = Files.readSymbolicLink(file);
      Path lexical = file.resolveSibling(target).normalize();
      Path real;
      try {
        real = file.toRealPath();
      } catch (FileSystemLoopException e) {
        add(file, path, FileKind.SKIPPED, "a symbolic link that leads back to itself");
        return;
      } catch (NoSuchFileException e) {
        real = lexical;
      } catch (IOException e) {
        boolean loop = e.getMessage() != null && e.getMessage().contains("Too many levels");
        add(
            file,
            path,
            loop ? FileKind.SKIPPED : FileKind.UNREADABLE,
            loop ? "a symbolic link that leads back to itself" : reason(e));
        return;
      }
      if (!real.startsWith(root)) {
        String where = "a symbolic link out of the tree, to " + target + ": not followed";
        add(file, path, FileKind.SKIPPED, where);
        return;
      }
      boolean keeps = !target.isAbsolute() && lexical.startsWith(root);
      Path again = keeps ? target : file.resolveSibling(".").normalize().relativize(real);
      add(file, path, FileKind.LINK, again.toString());
    }

    private void add(Path file, String path, FileKind kind, String note) {
      entries.add(new TreeEntry(file, path, kind, "other", 0, note));
    }
  }

  /** An exception of the file system as a sentence without the path. */
  public static String reason(IOException e) {
    return switch (e) {
      case AccessDeniedException _ -> "permission denied";
      case NoSuchFileException _ -> "no such file";
      case java.nio.file.FileSystemException f when f.getReason() != null -> f.getReason();
      default -> e.getMessage() == null ? e.toString() : e.getMessage();
    };
  }
}
