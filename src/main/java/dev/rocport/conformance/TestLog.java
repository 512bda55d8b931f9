package dev.rocport.conformance;

/** Reads the lines that a process writes, and passes on which tests begin and end. */
interface TestLog {
  /** Receives what happens to tests. */
  interface Events {
    void begun(String name);

    /**
     * A test ended; it need not have begun.
     *
     * @param said about it on the same line; empty if lines before say more
     */
    void ended(String name, Verdict verdict, String said);
  }

  /** Reads one line. */
  void line(String line, Events events);

  /** Whether a line begins the message of a failed check; what is before it says less. */
  default boolean isFailure(String line) {
    return false;
  }

  /**
   * The result of a test whose process ended.
   *
   * @param code exit code of the process
   */
  default Verdict atExit(int code) {
    return Verdict.FAILED;
  }

  /** Reads a line that the process has begun and not ended yet, perhaps more than once. */
  default void begunLine(String text, Events events) {}
}
