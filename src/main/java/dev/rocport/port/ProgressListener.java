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
   * Reports one more finished file.
   *
   * @param files number of finished files in this phase
   * @param of number of files in this phase
   * @param bytes size of that file
   */
  void done(Phase phase, int files, int of, long bytes);
}
