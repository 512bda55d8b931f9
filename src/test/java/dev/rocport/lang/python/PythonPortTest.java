package dev.rocport.lang.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ports NAME.input.py and holds it against NAME.output.py, with line feeds and with both ends of
 * lines; the result must be proven, and port to itself. The first line names further files of the
 * tree, as {@code # beside: pkg/__init__.py}, and the path of this one, as {@code # path:
 * pkg/a.py}.
 */
final class PythonPortTest {
  private static final Path FOLDER = Path.of("src", "test", "resources", "python", "port");
  private static PythonPorter porter;

  @BeforeAll
  static void rules() {
    porter = new PythonPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT);
  }

  @ParameterizedTest
  @MethodSource("names")
  void becomesTheExpectedOutput(String name) throws IOException {
    String input = Files.readString(FOLDER.resolve(name + ".input.py"));
    String output = Files.readString(FOLDER.resolve(name + ".output.py"));
    for (String end : List.of("\n", "\r\n", "\r")) {
      SourceFile file = file(input, input.replace("\n", end));
      SourceFile ported = port(input, file);
      assertThat(text(ported).replace("\r\n", "\n").replace("\r", "\n")).isEqualTo(output);
      assertThat(PythonPorter.failure(file, ported)).isEmpty();
      assertThat(text(port(input, ported))).isEqualTo(text(ported));
    }
  }

  @Test
  void linesThatAreIndentedLikeNoBlockAreNoPython() {
    SourceFile file = SourceFile.of("a.py", "if cuda:\n        a()\n    b()\nc()\n");
    Changes changes = porter.port(file, PythonProject.of(List.of()));
    assertThat(changes.findings()).extracting(Finding::rule).containsExactly("PY-SYNTAX");
  }

  private static SourceFile port(String input, SourceFile file) {
    Changes changes = porter.port(file, project(input));
    return new SourceFile(file.path(), changes.edits().apply(file.bytes())).withLineFeeds();
  }

  private static PythonProject project(String input) {
    List<String> paths = new ArrayList<>();
    input.lines().filter(l -> l.startsWith("# beside: ")).forEach(l -> paths.add(l.substring(10)));
    PythonProject project = PythonProject.of(paths);
    for (String path : paths) {
      project.note(path, "is_rocm = print".getBytes(StandardCharsets.UTF_8));
    }
    return project;
  }

  private static SourceFile file(String input, String text) {
    String path =
        input
            .lines()
            .filter(l -> l.startsWith("# path: "))
            .map(l -> l.substring(8))
            .findFirst()
            .orElse("x.py");
    return new SourceFile(path, text.getBytes(StandardCharsets.UTF_8)).withLineFeeds();
  }

  private static String text(SourceFile file) {
    return new String(file.bytes(), StandardCharsets.UTF_8);
  }

  static Stream<String> names() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(f -> f.endsWith(".input.py"))
          .map(f -> f.substring(0, f.length() - ".input.py".length()))
          .sorted()
          .toList()
          .stream();
    }
  }
}
