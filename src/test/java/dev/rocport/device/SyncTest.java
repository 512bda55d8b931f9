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
      // Stages that one half of the threads fills and the other half empties.
      template <int WIDTH>
      __device__ void stages(int* p) {
        __shared__ volatile int full[3];
        __shared__ volatile int item[3][WIDTH];
        int lane = threadIdx.x % WIDTH;
        if (threadIdx.x < 3) full[threadIdx.x] = 0;
        __syncthreads();
        if (threadIdx.x < WIDTH) {
          for (int t = 0; t < 9; t++) {
            while (full[t % 3] != 0) {}
            item[t % 3][lane] = t + lane;
            __threadfence_block();
            if (lane == 0) full[t % 3] = 1;  // handover
          }
        } else {
          int sum = 0;
          for (int t = 0; t < 9; t++) {
            while (full[t % 3] != 1) {}  // handover
            sum += item[t % 3][lane];
            __threadfence_block();
            if (lane == 0) full[t % 3] = 0;
          }
          p[64 * blockIdx.x + lane] = sum;
        }
      }
      __global__ void handover(int* p) { stages<32>(p); }
      __global__ void pipeline(int* p) { stages<64>(p); }
      __global__ void mutual(int* p) {
        __shared__ volatile int flag[2];
        int wave = threadIdx.x / 64;
        if (threadIdx.x < 2) flag[threadIdx.x] = 0;
        __syncthreads();
        while (flag[1 - wave] == 0) {}  // mutual
        flag[wave] = 1;
        p[threadIdx.x] = 1;
      }
      __global__ void missed(int* p) {
        __shared__ volatile int flag;
        if (threadIdx.x == 0) flag = 0;
        __syncthreads();
        if (threadIdx.x < 64) {
          while (flag == 0) {}  // missed
        }
        __syncthreads();  // missed
        flag = 1;
        p[threadIdx.x] = 1;
      }
      int main(int, char** argv) {
        int* p;
        hipMalloc(&p, 4096);
        hipMemset(p, 0, 4096);
        struct { const char* name; void (*kernel)(int*); int threads; } cases[] = {
            {"shuffle", shuffle, 64}, {"guarded", guarded, 64}, {"branch", branch, 64}, {"apart", apart, 128},
            {"left", left, 128}, {"lock", lock, 64}, {"turns", turns, 64}, {"rounds", rounds, 128},
            {"last", last, 128}, {"handover", handover, 64}, {"pipeline", pipeline, 128}, {"mutual", mutual, 128},
            {"missed", missed, 128}};
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
  @ValueSource(
      strings = {"shuffle", "branch", "apart", "lock", "grid", "handover", "mutual", "missed"})
  void namesTheLines(String name) throws Exception {
    assertThat(run(name)).contains("rocport: sync: ").contains(program.marked(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"handover", "mutual", "missed"})
  void saysWhatWavesWaitForAndThatNoneReleasesThem(String name) throws Exception {
    assertThat(run(name))
        .contains("rocport: sync: ")
        .containsPattern(
            "Wave [01] of block \\([01], 0, 0\\) has been in its loop for \\d+ instructions")
        .containsPattern("until the 4 bytes at LDS offset 0x[0-9a-f]+ hold another value than 0x0")
        .contains("No other wave");
  }

  @ParameterizedTest
  @ValueSource(strings = {"left"})
  void isNotSureOfThreadsThatHaveReturned(String name) throws Exception {
    assertThat(run(name)).contains("rocport: possible sync: ").contains(program.marked(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"guarded", "turns", "rounds", "last", "pipeline"})
  void findsNothingWhereAllMeet(String name) throws Exception {
    assertThat(run(name)).contains(": no findings\n");
  }
}
