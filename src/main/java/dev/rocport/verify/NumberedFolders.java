package dev.rocport.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** New folders below one. A work folder that was kept has those of earlier verifications. */
final class NumberedFolders {
  private final Path parent;
  private int made;

  NumberedFolders(Path parent) {
    this.parent = parent;
  }

  /** Makes an empty folder. */
  Path next() throws IOException {
    Files.createDirectories(parent);
    Path folder;
    do {
      folder = parent.resolve(String.valueOf(made++));
    } while (Files.exists(folder));
    return Files.createDirectory(folder);
  }
}
