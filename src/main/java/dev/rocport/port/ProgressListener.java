package dev.rocport.port;

/** Receives the progress of a run. Called by many threads concurrently. */
public interface ProgressListener {
  ProgressListener NONE = (phase, file, files, of, bytes) -> {};

  /** The two passes over a tree. */
  enum Phase {
    SCAN,
    PORT
  }

  /** Reports that the work on a file begins. */
  default void begun(String file) {}

  /**
   * Reports one more finished file.
   *
   * @param file its path
   * @param files number of finished files in this phase
   * @param of number of files in this phase
   * @param bytes size of that file
   */
  void done(Phase phase, String file, int files, int of, long bytes);
}
