package dev.rocport.device.nativecode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestProfile;
import dev.rocport.device.DeviceProcess;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestToolchain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole programs on the native engine, with code compiled at its first entry, pass their own
 * checks; and where the interpreter repeats each pass of it, no difference stops them.
 */
@Tag("device")
final class NativeEngineTest {
  private static final Path KERNELS =
      Path.of(System.getProperty("rocport.home", "."), "src/test/kernels");
  private static final List<String> SAMPLE =
      List.of("histogram", "scan_lookback", "lds_below_start", "sort_bitonic");
  private static final List<String> ENGINES = List.of("native=1", "compare");
  private static final List<String> TARGETS = List.of("gfx90a", "gfx942", "gfx1100");

  /** Programs for waves of 64 lanes, or with instructions or headers that RDNA 3 lacks. */
  private static final Set<String> NOT_ON_RDNA =
      Set.of(
          "control_flow",
          "dot_products",
          "dpp",
          "grid_shapes",
          "grid_sync",
          "hipcub_block",
          "hipcub_warp",
          "lane_exchange",
          "matmul_lds",
          "mfma_float",
          "mfma_half",
          "philox",
          "prefix_compaction",
          "reduce_types",
          "rocthrust",
          "scan_lookback",
          "softmax",
          "sort_radix",
          "string_search",
          "unset_lanes_wrapped",
          "wmma");

  private static final List<String> FLAGS =
      List.of("-std=c++17", "-ffp-contract=off", "-Wno-unused-result", "-O3");

  private static final Map<String, DeviceProcess> DEVICES = new HashMap<>();

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws Exception {
    TestToolchain.since("6.4");
    for (String engine : ENGINES) {
      DEVICES.put(
          engine,
          DeviceProcess.start(
              "--engine", engine, "--gpu", String.join(",", TARGETS), "--linger", "600"));
    }
  }

  @AfterAll
  static void stop() {
    DEVICES.values().forEach(DeviceProcess::close);
  }

  /**
   * Programs with each engine; in the quick profile each with one of them. A comparison takes long,
   * so each program has it on one GPU.
   */
  static List<Arguments> runs() throws Exception {
    List<Arguments> runs = new ArrayList<>();
    List<String> kernels = kernels();
    for (int i = 0; i < kernels.size(); i++) {
      for (int e = 0; e < ENGINES.size(); e++) {
        if (TestProfile.isFull() || i % ENGINES.size() == e) {
          int most = targets(kernels.get(i)).size();
          List<Integer> gpus =
              e == 0 ? IntStream.range(0, most).boxed().toList() : List.of((i / 2 + 1) % most);
          runs.add(Arguments.of(kernels.get(i), ENGINES.get(e), gpus));
        }
      }
    }
    return runs;
  }

  private static List<String> targets(String kernel) {
    return NOT_ON_RDNA.contains(kernel) ? TARGETS.subList(0, 2) : TARGETS;
  }

  private static List<String> kernels() throws Exception {
    if (!TestProfile.isFull()) {
      return SAMPLE;
    }
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.list(KERNELS)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".hip")).sorted().toList()) {
        String text = Files.readString(file);
        if (!text.contains("// expect: exit") && !text.contains("// targets: ")) {
          names.add(String.valueOf(file.getFileName()).replace(".hip", ""));
        }
      }
    }
    return names;
  }

  @ParameterizedTest
  @MethodSource("runs")
  void programsPass(String kernel, String engine, List<Integer> gpus) throws Exception {
    Path program = TestCompiler.program(KERNELS.resolve(kernel + ".hip"), targets(kernel), FLAGS);
    for (int gpu : gpus) {
      Exec run =
          Exec.of(List.of(program.toString())).in(folder).limit(Duration.ofMinutes(4)).merged();
      TestToolchain.runtime().into(run.environment());
      run.environment().put("ROCPORT_DEVICE", DEVICES.get(engine).socket().toString());
      run.environment().put("HIP_VISIBLE_DEVICES", Integer.toString(gpu));
      Exec.Outcome outcome = run.run();
      assertThat(outcome.stdout()).as(kernel + " on GPU " + gpu + ", " + engine).contains("PASS");
      assertThat(outcome.code()).isZero();
    }
  }
}
