package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Races in code that is longer than the indexes that are kept of accesses, as that of libraries.
 */
@Tag("device")
final class LongCodeTest {
  private static final String SOURCE =
      """
      #include <hip/hip_runtime.h>
      // 4.4 MB of code before the kernels.
      extern "C" __device__ __attribute__((used, noinline)) void filler() {
        asm volatile(".fill 1100000, 4, 0xbf800000");
      }
      __global__ void first(int* p) {
        __shared__ int last;
        if (threadIdx.x == 0) last = p[0];
        __syncthreads();
        if (last == 1) return;  // asked
        if (threadIdx.x == 0) last = p[1];  // overwritten
        __syncthreads();
        p[2 + threadIdx.x] = last;
      }
      __global__ void second(int* p) {
        __shared__ int tile[128];
        tile[threadIdx.x] = p[threadIdx.x];  // stored
        p[threadIdx.x] = tile[127 - threadIdx.x];  // loaded
      }
      int main() {
        int* p;
        (void)hipMalloc(&p, 4096);
        (void)hipMemset(p, 0, 4096);
        first<<<1, 128>>>(p);
        second<<<1, 128>>>(p);
        (void)hipDeviceSynchronize();
      }
      """;

  @Test
  void namesTheLinesOfBothAccesses(@TempDir Path folder) throws Exception {
    HipProgram program =
        HipProgram.of(folder, "long.hip", SOURCE, List.of("gfx90a"), List.of("-O2", "-g"));
    try (DeviceProcess device =
        DeviceProcess.start("--gpu", "gfx90a", "--check", "race", "--linger", "60")) {
      String found = program.run(device, "").err();
      for (String place : List.of("asked", "overwritten", "stored", "loaded")) {
        assertThat(found).contains(program.marked(place));
      }
      assertThat(found).contains("--check race: 2 findings");
    }
  }
}
