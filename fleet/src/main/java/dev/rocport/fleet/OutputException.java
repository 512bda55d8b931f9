package dev.rocport.fleet;

import java.io.IOException;
import java.io.Serial;
import java.io.UncheckedIOException;

/**
 * The output of the fleet cannot be written. Unlike an {@link IOException} while a repository is
 * read, this is no property of the repository: the task fails, and a later run does it again.
 */
final class OutputException extends UncheckedIOException {
  @Serial private static final long serialVersionUID = 1;

  OutputException(IOException cause) {
    super(Folders.reason(cause), cause);
  }
}
