package dev.rocport.singlesource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestProfile;
import dev.rocport.build.cuda.CudaBuild;
import dev.rocport.build.cuda.CudaBuild.Compared;
import dev.rocport.cli.Main;
import dev.rocport.toolchain.TestToolchain;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Single-source ports leave the compiler commands of a CUDA build unchanged. */
@Tag("toolchain")
class FixtureBuildsTest {
  private static final Path FIXTURES =
      Path.of(System.getProperty("rocport.home", ".")).resolve("fixtures");
  private static final Set<String> QUICK = Set.of("cmake_option", "particle_in_cell");
  private static final List<String> BUILD_FILES =
      List.of(
          "CMakeLists.txt",
          "configure.ac",
          "configure.in",
          "Makefile",
          "GNUmakefile",
          "meson.build");

  @TempDir private static Path folder;

  @TestFactory
  Stream<DynamicTest> everyCommandOfTheBuildForCudaStays() throws IOException {
    boolean full = TestProfile.isFull();
    try (Stream<Path> all = Files.list(FIXTURES)) {
      return all
          .filter(f -> BUILD_FILES.stream().anyMatch(b -> Files.exists(f.resolve(b))))
          .filter(f -> full || QUICK.contains(f.getFileName() + ""))
          .sorted()
          .toList()
          .stream()
          .map(f -> DynamicTest.dynamicTest(f.getFileName() + "", () -> stays(f)));
    }
  }

  private static void stays(Path fixture) throws Exception {
    Path ported = folder.resolve(fixture.getFileName() + "");
    PrintWriter to = new PrintWriter(new StringWriter());
    Main.run(
        to, to, "port", fixture + "", "--style", "single-source", "--out", ported + "", "--quiet");
    assertThat(ported).isDirectory();
    List<Compared> builds =
        new CudaBuild(TestToolchain.get(), s -> {}, 2, List.of()).compare(fixture, ported);
    assertThat(builds).isNotEmpty();
    for (Compared b : builds) {
      assertThat(b.problem()).as(b.system()).isEmpty();
      assertThat(b.onlyOld()).as(b.system()).isEmpty();
      assertThat(b.onlyNew()).as(b.system()).isEmpty();
      assertThat(b.files()).as(b.system()).isEmpty();
      assertThat(b.same()).as(b.system()).isPositive();
    }
  }
}
