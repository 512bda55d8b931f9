package dev.rocport.device.codeobject;

/** Bytes that are not a code object, or an invalid code object. */
public final class BadCodeObjectException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public BadCodeObjectException(String message) {
    super(message);
  }

  BadCodeObjectException(String message, Throwable cause) {
    super(message, cause);
  }
}
