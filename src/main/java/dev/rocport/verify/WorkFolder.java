package dev.rocport.verify;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Where a verification works: a folder of the user's that stays, or one that is deleted at the end.
 */
public final class WorkFolder implements AutoCloseable {
  private static final int TRIES = 20;
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Path path;
  private final boolean stays;
  private final Thread cleaner = Thread.ofPlatform().unstarted(this::clear);

  private WorkFolder(Path path, boolean stays) {
    this.path = path;
    this.stays = stays;
    if (!stays) {
      Runtime.getRuntime().addShutdownHook(cleaner);
    }
  }

  /** After an interruption; what is still writing then is being ended at the same time. */
  private void clear() {
    for (int i = 0; i < TRIES && Files.exists(path); i++) {
      try {
        delete(path);
        Thread.sleep(PAUSE);
      } catch (IOException e) {
        LockSupport.parkNanos(PAUSE.toNanos());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /**
   * A folder.
   *
   * @param kept the folder that stays; empty for one that does not
   */
  public static WorkFolder of(Optional<Path> kept) throws IOException {
    return kept.isPresent()
        ? new WorkFolder(Files.createDirectories(kept.get()).toRealPath(), true)
        : new WorkFolder(Files.createTempDirectory("rocport-verify").toRealPath(), false);
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    if (!stays) {
      delete(path);
      try {
        Runtime.getRuntime().removeShutdownHook(cleaner);
      } catch (IllegalStateException e) {
        // It runs just now.
      }
    }
  }

  /** Deletes a folder with all that is in it; links are not followed. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.walkFileTree(
        folder,
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
            Files.deleteIfExists(dir);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
