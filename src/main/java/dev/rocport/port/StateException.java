package dev.rocport.port;

/** Thrown if the state in {@code .rocport} cannot be used; the message says why and what to do. */
public final class StateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StateException(String message) {
    super(message);
  }
}
