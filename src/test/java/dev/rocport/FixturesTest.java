package dev.rocport;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real CUDA programs, from source to linked HIP programs for gfx90a and gfx942, with no edit by
 * hand: the commands as a user gives them. The quick profile builds a fixed sample that has every
 * kind of build and the shim headers in it; the full profile builds all.
 */
final class FixturesTest {
  private static final Path FIXTURES = Path.of("fixtures");
  private static final Set<String> QUICK =
      Set.of(
          "coop_groups",
          "graph_streams",
          "half_mix",
          "image_pipeline",
          "macro_kernels",
          "nvrtc_driver",
          "particle_in_cell",
          "rdc_ray",
          "texture_sampler");

  @TempDir static Path folder;

  @BeforeAll
  static void toolchain() throws Exception {
    TestToolchain.get();
  }

  @TestFactory
  Stream<DynamicTest> everyFixturePortsAndBuilds() throws IOException {
    return fixtures().stream().map(f -> DynamicTest.dynamicTest(f, () -> portsAndBuilds(f)));
  }

  @TestFactory
  Stream<DynamicTest> portingAPortedFixtureChangesNothing() throws IOException {
    return fixtures().stream().map(f -> DynamicTest.dynamicTest(f, () -> isIdempotent(f)));
  }

  private static List<String> fixtures() throws IOException {
    boolean full = System.getProperty("rocport.profile", "quick").equals("full");
    try (Stream<Path> list = Files.list(FIXTURES)) {
      return list.filter(Files::isDirectory)
          .map(p -> p.getFileName().toString())
          .filter(n -> full || QUICK.contains(n))
          .sorted()
          .toList();
    }
  }

  private static void portsAndBuilds(String fixture) {
    Path out = folder.resolve(fixture);
    run("port", FIXTURES.resolve(fixture).toString(), "--out", out.toString(), "--quiet");
    run("build", out.toString(), "--target", "gfx90a,gfx942", "--quiet");
  }

  private static void isIdempotent(String fixture) throws IOException {
    Path once = folder.resolve("once-" + fixture);
    Path twice = folder.resolve("twice-" + fixture);
    run("port", FIXTURES.resolve(fixture).toString(), "--out", once.toString(), "--quiet");
    run("port", once.toString(), "--out", twice.toString(), "--quiet", "--exclude", "rocport/**");
    try (Stream<Path> files = Files.walk(once)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        Path relative = once.relativize(file);
        if (!relative.startsWith(".rocport") && !relative.startsWith("rocport")) {
          assertThat(twice.resolve(relative)).hasSameBinaryContentAs(file);
        }
      }
    }
  }

  private static void run(String... arguments) {
    StringWriter out = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(out), arguments);
    assertThat(code).as(String.join(" ", arguments) + "\n" + out).isZero();
  }
}
