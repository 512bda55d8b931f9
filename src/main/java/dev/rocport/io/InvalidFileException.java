package dev.rocport.io;

/**
 * Thrown for a file of rules or settings that cannot be used; the message contains file, line, and
 * reason.
 */
public final class InvalidFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InvalidFileException(String message) {
    super(message);
  }

  public InvalidFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
