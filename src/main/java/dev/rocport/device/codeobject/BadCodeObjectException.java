package dev.rocport.device.codeobject;

/** Bytes that are no code object, or one that cannot be trusted. */
public final class BadCodeObjectException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public BadCodeObjectException(String message) {
    super(message);
  }

  BadCodeObjectException(String message, Throwable cause) {
    super(message, cause);
  }
}
