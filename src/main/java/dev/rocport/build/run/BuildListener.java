package dev.rocport.build.run;

/** Receives progress of a build; must be thread-safe. */
public interface BuildListener {
  /** A listener that does nothing. */
  BuildListener SILENT = (done, total, what) -> {};

  /**
   * Called when a step ends.
   *
   * @param done number of finished steps
   * @param total number of known steps; 0 if unknown
   * @param what description of the step, such as {@code compiled src/a.cu}
   */
  void step(int done, int total, String what);
}
