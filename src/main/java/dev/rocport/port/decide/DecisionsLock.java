package dev.rocport.port.decide;

import dev.rocport.io.Sha256;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets one writer at a time change the decisions of a tree, across threads and the processes of a
 * user. The file that is locked is in the user's cache: the file of the decisions is replaced by
 * each writer, and another one beside it would get under version control.
 */
final class DecisionsLock implements AutoCloseable {
  // File locks belong to the whole process, so threads need one of their own.
  private static final ReentrantLock THREADS = new ReentrantLock();

  private final @Nullable FileChannel channel;

  private DecisionsLock(@Nullable FileChannel channel) {
    this.channel = channel;
  }

  /** Returns the file that is locked for a tree. */
  static Path file(Path folder, Path root) throws IOException {
    return folder.resolve(Sha256.fingerprint(root.toRealPath().toString()) + ".lock");
  }

  /**
   * Waits until no other writer changes the decisions of a tree.
   *
   * @param folder of the locks; if it cannot be written, only threads wait for each other
   */
  static DecisionsLock acquire(Path folder, Path root) {
    THREADS.lock();
    try {
      return new DecisionsLock(locked(folder, root));
    } catch (RuntimeException | Error e) {
      THREADS.unlock();
      throw e;
    }
  }

  private static @Nullable FileChannel locked(Path folder, Path root) {
    try {
      Files.createDirectories(folder);
      FileChannel channel =
          FileChannel.open(file(folder, root), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        var _ = channel.lock();
        return channel;
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (IOException e) {
      return null; // a machine without a cache
    }
  }

  @Override
  public void close() throws IOException {
    try {
      if (channel != null) {
        channel.close();
      }
    } finally {
      THREADS.unlock();
    }
  }
}
