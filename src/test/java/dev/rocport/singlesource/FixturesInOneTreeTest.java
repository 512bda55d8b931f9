package dev.rocport.singlesource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

final class FixturesInOneTreeTest {
  private static final Path FIXTURES =
      Path.of(System.getProperty("rocport.home", ".")).resolve("fixtures");
  private static final CudaPorter PORTER =
      new CudaPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT);
  private static final SingleSource STYLE = new SingleSource(PORTER);

  @TestFactory
  Stream<DynamicTest> everyFixtureComesBackByteForByteAndStays() throws IOException {
    try (Stream<Path> all = Files.list(FIXTURES)) {
      return all
          .filter(f -> Files.exists(f.resolve("fixture.yaml")))
          .filter(f -> !f.endsWith("java_panama")) // has no C++
          .sorted()
          .toList()
          .stream()
          .map(f -> DynamicTest.dynamicTest(f.getFileName().toString(), () -> check(f)));
    }
  }

  private static void check(Path fixture) throws IOException {
    List<SourceFile> originals = new ArrayList<>();
    try (Stream<Path> walk = Files.walk(fixture)) {
      walk.filter(p -> p.toString().matches(".*\\.(cu|cuh|h|hpp|cpp|c)"))
          .sorted()
          .forEach(p -> originals.add(read(fixture, p)));
    }
    ProjectIndex project = ProjectIndex.of(originals.stream().map(STYLE::scan).toList());
    List<SourceFile> ported = new ArrayList<>();
    int changed = 0;
    for (SourceFile file : originals) {
      SingleSource.Ported p = STYLE.port(file, project);
      assertThat(p.failure()).as(file.path()).isEmpty();
      changed += p.output() != file.bytes() ? 1 : 0;
      ported.add(new SourceFile(file.path(), p.output()));
    }
    assertThat(changed).isPositive();
    ported.add(SourceFile.of("rocport/cuda_compat.h", STYLE.compatHeader(project)));
    ProjectIndex again = ProjectIndex.of(ported.stream().map(STYLE::scan).toList());
    assertThat(STYLE.compatHeader(again)).isEqualTo(STYLE.compatHeader(project));
    for (SourceFile file : ported) {
      assertThat(STYLE.port(file, again).output()).as(file.path()).isEqualTo(file.bytes());
    }
  }

  private static SourceFile read(Path root, Path file) {
    try {
      String path = root.relativize(file).toString().replace('\\', '/');
      return new SourceFile(path, Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
