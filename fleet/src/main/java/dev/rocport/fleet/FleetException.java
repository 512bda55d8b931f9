package dev.rocport.fleet;

import java.io.Serial;

/** The whole command cannot go on; the message is for the user. */
final class FleetException extends Exception {
  @Serial private static final long serialVersionUID = 1;

  FleetException(String message) {
    super(message);
  }

  FleetException(String message, Throwable cause) {
    super(message, cause);
  }
}
