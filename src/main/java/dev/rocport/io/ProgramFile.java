package dev.rocport.io;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;

/** The file that this program runs from. */
public final class ProgramFile {
  private ProgramFile() {}

  /**
   * The size and the age of the program: a new build may do something else. Empty where it does not
   * run from one file.
   */
  public static Optional<String> build() {
    try {
      CodeSource source = ProgramFile.class.getProtectionDomain().getCodeSource();
      Path jar = Path.of(source.getLocation().toURI());
      return Files.isRegularFile(jar)
          ? Optional.of(Files.size(jar) + "," + Files.getLastModifiedTime(jar))
          : Optional.empty();
    } catch (URISyntaxException | IOException | RuntimeException e) {
      return Optional.empty();
    }
  }
}
