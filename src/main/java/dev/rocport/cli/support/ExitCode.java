package dev.rocport.cli.support;

/** The exit codes of every command except {@code run}. */
public enum ExitCode {
  /** Done. */
  OK(0),
  /** Findings at or above {@code --fail-on}, or a verification failed. */
  FINDINGS(1),
  /** Wrong usage or unreadable input. */
  USAGE(2),
  /** The toolchain is missing or failed. */
  TOOLCHAIN(3),
  /** A bug in rocport. */
  BUG(70),
  /** Interrupted by a signal. */
  INTERRUPTED(130);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }
}
