package dev.rocport.toolchain.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.io.Folders;
import dev.rocport.toolchain.Library;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The packages for {@code find_package} in {@code hip-runtime/cmake}. */
final class CMakePackagesTest {
  private static final Path SOURCES = Path.of("hip-runtime");

  @Test
  void eachLibraryThatRocportHasCanBeFound() throws IOException {
    StringBuilder packages = new StringBuilder();
    for (Path file : Folders.files(SOURCES.resolve("cmake"))) {
      packages.append(Files.readString(file));
    }
    List<String> missing = new ArrayList<>();
    for (Library library : Library.values()) {
      if (library != Library.ROCTX // ROCm has no package for it
          && Files.isDirectory(SOURCES.resolve("src").resolve(library.linkName()))
          && packages.indexOf(" " + library.linkName() + ")") < 0
          && packages.indexOf("/lib" + library.linkName() + ".so") < 0) {
        missing.add(library.linkName());
      }
    }
    assertThat(missing).isEmpty();
  }
}
