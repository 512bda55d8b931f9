package dev.rocport.cli;

/** What the user asked for cannot be done as asked: exit code 2, the message says why. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
