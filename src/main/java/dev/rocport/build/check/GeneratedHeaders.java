package dev.rocport.build.check;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Headers that a build generates, also those of a build that stopped later. Empty ones do not
 * count: a check makes empty programs, which generate empty headers.
 */
public final class GeneratedHeaders {
  private static final Pattern HEADER = Pattern.compile(".*\\.(?:h|hh|hpp|hxx|cuh|inc|inl)");

  /** Folders with the programs that CMake compiles, and with repositories that it fetched. */
  private static final Set<String> OTHERS = Set.of("CMakeFiles", "_deps", ".git");

  /** Most folders; a tree with more has a library unpacked in it. */
  private static final int MOST = 64;

  private GeneratedHeaders() {}

  /**
   * Returns the folders that units may name such headers from, in the order of their paths: those
   * of the headers and the folders above them, the copy itself only if such a header is in it.
   *
   * @param root the tree
   * @param copy its copy, in which the build ran; may be missing
   */
  public static List<Path> folders(Path root, Path copy) throws IOException {
    if (!Files.isDirectory(copy)) {
      return List.of();
    }
    Path top = copy.toRealPath();
    SortedSet<Path> folders = new TreeSet<>();
    Files.walkFileTree(
        top,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes a) {
            return OTHERS.contains(folder.getFileName() + "")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes a) {
            boolean header = HEADER.matcher(file.getFileName() + "").matches() && a.size() > 0;
            Path inTree = root.resolve(top.relativize(file).toString());
            if (header && a.isRegularFile() && !Files.exists(inTree)) {
              Path folder = file.resolveSibling("");
              boolean more = folders.add(folder);
              while (more && !folder.equals(top) && !folder.resolveSibling("").equals(top)) {
                folder = folder.resolveSibling("");
                more = folders.add(folder);
              }
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return new ArrayList<>(folders).subList(0, Math.min(MOST, folders.size()));
  }
}
