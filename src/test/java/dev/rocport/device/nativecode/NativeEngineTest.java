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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole programs on the native engine, with code compiled at its first entry, pass their own
 * checks.
 */
@Tag("device")
final class NativeEngineTest {
  private static final Path KERNELS =
      Path.of(System.getProperty("rocport.home", "."), "src/test/kernels");
  private static final List<String> SAMPLE = List.of("histogram", "scan_lookback");
  private static final List<String> FLAGS =
      List.of("-std=c++17", "-ffp-contract=off", "-Wno-unused-result", "-O3");

  private static DeviceProcess device;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws Exception {
    TestToolchain.since("6.4");
    device =
        DeviceProcess.start("--engine", "native=1", "--gpu", "gfx90a,gfx942", "--linger", "600");
  }

  @AfterAll
  static void stop() {
    if (device != null) {
      device.close();
    }
  }

  static List<String> kernels() throws Exception {
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
  @MethodSource("kernels")
  void programsPass(String kernel) throws Exception {
    Path program =
        TestCompiler.program(KERNELS.resolve(kernel + ".hip"), List.of("gfx90a", "gfx942"), FLAGS);
    for (int gpu = 0; gpu < 2; gpu++) {
      Exec run =
          Exec.of(List.of(program.toString())).in(folder).limit(Duration.ofMinutes(4)).merged();
      TestToolchain.runtime().into(run.environment());
      run.environment().put("ROCPORT_DEVICE", device.socket().toString());
      run.environment().put("HIP_VISIBLE_DEVICES", Integer.toString(gpu));
      Exec.Outcome outcome = run.run();
      assertThat(outcome.stdout()).as(kernel + " on GPU " + gpu).contains("PASS");
      assertThat(outcome.code()).isZero();
    }
  }
}
