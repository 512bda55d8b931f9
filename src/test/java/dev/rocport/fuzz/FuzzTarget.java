package dev.rocport.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What Jazzer calls with bytes that it makes up: the kind of file that the system property {@code
 * rocport.fuzz} names. {@code src/build/fuzz.sh} runs it.
 */
public final class FuzzTarget {
  private static final UserFile KIND = UserFile.valueOf(System.getProperty("rocport.fuzz"));
  private static final Path SCRATCH = scratch();

  private FuzzTarget() {}

  /** Reads one input; whatever it throws is a find. */
  public static void fuzzerTestOneInput(byte[] bytes) throws Exception {
    KIND.read(bytes, SCRATCH);
  }

  private static Path scratch() {
    try {
      return Files.createTempDirectory("rocport-fuzz");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
