package dev.rocport.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A temporary folder, deleted when it is closed or when rocport exits. */
public final class TemporaryFolder implements AutoCloseable {
  private static final int TRIES = 20;
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Path path;
  private final Thread cleaner = Thread.ofPlatform().unstarted(this::clear);

  private TemporaryFolder(Path path) {
    this.path = path;
    Runtime.getRuntime().addShutdownHook(cleaner);
  }

  /** A new one, whose name begins so. */
  public static TemporaryFolder create(String name) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(name).toRealPath());
  }

  /** The same in a folder other than that of the system's temporary files. */
  public static TemporaryFolder create(Path parent, String name) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(parent, name).toRealPath());
  }

  public Path path() {
    return path;
  }

  /** After an interruption; what is still writing then is being ended at the same time. */
  private void clear() {
    for (int i = 0; i < TRIES && Files.exists(path); i++) {
      try {
        Folders.delete(path);
      } catch (IOException e) {
        // Something new was written into it.
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  @Override
  public void close() throws IOException {
    Folders.delete(path);
    try {
      Runtime.getRuntime().removeShutdownHook(cleaner);
    } catch (IllegalStateException e) {
      // It runs just now.
    }
  }
}
