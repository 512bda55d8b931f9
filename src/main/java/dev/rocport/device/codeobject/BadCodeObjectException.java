package dev.rocport.device.codeobject;

/** Thrown for bytes that are not a code object, and for an invalid code object. */
public final class BadCodeObjectException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public BadCodeObjectException(String message) {
    super(message);
  }

  BadCodeObjectException(String message, Throwable cause) {
    super(message, cause);
  }
}
