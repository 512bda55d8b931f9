package dev.rocport.lang.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.Mark;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every {@code NAME.input.EXT} below {@code src/test/goldens} is ported and compared with {@code
 * NAME.output.EXT}, whole. Findings above a note are expected where {@link Mark marks} of the input
 * want them. Each golden also runs again on its output, with CRLF, after a byte order mark and
 * without its last line end.
 */
final class GoldenTest {
  private static final Path FOLDER = Path.of("src/test/goldens");
  private static final CudaPorter PORTER =
      new CudaPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT);

  @TestFactory
  Stream<DynamicTest> goldens() throws IOException {
    return inputs().stream()
        .flatMap(
            input ->
                Stream.of(
                    DynamicTest.dynamicTest(input + " ports", () -> ports(input)),
                    DynamicTest.dynamicTest(input + " is idempotent", () -> isIdempotent(input)),
                    DynamicTest.dynamicTest(input + " keeps CRLF", () -> keepsCrLf(input)),
                    DynamicTest.dynamicTest(input + " keeps a BOM", () -> keepsMark(input)),
                    DynamicTest.dynamicTest(
                        input + " needs no last line end", () -> needsNoLastLineEnd(input)),
                    DynamicTest.dynamicTest(
                        input + " reports what it expects", () -> reports(input))));
  }

  @Test
  void inputsAndOutputsMatch() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      List<String> names = files.map(p -> p.getFileName().toString()).sorted().toList();
      List<String> unpaired =
          names.stream()
              .filter(
                  n ->
                      !names.contains(
                          n.contains(".input.")
                              ? n.replace(".input.", ".output.")
                              : n.replace(".output.", ".input.")))
              .toList();
      assertThat(unpaired).isEmpty();
      assertThat(names).isNotEmpty();
    }
  }

  private static List<String> inputs() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .map(p -> p.getFileName().toString())
          .filter(n -> n.contains(".input."))
          .sorted(Comparator.naturalOrder())
          .toList();
    }
  }

  private static String read(String name) throws IOException {
    return Files.readString(FOLDER.resolve(name));
  }

  private static String output(String input) throws IOException {
    return read(input.replace(".input.", ".output."));
  }

  private static Changes changes(String name, byte[] bytes) {
    SourceFile file = new SourceFile(name.replace(".input", ""), bytes);
    return PORTER.port(file, ProjectIndex.of(List.of(PORTER.scan(file))));
  }

  private static byte[] port(String name, byte[] bytes) {
    return changes(name, bytes).edits().apply(bytes);
  }

  private static String port(String name, String text) {
    return new String(port(name, text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }

  private static void ports(String input) throws IOException {
    assertThat(port(input, read(input))).isEqualTo(output(input));
  }

  private static void isIdempotent(String input) throws IOException {
    assertThat(port(input, output(input))).isEqualTo(output(input));
  }

  private static void keepsCrLf(String input) throws IOException {
    assertThat(port(input, read(input).replace("\n", "\r\n")))
        .isEqualTo(output(input).replace("\n", "\r\n"));
  }

  private static void keepsMark(String input) throws IOException {
    assertThat(port(input, "\ufeff" + read(input))).isEqualTo("\ufeff" + output(input));
  }

  private static void needsNoLastLineEnd(String input) throws IOException {
    assertThat(port(input, read(input).stripTrailing())).isEqualTo(output(input).stripTrailing());
  }

  private static void reports(String input) throws IOException {
    List<String> expected =
        Mark.in(FOLDER.resolve(input), "want").stream()
            .map(m -> m.line() + " " + m.rule())
            .toList();
    List<String> found =
        changes(input, Files.readAllBytes(FOLDER.resolve(input))).findings().stream()
            .filter(f -> f.severity() != Severity.NOTE)
            .map((Finding f) -> f.line() + " " + f.rule())
            .toList();
    assertThat(found).containsExactlyElementsOf(expected);
  }
}
