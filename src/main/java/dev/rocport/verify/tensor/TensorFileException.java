package dev.rocport.verify.tensor;

import java.io.IOException;
import java.nio.file.Path;

/** A tensor file that cannot be used; the message names it and says why. */
public final class TensorFileException extends IOException {
  private static final long serialVersionUID = 1L;

  public TensorFileException(Path file, String why) {
    super(file + ": " + why);
  }
}
