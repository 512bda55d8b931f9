package dev.rocport.device.server;

/** A request that cannot be served, with the message for the program. */
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
