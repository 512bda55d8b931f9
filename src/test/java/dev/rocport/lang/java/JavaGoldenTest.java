package dev.rocport.lang.java;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.Mark;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every {@code NAME.input.java} below {@code src/test/goldens/javahost} becomes {@code
 * NAME.output.java}, also with CRLF, after a byte order mark and without its last line end;
 * findings above a note are where {@link Mark marks} want them.
 */
final class JavaGoldenTest {
  private static final Path FOLDER = Path.of("src/test/goldens/javahost");
  private static final JavaPorter PORTER = porter();

  private static JavaPorter porter() {
    RuleCatalog catalog = RuleCatalog.builtIn();
    return new JavaPorter(
        catalog, PortOptions.DEFAULT, new CudaPorter(catalog, PortOptions.DEFAULT));
  }

  @TestFactory
  Stream<DynamicTest> goldens() throws IOException {
    List<String> inputs;
    try (Stream<Path> files = Files.list(FOLDER)) {
      inputs =
          files
              .map(p -> p.getFileName().toString())
              .filter(n -> n.contains(".input."))
              .sorted()
              .toList();
    }
    assertThat(inputs).isNotEmpty();
    return inputs.stream()
        .flatMap(
            input ->
                Stream.of(
                    DynamicTest.dynamicTest(input + " ports", () -> becomes(input, "", "")),
                    DynamicTest.dynamicTest(
                        input + " keeps CRLF", () -> becomes(input, "\n", "\r\n")),
                    DynamicTest.dynamicTest(input + " keeps a BOM", () -> keepsMark(input)),
                    DynamicTest.dynamicTest(
                        input + " needs no last line end", () -> becomes(input, "\n$", "")),
                    DynamicTest.dynamicTest(
                        input + " is idempotent",
                        () -> assertThat(port(output(input))).isEqualTo(output(input))),
                    DynamicTest.dynamicTest(
                        input + " reports what it expects", () -> reports(input))));
  }

  private static String read(String name) throws IOException {
    return Files.readString(FOLDER.resolve(name));
  }

  private static String output(String input) throws IOException {
    return read(input.replace(".input.", ".output."));
  }

  private static String port(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] ported = PORTER.port(new SourceFile("Test.java", bytes)).edits().apply(bytes);
    return new String(ported, StandardCharsets.UTF_8);
  }

  private static void becomes(String input, String from, String to) throws IOException {
    assertThat(port(read(input).replaceAll(from, to)))
        .isEqualTo(output(input).replaceAll(from, to));
  }

  private static void keepsMark(String input) throws IOException {
    assertThat(port("\ufeff" + read(input))).isEqualTo("\ufeff" + output(input));
  }

  private static void reports(String input) throws IOException {
    List<String> expected =
        Mark.in(FOLDER.resolve(input), "want").stream()
            .map(m -> m.line() + " " + m.rule())
            .toList();
    Changes changes = PORTER.port(SourceFile.of("Test.java", read(input)));
    assertThat(
            changes.findings().stream()
                .filter(f -> f.severity() != Severity.NOTE)
                .map((Finding f) -> f.line() + " " + f.rule()))
        .containsExactlyInAnyOrderElementsOf(expected);
  }
}
