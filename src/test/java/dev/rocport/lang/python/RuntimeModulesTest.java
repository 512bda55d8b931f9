package dev.rocport.lang.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The Python modules, and their own tests in {@code src/test/python} where there is a Python. */
@Tag("slow")
final class RuntimeModulesTest {
  private static final Path TESTS =
      Path.of(System.getProperty("rocport.home", "."), "src/test/python").toAbsolutePath();

  static Stream<String> tests() throws IOException {
    try (Stream<Path> files = Files.list(TESTS)) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(n -> n.startsWith("test_") && n.endsWith(".py"))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("tests")
  void passesItsTests(String test, @TempDir Path folder) throws Exception {
    assumeTrue(isPython38(), "needs Python 3.8 or newer");
    Path output = folder.resolve("output");
    int code = python(output, "-B", test);
    assertThat(code).as(() -> read(output)).isZero();
    assertThat(read(output)).containsPattern("Ran [1-9]\\d* tests? in");
  }

  @Test
  void areReadByName() throws IOException {
    assertThat(new String(RuntimeModules.read("_rocm"), StandardCharsets.UTF_8))
        .contains("is_rocm = hasattr(torch.version, \"hip\") and torch.version.hip is not None");
    assertThatThrownBy(() -> RuntimeModules.read("_none")).isInstanceOf(NoSuchFileException.class);
  }

  private static boolean isPython38() throws InterruptedException {
    try {
      return python(Path.of("/dev/null"), "-c", "import sys; sys.exit(sys.version_info < (3, 8))")
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static int python(Path output, String... arguments)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Stream.concat(Stream.of("python3"), List.of(arguments).stream()).toList())
            .directory(TESTS.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      return process.waitFor(4, TimeUnit.MINUTES) ? process.exitValue() : -1;
    } finally {
      process.destroyForcibly();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
