package dev.rocport.fleet;

import java.io.IOException;
import java.io.Serial;
import java.util.Locale;

/** One repository failed; the others go on. */
final class Failure extends Exception {
  @Serial private static final long serialVersionUID = 1;

  /** Why, as the table of failures has it. */
  enum Kind {
    /** Not there, not readable, or nothing that is known. */
    UNREADABLE,
    /** An archive with wrong contents. */
    BROKEN_ARCHIVE,
    /** An archive with paths that lead out of it. */
    LEADS_OUT,
    /** More content than the size limit. */
    TOO_LARGE,
    /** A clone that failed. */
    CLONE,
    /** The time limit was reached. */
    TIME,
    /** The memory limit was reached. */
    MEMORY,
    /** Files changed meanwhile, twice. */
    CHANGED,
    /** The audit itself failed. */
    AUDIT,
    /** The bill itself failed. */
    BILL,
    /** The port itself failed. */
    PORT;

    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private final Kind kind;

  Failure(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /**
   * Reports that a time limit was reached.
   *
   * @param what took so long, with a space after it; may be empty
   */
  static Failure time(String what, long seconds) {
    return new Failure(Kind.TIME, "%stook more than %d s (--time-limit)".formatted(what, seconds));
  }

  /** Reports that something could not be read, or a bug. */
  static Failure unreadable(Exception e) {
    String reason = e instanceof IOException io ? Folders.reason(io) : e.toString();
    return new Failure(Kind.UNREADABLE, reason);
  }

  Kind kind() {
    return kind;
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
