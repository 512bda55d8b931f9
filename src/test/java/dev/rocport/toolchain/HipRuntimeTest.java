package dev.rocport.toolchain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.DeviceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The HIP runtime compiles, and each program in {@code src/test/hip-runtime} finds its host side in
 * order: they check themselves and end with PASS.
 */
@Tag("device")
final class HipRuntimeTest {
  private static final Path PROGRAMS =
      Path.of(System.getProperty("rocport.home", "."), "src/test/hip-runtime");
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private static Path folder;
  private static Toolchain toolchain;
  private static HipRuntime runtime;
  private static DeviceProcess device;

  @BeforeAll
  static void start(@TempDir Path scratch) throws Exception {
    folder = scratch;
    toolchain = TestToolchain.since("6.4");
    runtime = HipRuntime.of(toolchain, System.err::println);
    device = DeviceProcess.start("--gpus", "2", "--memory", "1024", "--linger", "600");
  }

  @AfterAll
  static void stop() {
    device.close();
  }

  static List<String> programs() throws IOException {
    try (Stream<Path> files = Files.list(PROGRAMS)) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(f -> f.endsWith(".cpp") || f.endsWith(".hip"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void programChecksItself(String name) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            name.endsWith(".hip")
                ? toolchain.hipCompile(List.of("gfx90a"))
                : toolchain.hostCompile());
    arguments.addAll(List.of("-std=c++17", "-Wall", "-Wextra", "-Werror"));
    arguments.addAll(List.of("-Wno-deprecated-declarations", "-pthread"));
    arguments.addAll(List.of("-fuse-ld=lld", "-L" + runtime.libraries(), "-lamdhip64", "-lhiprtc"));
    Path program = TestCompiler.compile(PROGRAMS.resolve(name), arguments).made();

    ToolRun run =
        ToolRun.of(
            List.of(program.toString()),
            folder,
            Map.of(
                "ROCPORT_DEVICE", device.socket().toString(),
                "LD_LIBRARY_PATH", runtime.libraries().toString()),
            LIMIT);

    assertThat(run.output()).endsWith("PASS\n");
    assertThat(run.code()).isZero();
  }

  @Test
  void compilerFrontEndBuildsAProgramThatNeedsNoLibraryPath() throws IOException {
    Path source = folder.resolve("count.cpp");
    Files.writeString(
        source,
        """
        #include <hip/hip_runtime.h>
        #include <cstdio>
        __global__ void nothing() {}
        int main() {
          int count = 0;
          hipError_t result = hipGetDeviceCount(&count);
          std::printf("%s %d\\n", hipGetErrorName(result), count);
        }
        """);
    Path program = folder.resolve("count");
    String hipcc = runtime.programs().resolve("hipcc").toString();
    ToolRun compiled =
        ToolRun.of(
            List.of(hipcc, "--offload-arch=gfx90a", source.toString(), "-o", program.toString()));
    assertThat(compiled).matches(ToolRun::ok);

    ToolRun run =
        ToolRun.of(
            List.of(program.toString()),
            folder,
            Map.of("ROCPORT_DEVICE", device.socket().toString()),
            LIMIT);

    assertThat(run.output()).isEqualTo("hipSuccess 2\n");
  }

  @Test
  void programSaysWhatIsWrongWhereNoDeviceListens() throws IOException {
    ToolRun run =
        ToolRun.of(
            List.of(runtime.programs().resolve("rocminfo").toString()),
            folder,
            Map.of("ROCPORT_DEVICE", folder.resolve("none.sock").toString()),
            LIMIT);

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.output()).contains("no device listens at ROCPORT_DEVICE=");
  }

  @Test
  void hipconfigTellsTheVersionOfTheHeaders() throws IOException {
    ToolRun run =
        ToolRun.of(List.of(runtime.programs().resolve("hipconfig").toString(), "--version"));

    assertThat(run.output()).isEqualTo(toolchain.hip().toString());
  }
}
