package dev.rocport.cli.support;

/** What the user asked for cannot be done as asked: exit code 2, the message says why. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }
}
