package dev.rocport.verify;

import dev.rocport.toolchain.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

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
        Folders.delete(path);
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
      Folders.delete(path);
      try {
        Runtime.getRuntime().removeShutdownHook(cleaner);
      } catch (IllegalStateException e) {
        // It runs just now.
      }
    }
  }
}
