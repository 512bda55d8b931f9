package dev.rocport.conformance;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.process.Exec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A checkout of AMD's HIP tests.
 *
 * @param tests its folder {@code catch}, which is a CMake project
 */
record Checkout(Path tests) {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /**
   * The checkout in a folder.
   *
   * @throws InvalidFileException if the folder holds none, or one without Catch2
   */
  static Checkout of(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new InvalidFileException(
          folder
              + " is not a folder: name a checkout of ROCm/hip-tests, the HIP unit tests of AMD");
    }
    Path root = folder.toRealPath();
    Path tests =
        root.getFileName() != null && root.endsWith("catch") ? root : root.resolve("catch");
    for (String part :
        List.of("CMakeLists.txt", "unit/CMakeLists.txt", "hipTestMain/main.cc", "include")) {
      if (!Files.exists(tests.resolve(part))) {
        throw new InvalidFileException(
            "%s is not a checkout of ROCm/hip-tests: it has no catch/%s".formatted(folder, part));
      }
    }
    for (String part : List.of("external/Catch2/catch.hpp", "external/picojson/picojson.h")) {
      if (!Files.exists(tests.resolve(part))) {
        throw new InvalidFileException(
            "%s is incomplete: it has no catch/%s, which ROCm/hip-tests comes with"
                .formatted(folder, part));
      }
    }
    return new Checkout(tests);
  }

  /** The header that nearly all tests include first. */
  Path header() {
    return tests.resolve("include/hip_test_common.hh");
  }

  /** The list of tests that AMD disables, with conditions on targets. */
  Path disabled() {
    return tests.resolve("hipTestMain/config/config_amd_linux");
  }

  /** The commit, shortened; what git says if there is none. */
  String version() throws InterruptedException {
    try {
      Exec.Outcome git =
          Exec.of(List.of("git", "-C", tests.toString(), "log", "-1", "--format=%h of %cs"))
              .limit(LIMIT)
              .run();
      return git.ok() && !git.stdout().isBlank() ? git.stdout().strip() : "no commit";
    } catch (IOException e) {
      return "no commit";
    }
  }
}
