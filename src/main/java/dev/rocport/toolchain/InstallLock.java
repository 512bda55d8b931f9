package dev.rocport.toolchain;

import dev.rocport.io.LockFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Lets one installation at a time work on a toolchain folder, across threads and processes. */
public final class InstallLock {
  private static final ReentrantLock THREADS = new ReentrantLock();

  private InstallLock() {}

  /** Waits until no other installation holds the folder. */
  public static LockFile acquire(Path home, Consumer<String> progress) throws IOException {
    return LockFile.acquire(
        home.resolve("lock"),
        THREADS,
        () -> progress.accept("waiting for another installation in " + home));
  }
}
