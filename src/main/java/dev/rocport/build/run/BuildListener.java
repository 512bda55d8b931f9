package dev.rocport.build.run;

/** Follows a build; called from many threads. */
public interface BuildListener {
  /** Hears nothing. */
  BuildListener SILENT = (done, total, what) -> {};

  /**
   * A step has ended.
   *
   * @param done steps that have ended
   * @param total all steps known so far; 0 while that is not known
   * @param what the step, such as {@code compiled src/a.cu}
   */
  void step(int done, int total, String what);
}
