package dev.rocport.cli.run;

import dev.rocport.toolchain.runtime.StandIns;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file in which stand-ins record that a program loaded them; at the end, one line reports them.
 */
final class StandInsNote implements AutoCloseable {
  private final Path file;
  private final PrintWriter to;

  StandInsNote(PrintWriter to) throws IOException {
    this.file = Files.createTempFile("rocport", ".libraries");
    this.to = to;
  }

  Path file() {
    return file;
  }

  @Override
  public void close() throws IOException {
    String sentence = StandIns.sentence(StandIns.noted(file));
    if (!sentence.isEmpty()) {
      to.println("rocport: " + sentence);
      to.flush();
    }
    Files.deleteIfExists(file);
  }
}
