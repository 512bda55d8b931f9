package dev.rocport.device.server;

/** A request that cannot be served, with the message for the program. */
final class RequestException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Status status;
  private final long address;

  RequestException(Status status, String message) {
    this(status, message, 0);
  }

  /**
   * @param address what a kernel must not access; 0 if there is none
   */
  RequestException(Status status, String message, long address) {
    super(message);
    this.status = status;
    this.address = address;
  }

  long address() {
    return address;
  }

  Status status() {
    return status;
  }
}
