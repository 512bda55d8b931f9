package dev.rocport.cli.support;

/** A request that cannot be fulfilled as given: exit code 2, and the message says why. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }
}
