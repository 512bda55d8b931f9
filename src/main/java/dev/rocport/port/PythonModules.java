package dev.rocport.port;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The Python modules that ported packages get copies of, as they are in {@code hip-runtime/python}.
 */
public final class PythonModules {
  private final Path folder;

  private PythonModules(Path folder) {
    this.folder = folder;
  }

  /** The modules that rocport comes with. */
  public static PythonModules ofHome() {
    String home = System.getProperty("rocport.home", ".");
    return new PythonModules(Path.of(home, "hip-runtime", "python"));
  }

  /**
   * A module's text.
   *
   * @param name the file's name, for example {@code _rocm.py}
   * @throws IOException if it is missing from the installation
   */
  public byte[] content(String name) throws IOException {
    return Files.readAllBytes(folder.resolve(name));
  }
}
