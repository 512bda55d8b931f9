package dev.rocport.port.decide;

import dev.rocport.io.LockFile;
import dev.rocport.io.Sha256;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets one writer at a time change the decisions of a tree, across threads and the processes of a
 * user. The file that is locked is in the user's cache: the file of the decisions is replaced by
 * each writer, and another one beside it would get under version control.
 */
final class DecisionsLock {
  private static final ReentrantLock THREADS = new ReentrantLock();

  private DecisionsLock() {}

  /** Returns the file that is locked for a tree. */
  static Path file(Path folder, Path root) throws IOException {
    return folder.resolve(Sha256.fingerprint(root.toRealPath().toString()) + ".lock");
  }

  /**
   * Waits until no other writer changes the decisions of a tree.
   *
   * @param folder of the locks; if it cannot be written, only threads wait for each other
   */
  static LockFile acquire(Path folder, Path root) throws IOException {
    return LockFile.acquireIfWritable(file(folder, root), THREADS);
  }
}
