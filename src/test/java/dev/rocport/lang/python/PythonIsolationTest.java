package dev.rocport.lang.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.SourceFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pairs of files and the verdict of the proof: NAME.old, NAME.new, and in NAME.verdict GATED,
 * DIFFERS or UNKNOWN.
 */
final class PythonIsolationTest {
  private static final Path FOLDER = Path.of("src", "test", "resources", "python", "isolation");

  @ParameterizedTest
  @MethodSource("names")
  void theVerdictMatchesTheExpectedOne(String name) throws IOException {
    PythonView.View old = PythonView.of(read(name + ".old"), Set.of());
    PythonView.View now = PythonView.of(read(name + ".new"), Set.of());
    String expected = Files.readString(FOLDER.resolve(name + ".verdict")).strip();
    assertThat(verdict(old, now)).as(now.problem()).isEqualTo(expected);
  }

  private static String verdict(PythonView.View old, PythonView.View now) {
    if (!now.problem().isEmpty()) {
      return "UNKNOWN";
    }
    String was = new String(old.bytes(), StandardCharsets.UTF_8);
    return was.equals(new String(now.bytes(), StandardCharsets.UTF_8)) ? "GATED" : "DIFFERS";
  }

  private static SourceFile read(String name) throws IOException {
    return new SourceFile("x.py", Files.readAllBytes(FOLDER.resolve(name)));
  }

  static Stream<String> names() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(f -> f.endsWith(".verdict"))
          .map(f -> f.substring(0, f.length() - ".verdict".length()))
          .sorted()
          .toList()
          .stream();
    }
  }
}
