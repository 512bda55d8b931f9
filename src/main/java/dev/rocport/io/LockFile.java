package dev.rocport.io;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A file that one thread of one process holds at a time. The file stays when it is given back:
 * otherwise two processes could hold two files of the same name.
 */
public final class LockFile implements AutoCloseable {
  private final ReentrantLock threads;
  private final @Nullable FileChannel channel;

  private LockFile(ReentrantLock threads, @Nullable FileChannel channel) {
    this.threads = threads;
    this.channel = channel;
  }

  /**
   * Waits until nobody else holds the file, and creates it and its folders if needed.
   *
   * @param threads held first, because locks of files belong to the whole process
   * @param waiting runs if another process holds the file
   */
  public static LockFile acquire(Path file, ReentrantLock threads, Runnable waiting)
      throws IOException {
    threads.lock();
    try {
      return new LockFile(threads, open(file, waiting));
    } catch (IOException | RuntimeException | Error e) {
      threads.unlock();
      throw e;
    }
  }

  /** As {@link #acquire}; if the file cannot be written, only threads wait for each other. */
  public static LockFile acquireIfWritable(Path file, ReentrantLock threads) {
    threads.lock();
    try {
      return new LockFile(threads, open(file, () -> {}));
    } catch (IOException e) {
      return new LockFile(threads, null);
    } catch (RuntimeException | Error e) {
      threads.unlock();
      throw e;
    }
  }

  private static FileChannel open(Path file, Runnable waiting) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        waiting.run();
        var _ = channel.lock();
      }
      return channel;
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  /** Whether other processes are kept away. */
  public boolean isHeld() {
    return channel != null && channel.isOpen();
  }

  /** Gives the file back; closing the channel ends its lock. */
  @Override
  public void close() throws IOException {
    try {
      if (channel != null) {
        channel.close();
      }
    } finally {
      threads.unlock();
    }
  }
}
