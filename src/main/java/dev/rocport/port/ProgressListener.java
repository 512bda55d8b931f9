package dev.rocport.port;

/** Receives the progress of a run. Called by many threads concurrently. */
public interface ProgressListener {
  ProgressListener NONE = (phase, files, of, bytes) -> {};

  /** The two passes over a tree. */
  enum Phase {
    SCAN,
    PORT
  }

  /**
   * One more file is done.
   *
   * @param files files done in this phase
   * @param of files of this phase
   * @param bytes size of the file that was just done
   */
  void done(Phase phase, int files, int of, long bytes);
}
