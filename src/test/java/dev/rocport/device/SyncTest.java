package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels whose lanes, waves and blocks do not meet, and like ones where they do. */
@Tag("device")
final class SyncTest {
  private static final String SOURCE =
      """
      #include <hip/hip_runtime.h>
      #include <hip/hip_cooperative_groups.h>
      #include <cstdio>
      #include <cstring>
      __global__ void shuffle(int* p) {
        int lane = threadIdx.x;
        if (lane < 40) {
          int other = __shfl_xor(p[lane], 32);  // shuffle
          p[lane] += other;                     // shuffle
        }
      }
      __global__ void guarded(int* p) {
        int lane = threadIdx.x;
        if (lane < 40) {
          int other = __shfl_xor(p[lane], 32);
          if ((lane ^ 32) < 40) p[lane] += other;
        }
      }
      __global__ void branch(int* p) {
        __shared__ int tile[64];
        int t = threadIdx.x;
        if (t < 40) {
          tile[t] = p[t];
          __syncthreads();  // branch
          p[t] = tile[t ^ 1];
        }
        p[64 + t] = t;
      }
      __global__ void apart(int* p) {
        if (threadIdx.x < 64) {
          p[threadIdx.x] = 1;
          __syncthreads();  // apart
        } else {
          p[threadIdx.x] = 2;
          __syncthreads();  // apart
        }
        p[threadIdx.x] += p[threadIdx.x ^ 64];
      }
      __global__ void left(int* p) {
        if (threadIdx.x >= 100) return;
        p[threadIdx.x] = 1;
        __syncthreads();  // left
        p[threadIdx.x] += p[99 - threadIdx.x];
      }
      __global__ void lock(int* p) {
        while (atomicCAS(p, 0, 1) != 0) {}  // lock
        p[1]++;
        __threadfence();
        atomicExch(p, 0);  // lock
      }
      __global__ void turns(int* p) {
        bool done = false;
        for (int i = 0; i < (1 << 20) && !done; i++) {
          if (atomicCAS(p, 0, 1) == 0) {
            p[1]++;
            __threadfence();
            atomicExch(p, 0);
            done = true;
          }
        }
      }
      __global__ void grid(int* p) {
        if (blockIdx.x == 3) return;
        p[blockIdx.x] = 1;
        cooperative_groups::this_grid().sync();  // grid
        p[blockIdx.x] += p[0];
      }
      __global__ void rounds(int* p) {
        __shared__ int tile[128];
        int t = threadIdx.x;
        for (int i = 0; i < 5; i++) {
          tile[t] = p[t] + i;
          __syncthreads();
          if (t < 100) p[t] = tile[127 - t];
          __syncthreads();
        }
      }
      // As clang ends a branch of one thread: no lane is reactivated for a barrier before the end.
      __global__ void last(int* p) {
        p[64 + threadIdx.x] = threadIdx.x;
        asm volatile("s_mov_b64 exec, 1\\n\\ts_waitcnt lgkmcnt(0)\\n\\ts_barrier\\n\\ts_endpgm");
      }
      int main(int, char** argv) {
        int* p;
        hipMalloc(&p, 4096);
        hipMemset(p, 0, 4096);
        struct { const char* name; void (*kernel)(int*); int threads; } cases[] = {
            {"shuffle", shuffle, 64}, {"guarded", guarded, 64}, {"branch", branch, 64}, {"apart", apart, 128},
            {"left", left, 128}, {"lock", lock, 64}, {"turns", turns, 64}, {"rounds", rounds, 128},
            {"last", last, 128}};
        for (auto& one : cases) {
          if (std::strcmp(argv[1], one.name) == 0) one.kernel<<<2, one.threads>>>(p);
        }
        void* arguments[] = {&p};
        if (std::strcmp(argv[1], "grid") == 0) {
          (void)hipLaunchCooperativeKernel((void*)grid, dim3(4), dim3(64), arguments, 0, nullptr);
        }
        (void)hipDeviceSynchronize();
      }
      """;

  private static HipProgram program;
  private static DeviceProcess device;

  @BeforeAll
  static void prepare(@TempDir Path folder) throws Exception {
    program =
        HipProgram.of(
            folder,
            "meet.hip",
            SOURCE,
            List.of("gfx942"),
            List.of("-O2", "-g", "-Wno-unused-value"));
    device = DeviceProcess.start("--gpu", "gfx942", "--check", "sync", "--linger", "60");
  }

  @AfterAll
  static void end() {
    device.close();
  }

  private static String run(String name) throws Exception {
    return program.run(device, name).err();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shuffle", "branch", "apart", "lock", "grid"})
  void namesTheLines(String name) throws Exception {
    assertThat(run(name)).contains("rocport: sync: ").contains(program.marked(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"left"})
  void isNotSureOfThreadsThatHaveReturned(String name) throws Exception {
    assertThat(run(name)).contains("rocport: possible sync: ").contains(program.marked(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"guarded", "turns", "rounds", "last"})
  void findsNothingWhereAllMeet(String name) throws Exception {
    assertThat(run(name)).contains(": no findings\n");
  }
}
