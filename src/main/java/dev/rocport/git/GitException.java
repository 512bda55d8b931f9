package dev.rocport.git;

import java.io.IOException;

/** A repository that cannot be used as asked for; the message is for the user. */
public final class GitException extends IOException {
  private static final long serialVersionUID = 1;

  GitException(String message) {
    super(message);
  }

  GitException(String message, Exception cause) {
    super(message, cause);
  }
}
