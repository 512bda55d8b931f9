package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestProfile;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.TestToolchain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One thread releases the data of its block after a barrier. The result depends on one store only,
 * and {@code rocport/syncthreads.h} makes it right.
 */
@Tag("device")
final class DelaysTest {
  private static final Path HEADERS =
      Path.of(System.getProperty("rocport.home", ".")).resolve("hip-runtime/include");

  private static final String SOURCE =
      """
      #include <hip/hip_runtime.h>
      #include <cstdio>
      #include <cstring>
      #include "rocport/syncthreads.h"
      constexpr int N = 256;
      template <bool Waits>
      __global__ void message(int* data, int* flag, int* out) {
        const int t = threadIdx.x;
        if (blockIdx.x == 0) {
          data[t] = t + 1;  // late
          if (Waits) rocport::syncthreads(); else __syncthreads();
          if (t == 0) __hip_atomic_store(flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
        } else {
          for (int i = 0; t == 0 && i < 100000; i++) {
            if (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) != 0) break;
          }
          __syncthreads();
          out[t] = __hip_atomic_load(&data[t], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
        }
      }
      int main(int argc, char** argv) {
        int *data, *flag, *out, host[N], wrong = 0;
        bool waits = std::strcmp(argv[1], "waits") == 0;
        if (hipMalloc(&data, N * 4) || hipMalloc(&flag, 4) || hipMalloc(&out, N * 4)) return 3;
        for (int r = 0; r < 20; r++) {
          if (hipMemset(data, 0, N * 4) || hipMemset(flag, 0, 4)) return 3;
          (waits ? message<true> : message<false>)<<<2, N>>>(data, flag, out);
          if (hipMemcpy(host, out, N * 4, hipMemcpyDeviceToHost)) return 3;
          for (int i = 0; i < N; i++) wrong += host[i] != i + 1;
        }
        return wrong != 0;
      }
      """;

  private static final Pattern PLACE =
      Pattern.compile("\\{\"delayed\":\"([0-9a-f]+)\",.*\"source\":\"([^\"]*)\".*");

  private static final int FAILED = 1;
  private static final int SEEDS = 6;

  /** Seeds with which a program passes: each takes a device of its own. */
  private static final int RIGHT_SEEDS = TestProfile.isFull() ? SEEDS : 2;

  @TempDir static Path folder;
  private static HipProgram program;

  @BeforeAll
  static void compile() throws Exception {
    program =
        HipProgram.of(
            folder,
            "message.hip",
            SOURCE,
            List.of("gfx942"),
            List.of("-O2", "-gline-tables-only", "-I" + HEADERS));
  }

  private static int run(String name, long seed, String places) throws Exception {
    try (DeviceProcess device =
        DeviceProcess.start("--gpu", "gfx942", "--check", "order=%d%s".formatted(seed, places))) {
      Exec exec = Exec.of(List.of(program.program().toString(), name)).limit(Duration.ofMinutes(1));
      exec.environment().keySet().removeIf(v -> v.startsWith("ROCPORT_"));
      exec.environment().put("LD_LIBRARY_PATH", TestToolchain.runtime().libraries().toString());
      exec.environment().put("ROCPORT_DEVICE", device.socket().toString());
      exec.environment().put("ROCPORT_FINDINGS", folder.resolve("found").toString());
      return exec.run().code();
    }
  }

  /** The first seed, up to the last, with which the program fails. */
  private static Optional<Long> failing(String name, String places, int last) throws Exception {
    for (long seed = 1; seed <= last; seed++) {
      if (run(name, seed, places) == FAILED) {
        return Optional.of(seed);
      }
    }
    return Optional.empty();
  }

  @Test
  void oneStoreDecides() throws Exception {
    assertThat(failing("late", "@all", SEEDS)).isPresent();
    String line = program.marked("late").getFirst().strip();
    String deciding =
        Files.readAllLines(folder.resolve("found")).stream()
            .map(PLACE::matcher)
            .filter(Matcher::matches)
            .filter(m -> m.group(2).endsWith(line))
            .map(m -> m.group(1))
            .findFirst()
            .orElseThrow();
    assertThat(failing("late", "@" + deciding, SEEDS)).isPresent();
    assertThat(failing("late", "@none", RIGHT_SEEDS)).isEmpty();
  }

  @Test
  void aBarrierThatWaitsForStoresIsRight() throws Exception {
    assertThat(failing("waits", "", RIGHT_SEEDS)).isEmpty();
  }
}
