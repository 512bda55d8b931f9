package dev.rocport.lang.ptx.find;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.lang.python.PythonPorter;
import dev.rocport.lang.python.PythonProject;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Finds the PTX in each file, and compares it with FILE.found next to it: places and what stands
 * there. What instructions mean is the tables' to say.
 */
final class FindTest {
  private static final Path FOLDER = Path.of("src", "test", "resources", "ptx", "find");
  private static final Pattern MEANING = Pattern.compile("( - |in this module:|instructions?:).*");
  private static final RuleCatalog CATALOG = RuleCatalog.builtIn();

  @ParameterizedTest
  @MethodSource("names")
  void findsTheExpectedPtx(String name) throws IOException {
    String expected = Files.readString(FOLDER.resolve(name + ".found"));
    assertThat(found(new SourceFile(name, Files.readAllBytes(FOLDER.resolve(name)))))
        .isEqualTo(expected);
  }

  /** Places are the same whatever ends a line, but for the bytes of the ends themselves. */
  @ParameterizedTest
  @MethodSource("names")
  void findsTheSameWithBothEndsOfLines(String name) throws IOException {
    String text = Files.readString(FOLDER.resolve(name)).replace("\n", "\r\n");
    String expected = Files.readString(FOLDER.resolve(name + ".found"));
    assertThat(found(SourceFile.of(name, text))).isEqualTo(expected);
  }

  private static String found(SourceFile file) {
    return port(file).findings().stream()
        .filter(f -> f.rule().startsWith("PTX-"))
        .map(FindTest::line)
        .collect(Collectors.joining());
  }

  private static Changes port(SourceFile file) {
    String name = file.path();
    if (PtxFiles.isText(name)) {
      return new PtxFiles(CATALOG, PortOptions.DEFAULT).find(file);
    }
    return name.endsWith(".py") || name.endsWith(".ipynb")
        ? new PythonPorter(CATALOG, PortOptions.DEFAULT).port(file, PythonProject.NONE)
        : new CudaPorter(CATALOG, PortOptions.DEFAULT).port(file, ProjectIndex.EMPTY);
  }

  private static String line(Finding f) {
    return "%d:%d-%d:%d %s %s\n"
        .formatted(
            f.line(),
            f.column(),
            f.endLine(),
            f.endColumn(),
            f.rule(),
            MEANING.matcher(f.message()).replaceFirst("$1"));
  }

  static List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .map(p -> p.getFileName().toString())
          .filter(n -> !n.endsWith(".found"))
          .sorted()
          .toList();
    }
  }
}
