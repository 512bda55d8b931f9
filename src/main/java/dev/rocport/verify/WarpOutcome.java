package dev.rocport.verify;

/**
 * The result of a warp program compared with its original.
 *
 * @param kind how it ended
 * @param message what differs, or why it does not run; empty where it is right
 */
public record WarpOutcome(Kind kind, String message) {
  static final WarpOutcome RIGHT = new WarpOutcome(Kind.RIGHT, "");

  /** How a program ended. */
  public enum Kind {
    /** It printed what the original printed. */
    RIGHT,
    /** It ran to its end and printed something else, or ended with another code. */
    WRONG,
    /** It did not end, or the device found that its waves wait for each other. */
    HANGS,
    /** The device stopped it: an invalid access, a trap. */
    STOPPED,
    /** The compiler refused it. */
    NOT_BUILT,
    /** It was not tried. */
    NOT_RUN
  }

  public boolean isRight() {
    return kind == Kind.RIGHT;
  }

  /** Whether it was tried and is not right. */
  boolean isWrong() {
    return kind != Kind.RIGHT && kind != Kind.NOT_RUN;
  }
}
