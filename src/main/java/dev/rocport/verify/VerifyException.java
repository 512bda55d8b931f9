package dev.rocport.verify;

/** A fixture, bundle or recording that cannot be used; the message names it and says why. */
public final class VerifyException extends Exception {
  private static final long serialVersionUID = 1L;

  public VerifyException(String message) {
    super(message);
  }
}
