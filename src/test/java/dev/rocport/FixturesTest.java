package dev.rocport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.Main;
import dev.rocport.device.TestDevice;
import dev.rocport.toolchain.TestToolchain;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Real CUDA programs, from source to HIP programs that run for gfx90a and gfx942, with no edit by
 * hand: the commands as a user gives them. What they print is what the original printed on an
 * NVIDIA GPU. The quick profile has a fixed sample with every kind of build and the shim headers in
 * it, each for one target; the full profile has all, for both. Programs that call libraries of
 * which only the names are here, or that need several GPUs, are built and not run.
 */
@Tag("device")
final class FixturesTest {
  private static final Path FIXTURES = Path.of("fixtures");
  private static final Set<String> QUICK =
      Set.of(
          "cmake_legacy",
          "coop_groups",
          "image_pipeline",
          "java_panama",
          "meson_generator",
          "nvrtc_driver",
          "particle_in_cell",
          "rdc_ray",
          "script_source",
          "texture_sampler");

  /**
   * Run under MPI, in ways that their descriptions say, or with tensors: verified, not run here.
   */
  static final Set<String> VERIFIED = Set.of("allreduce", "cmake_mpi", "symm-mem", "wmma");

  /** Libraries that a program can use without ROCm's own. */
  private static final Set<String> WITH_BODIES =
      Set.of("cublas", "cuda", "cufft", "curand", "cusolver", "cusparse", "nvrtc", "nvtx");

  private static final int SECONDS = 300;
  private static final ObjectMapper YAML = new YAMLMapper();

  @TempDir static Path folder;

  @BeforeAll
  static void toolchain() throws Exception {
    TestToolchain.get();
  }

  @TestFactory
  Stream<DynamicTest> everyFixturePortsBuildsAndRuns() throws IOException {
    List<String> fixtures = fixtures();
    return IntStream.range(0, fixtures.size())
        .mapToObj(
            i ->
                DynamicTest.dynamicTest(
                    fixtures.get(i),
                    () -> portsBuildsAndRuns(fixtures.get(i), TestProfile.targets(i))));
  }

  @TestFactory
  Stream<DynamicTest> portingAPortedFixtureChangesNothing() throws IOException {
    return fixtures().stream().map(f -> DynamicTest.dynamicTest(f, () -> isIdempotent(f)));
  }

  private static List<String> fixtures() throws IOException {
    boolean full = TestProfile.isFull();
    try (Stream<Path> list = Files.list(FIXTURES)) {
      return list.filter(p -> Files.exists(p.resolve("fixture.yaml")))
          .map(p -> p.getFileName().toString())
          .filter(n -> full ? !VERIFIED.contains(n) : QUICK.contains(n))
          .sorted()
          .toList();
    }
  }

  private static void portsBuildsAndRuns(String fixture, List<String> targets) throws Exception {
    Path out = folder.resolve(fixture);
    run("port", FIXTURES.resolve(fixture).toString(), "--out", out.toString(), "--quiet");
    JsonNode description =
        YAML.readTree(Files.readString(FIXTURES.resolve(fixture).resolve("fixture.yaml")));
    if (!description.path("build").asString().equals("java")) {
      run("build", out.toString(), "--target", String.join(",", targets), "--quiet");
    }
    Set<String> libraries = new TreeSet<>(texts(description.path("libs")));
    libraries.removeAll(WITH_BODIES);
    if (libraries.isEmpty()) {
      for (String gpu : targets) {
        runs(fixture, out, description, gpu);
      }
    }
  }

  private static void runs(String fixture, Path out, JsonNode description, String gpu)
      throws Exception {
    List<String> command = new ArrayList<>();
    String program = description.path("program").asString(fixture);
    if (program.endsWith(".py")) {
      command.addAll(List.of("python3", out.resolve("build-rocport/tree/" + program).toString()));
    } else if (program.endsWith(".java")) {
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(
          List.of("--enable-native-access=ALL-UNNAMED", out.resolve(program).toString()));
    } else {
      command.add(program(out, program).toString());
    }
    command.addAll(texts(description.path("args")));
    TestDevice.Run run = TestDevice.run(gpu, out, SECONDS, command);
    String expected =
        Files.readString(FIXTURES.resolve(fixture).resolve(description.path("expect").asString()));
    assertThat(run.out()).as(fixture + " on " + gpu + ": " + run.err()).isEqualTo(expected);
    assertThat(run.code()).isZero();
  }

  /**
   * The program of that name, or the only one there is: a build without a build file names it after
   * a source.
   */
  private static Path program(Path out, String name) throws IOException {
    try (Stream<Path> files = Files.walk(out.resolve("build-rocport"))) {
      List<Path> programs =
          files
              .filter(f -> Files.isRegularFile(f) && Files.isExecutable(f))
              .filter(f -> !f.getFileName().toString().contains("."))
              .toList();
      Path wanted = Path.of(name).getFileName();
      return programs.stream()
          .filter(f -> programs.size() == 1 || wanted.equals(f.getFileName()))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no program " + name + " among " + programs));
    }
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(n -> texts.add(n.asString()));
    return texts;
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
