package dev.rocport.buildsystem.make;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands of the real make for fixtures with makefiles, from {@code make -n}. */
@Tag("slow")
class MakeFixturesTest {
  private static final Path FIXTURES =
      Path.of(System.getProperty("rocport.home", "."), "fixtures").toAbsolutePath();

  @TempDir private Path folder;

  static List<String> fixtures() throws IOException {
    try (Stream<Path> all = Files.list(FIXTURES)) {
      return all.filter(f -> Files.exists(f.resolve("Makefile")))
          .map(f -> f.getFileName() + "")
          .sorted()
          .toList();
    }
  }

  @BeforeAll
  static void needsMake() {
    Assumptions.assumeTrue(
        Stream.of(System.getenv("PATH").split(":")).anyMatch(p -> Files.exists(Path.of(p, "make"))),
        "needs make");
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void aPortedTreeCallsHipccAndNoNvcc(String name) throws Exception {
    Path ported = port(name, "hip");

    String commands = commands(ported);

    assertThat(commands).contains("hipcc").doesNotContain("nvcc").doesNotContain("cuda/");
    assertThat(commands).contains("--offload-arch=gfx942").doesNotContain("sm_");
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void oneTreeForBothRunsForCudaWhatItRanBefore(String name) throws Exception {
    Path before = Files.createDirectories(folder.resolve("before"));
    Path ported = port(name, "single-source");

    String commands = commands(ported, "USE_ROCM=1");

    assertThat(commands(ported))
        .isEqualTo(
            commands(copy(FIXTURES.resolve(name), before)).replace(before + "", ported + ""));
    assertThat(commands).contains("hipcc").doesNotContain("nvcc").doesNotContain("cuda/");
  }

  private Path port(String name, String style) throws IOException {
    Path ported = folder.toRealPath().resolve("ported");
    PrintWriter to = new PrintWriter(new StringWriter());
    Main.run(
        to,
        to,
        "port",
        FIXTURES.resolve(name) + "",
        "--style",
        style,
        "--out",
        ported + "",
        "--quiet");
    return ported;
  }

  private static Path copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path f : all.sorted().toList()) {
        Path at = to.resolve(from.relativize(f) + "");
        if (Files.isDirectory(f)) {
          Files.createDirectories(at);
        } else {
          Files.copy(f, at);
        }
      }
    }
    return to;
  }

  private static String commands(Path tree, String... variables) throws Exception {
    List<String> command = new ArrayList<>(List.of("make", "-n", "-k", "-C", tree + ""));
    command.addAll(List.of("ROCM_ARCH=gfx942", "CURDIR=" + tree));
    command.addAll(List.of(variables));
    ProcessBuilder make = new ProcessBuilder(command).redirectErrorStream(true);
    List.of("MAKEFLAGS", "MAKELEVEL", "NVCC", "CUDA_PATH", "CUDA_HOME", "HIPCC", "ROCM_PATH")
        .forEach(make.environment()::remove);
    Process running = make.start();
    String said = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    // A makefile that needs what another one would have made by now ends with an error.
    assertThat(running.waitFor()).as(said).isIn(0, 2);
    return said.replaceAll("(?m)^make.*: \\*\\*\\* .*\\n", ""); // names lines of the makefile
  }
}
