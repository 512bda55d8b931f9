package dev.rocport.cli.run;

import dev.rocport.toolchain.runtime.LoadedLibraries;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file in which libraries are recorded that a program loaded; at the end, lines report them. */
final class LibrariesNote implements AutoCloseable {
  private final Path file;
  private final PrintWriter to;

  LibrariesNote(PrintWriter to) throws IOException {
    this.file = Files.createTempFile("rocport", ".libraries");
    this.to = to;
  }

  Path file() {
    return file;
  }

  @Override
  public void close() throws IOException {
    LoadedLibraries.noted(file).sentences().forEach(s -> to.println("rocport: " + s));
    to.flush();
    Files.deleteIfExists(file);
  }
}
