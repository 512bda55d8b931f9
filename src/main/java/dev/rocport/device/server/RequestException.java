package dev.rocport.device.server;

/** A request that cannot be served, and what the program is told. */
final class RequestException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Status status;

  RequestException(Status status, String message) {
    super(message);
    this.status = status;
  }

  Status status() {
    return status;
  }
}
