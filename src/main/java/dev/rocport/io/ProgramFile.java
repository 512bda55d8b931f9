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

  /** The checksum of the file; empty where the program does not run from one file. */
  public static String checksum() throws IOException {
    Optional<Path> jar = file();
    return jar.isPresent() ? Checksum.of(jar.get()) : "";
  }

  /**
   * The size and the age of the program: a new build may do something else. Empty where it does not
   * run from one file.
   */
  public static Optional<String> build() {
    try {
      Optional<Path> jar = file();
      return jar.isPresent()
          ? Optional.of(Files.size(jar.get()) + "," + Files.getLastModifiedTime(jar.get()))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns the file; empty where the program does not run from one file. */
  public static Optional<Path> file() {
    try {
      CodeSource source = ProgramFile.class.getProtectionDomain().getCodeSource();
      Path jar = Path.of(source.getLocation().toURI());
      return Files.isRegularFile(jar) ? Optional.of(jar) : Optional.empty();
    } catch (URISyntaxException | RuntimeException e) {
      return Optional.empty();
    }
  }
}
