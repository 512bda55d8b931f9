package dev.rocport.io;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whole folders: delete, list, size. Links are never followed. */
public final class Folders {
  private Folders() {}

  /** Deletes a folder with all that is in it; nothing if there is none. */
  public static void delete(Path root) throws IOException {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.deleteIfExists(dir);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /**
   * Puts the files of a folder into another one as hard links. Both are on the same file system.
   *
   * @param into an existing folder; files of the same name are replaced
   */
  public static void link(Path from, Path into) throws IOException {
    put(from, into, (file, to) -> Files.createLink(to, file));
  }

  /** Copies a folder with times and permissions; files of the same name are replaced. */
  public static void copy(Path from, Path into) throws IOException {
    put(from, into, (file, to) -> Files.copy(file, to, StandardCopyOption.COPY_ATTRIBUTES));
  }

  /** Puts one file at its place. */
  private interface Put {
    void put(Path file, Path to) throws IOException;
  }

  private static void put(Path from, Path into, Put one) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(into.resolve(from.relativize(dir)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path to = into.resolve(from.relativize(file));
            Files.deleteIfExists(to);
            if (attributes.isSymbolicLink()) {
              Files.createSymbolicLink(to, Files.readSymbolicLink(file));
            } else {
              one.put(file, to);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** The children, sorted; none for a folder that is not there. */
  public static List<Path> list(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(folder)) {
      return children.sorted().toList();
    }
  }

  /** All regular files below a folder, sorted. */
  public static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** The first path below a folder, in sorted order, whose end is this. */
  public static Optional<Path> find(Path folder, String ending) throws IOException {
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(p -> p.endsWith(ending)).sorted().findFirst();
    }
  }

  /** Bytes in regular files. */
  static long size(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(p -> Files.isRegularFile(p, LinkOption.NOFOLLOW_LINKS))
          .mapToLong(p -> p.toFile().length())
          .sum();
    }
  }
}
