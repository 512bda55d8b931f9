package dev.rocport.conformance;

/** Reads the lines that a process writes, and passes on which tests begin and end. */
interface TestLog {
  /** Receives what happens to tests. */
  interface Events {
    void begun(String name);

    /** A test ended; it need not have begun. */
    void ended(String name, Verdict verdict);
  }

  /** Reads one line. */
  void line(String line, Events events);

  /**
   * The process ended.
   *
   * @param code its exit code
   */
  void end(int code, Events events);
}
