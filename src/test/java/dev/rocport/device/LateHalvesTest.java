package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.TestToolchain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On RDNA, a load of a half leaves the other half of its register alone, also if it is late. */
@Tag("device")
final class LateHalvesTest {
  private static final String SOURCE =
      """
      #include <hip/hip_runtime.h>
      constexpr int N = 256;
      typedef unsigned short Two __attribute__((ext_vector_type(2)));
      __global__ void pairs(const unsigned short* low, const unsigned short* high, unsigned* out) {
        const int t = threadIdx.x;
        Two both = {low[t], high[t]};
        both += both;
        out[t] = __builtin_bit_cast(unsigned, both);
      }
      int main() {
        unsigned short *low, *high, host[2][N];
        unsigned *out, sums[N], wrong = 0;
        for (int i = 0; i < N; i++) host[0][i] = 3 * i + 1, host[1][i] = 5 * i + 2;
        if (hipMalloc(&low, sizeof *host) || hipMalloc(&high, sizeof *host)) return 3;
        if (hipMalloc(&out, sizeof sums)) return 3;
        if (hipMemcpy(low, host[0], sizeof *host, hipMemcpyHostToDevice)) return 3;
        if (hipMemcpy(high, host[1], sizeof *host, hipMemcpyHostToDevice)) return 3;
        pairs<<<1, N>>>(low, high, out);
        if (hipMemcpy(sums, out, sizeof sums, hipMemcpyDeviceToHost)) return 3;
        for (int i = 0; i < N; i++) wrong += sums[i] != (6u * i + 2 | (10u * i + 4) << 16);
        return wrong != 0;
      }
      """;

  @Test
  void joinWhatWasLoadedBefore(@TempDir Path folder) throws Exception {
    HipProgram program =
        HipProgram.of(folder, "pairs.hip", SOURCE, List.of("gfx1100"), List.of("-O2"));
    for (int seed = 1; seed <= 3; seed++) {
      try (DeviceProcess device =
          DeviceProcess.start("--gpu", "gfx1100", "--check", "order=" + seed)) {
        Exec exec = Exec.of(List.of(program.program().toString())).limit(Duration.ofMinutes(1));
        exec.environment().put("LD_LIBRARY_PATH", TestToolchain.runtime().libraries().toString());
        exec.environment().put("ROCPORT_DEVICE", device.socket().toString());
        assertThat(exec.run().code()).as("seed " + seed).isZero();
      }
    }
  }
}
