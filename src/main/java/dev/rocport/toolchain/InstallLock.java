package dev.rocport.toolchain;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Lets one installation at a time work on a toolchain folder, across threads and processes. */
public final class InstallLock implements AutoCloseable {
  // File locks belong to the whole process, so threads need one of their own.
  private static final ReentrantLock THREADS = new ReentrantLock();

  private final FileChannel channel;

  private InstallLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Waits until no other installation holds the folder. */
  public static InstallLock acquire(Path home, Consumer<String> progress) throws IOException {
    THREADS.lock();
    try {
      Files.createDirectories(home);
      FileChannel channel =
          FileChannel.open(
              home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        FileLock lock = channel.tryLock();
        if (lock == null) {
          progress.accept("waiting for another installation in " + home);
          lock = channel.lock();
        }
        return new InstallLock(channel);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      THREADS.unlock();
      throw e;
    }
  }

  /** Whether the lock is held. */
  public boolean held() {
    return channel.isOpen();
  }

  /** Closing the channel gives the file lock back; the file stays, so that no two locks differ. */
  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      THREADS.unlock();
    }
  }
}
