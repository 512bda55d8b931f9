package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Projects with Makefiles of their own, in {@code src/test/hip-projects}: built by {@code make}
 * with the tools of the HIP runtime, and run. Each ends with PASS.
 */
@Tag("device")
final class MakeProjectsTest {
  private static final Path PROJECTS =
      Path.of(System.getProperty("rocport.home", "."), "src/test/hip-projects");
  private static final int SECONDS = 120;

  @ParameterizedTest
  @CsvSource({"device-archive,gfx942", "tools,gfx90a"})
  void makeRunPasses(String project, String gpu, @TempDir Path folder) throws Exception {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    Assumptions.assumeTrue(
        Stream.of(path.split(File.pathSeparator)).anyMatch(p -> Files.exists(Path.of(p, "make"))),
        "needs make");
    copy(PROJECTS.resolve(project), folder);
    HipRuntime runtime = TestToolchain.runtime();

    TestDevice.Run run =
        TestDevice.run(
            gpu,
            folder,
            SECONDS,
            List.of(
                "env",
                "PATH=" + runtime.programs() + File.pathSeparator + path,
                "ROCM_PATH=" + runtime.root(),
                "make",
                "-j2",
                "run"));

    assertThat(run.out()).as(run.err()).endsWith("PASS\n");
    assertThat(run.code()).isZero();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.sorted().toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }
}
