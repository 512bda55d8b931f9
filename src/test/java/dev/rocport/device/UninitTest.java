package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code --check uninit} where loads come late, as {@code order} makes them, and where other waves
 * store meanwhile.
 */
@Tag("device")
final class UninitTest {
  private static final String SOURCE =
      """
      #include <hip/hip_runtime.h>
      #include <cstdio>
      #include <cstring>
      constexpr int TELLERS = 8, VALID = 13;

      // elements after VALID were never written: lanes load and discard them
      template <bool DROPS> __device__ void sum(const int* in, int* out) {
        int lane = threadIdx.x, value = in[lane];
        for (int d = 1; d < 64; d *= 2) {
          int other = __shfl_down(value, d);
          if (!DROPS || lane + d < VALID) value += other;
        }
        if (lane == 0) *out = value; // all
      }
      __global__ void dropped(const void* in, int* out) { sum<true>((const int*)in, out); }
      __global__ void all(const void* in, int* out) { sum<false>((const int*)in, out); }

      // the upper half of a word says that the lower half is valid, and one load reads both
      template <bool TELLS> __device__ void count(unsigned long long* slots, int* out) {
        if (blockIdx.x < TELLERS) {
          if (TELLS && threadIdx.x == 0)
            __hip_atomic_store(&slots[blockIdx.x], 1ull << 32 | blockIdx.x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
        } else if (threadIdx.x < TELLERS) {
          unsigned long long word;
          do {
            word = __hip_atomic_load(&slots[threadIdx.x], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
          } while (TELLS && word >> 32 == 0);
          if ((unsigned)word % 2) atomicAdd(out, 1); // untold
        }
      }
      __global__ void told(const void* slots, int* out) { count<true>((unsigned long long*)slots, out); }
      __global__ void untold(const void* slots, int* out) { count<false>((unsigned long long*)slots, out); }

      int main(int, char** argv) {
        struct { const char* name; void (*kernel)(const void*, int*); int blocks, result; } cases[] = {
            {"dropped", dropped, 1, VALID * (VALID + 1) / 2}, {"all", all, 1, -1},
            {"told", told, 4 * TELLERS, 3 * TELLERS * TELLERS / 2}, {"untold", untold, 4 * TELLERS, -1}};
        int numbers[VALID], result = 0;
        for (int i = 0; i < VALID; i++) numbers[i] = i + 1;
        for (auto& one : cases) {
          if (std::strcmp(argv[1], one.name) != 0) continue;
          for (int round = 0; round < 5; round++) {
            char* in;
            int* out;
            (void)hipMalloc(&in, 256);
            (void)hipMalloc(&out, 4);
            (void)hipMemset(out, 0, 4);
            if (one.blocks == 1) (void)hipMemcpy(in, numbers, sizeof numbers, hipMemcpyHostToDevice);
            else (void)hipMemset2D(in + 4, 8, 0, 4, TELLERS);
            one.kernel<<<one.blocks, 64>>>(in, out);
            (void)hipMemcpy(&result, out, 4, hipMemcpyDeviceToHost);
            if (one.result >= 0 && result != one.result) std::printf("wrong: %d\\n", result);
            (void)hipFree(in);
            (void)hipFree(out);
          }
        }
      }
      """;

  private static HipProgram program;

  @BeforeAll
  static void prepare(@TempDir Path folder) throws Exception {
    program =
        HipProgram.of(
            folder, "late.hip", SOURCE, List.of("gfx90a", "gfx942"), List.of("-O2", "-g"));
  }

  private static String run(DeviceProcess device, String name) throws Exception {
    TestDevice.Run run = program.run(device, name);
    return run.out() + run.err();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {"gfx90a uninit", "gfx90a uninit,order=1", "gfx90a all=2", "gfx942 uninit,order=3"})
  void reportsOnlyUsedValues(String target, String checks) throws Exception {
    try (DeviceProcess device =
        DeviceProcess.start("--gpu", target, "--memory", "256", "--check", checks)) {
      assertThat(run(device, "dropped")).contains(": no findings\n").doesNotContain("wrong");
      assertThat(run(device, "told")).contains(": no findings\n").doesNotContain("wrong");
      assertThat(run(device, "all")).contains("rocport: uninit: ").contains(program.marked("all"));
      assertThat(run(device, "untold"))
          .contains("rocport: uninit: ")
          .contains(program.marked("untold"));
    }
  }
}
