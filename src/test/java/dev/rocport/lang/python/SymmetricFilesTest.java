package dev.rocport.lang.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The findings about collectives in a tree of several files are those that the lines of {@code
 * symmetric_files} specify: tensors and compiled functions are followed from file to file.
 */
final class SymmetricFilesTest {
  private static final Path FOLDER =
      Path.of("src/test/resources/dev/rocport/lang/python/symmetric_files");

  private static final Map<String, byte[]> FILES = new TreeMap<>();

  @BeforeAll
  static void read() throws IOException {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        FILES.put(FOLDER.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
  }

  private static List<Finding> findings(boolean linked) {
    PythonProject project = PythonProject.of(FILES.keySet());
    FILES.forEach(project::note);
    if (linked) {
      project.link(path -> Objects.requireNonNull(FILES.get(path)));
    }
    PythonPorter porter = new PythonPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT);
    List<Finding> all = new ArrayList<>();
    FILES.forEach(
        (path, bytes) -> all.addAll(porter.port(new SourceFile(path, bytes), project).findings()));
    return all;
  }

  @Test
  void reportsTheExpectedFindings() {
    List<String> expected = new ArrayList<>();
    FILES.forEach(
        (path, bytes) ->
            expected.addAll(
                SymmetricPassTest.expected(path, new String(bytes, StandardCharsets.UTF_8))));
    assertThat(findings(true)).extracting(SymmetricPassTest::told).isEqualTo(expected);
    assertThat(findings(false)).extracting(SymmetricPassTest::told).isNotEqualTo(expected);
  }

  @Test
  void namesTheFilesOfTheOriginAndOfTheCompiledFunction() {
    assertThat(findings(true))
        .extracting(Finding::message)
        .anyMatch(
            m -> m.contains("plain comes from plain, passed in from outside (tp/buffers.py:5)"))
        .anyMatch(m -> m.contains("which is torch.zeros(4, 4, device=\"cuda\") (tp/buffers.py:5)"))
        .anyMatch(m -> m.contains("compiled with helper through reduce, tp/layers.py:21"));
  }
}
