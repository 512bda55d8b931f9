package dev.rocport.device.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.CompiledKernels;
import dev.rocport.device.isa.Target;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kernels that print, assert, trap and take memory. */
@Tag("device")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HostcallTest {
  private static final String SOURCE =
      """
      #include <hip/hip_runtime.h>
      #include <cassert>
      __global__ void axpy(float a, const float* x, float* y, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) y[i] += a * x[i];
      }
      __global__ void conversions(int n) {
        printf("%d %i %u %x %X %o|%5d|%-5d|%05d|%+d\\n", -n, n, 7u, 255, 255, 8, n, n, n, n);
        printf("%ld %lld %lu %llx %zu\\n", -5L, 1LL << 40, 1UL << 40, 0x123456789abcdefLL, sizeof(n));
        printf("%hd %hhd %c%c %%\\n", 70000, 300, 'o', 'k');
        printf("%f %.2f %e %g %8.3f %a\\n", 1.5, 2.0f / 3, 12345.678, 1e-5, -3.25, 1.0);
        printf("%s,%10s,%-6s,%.2s\\n", "text", "right", "left", "cut");
        printf("%*d %.*f\\n", 6, n, 3, 2.0);
        printf("%p\\n", (void*)0x1234abcd);
        printf("nothing to convert\\n");
        printf("%s", "a text that is longer than the fifty-six bytes which one packet of a lane can "
                     "carry, so that it takes a second and a third one\\n");
        printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\\n", n, n + 1, n + 2, n + 3, n + 4,
               n + 5, n + 6, n + 7, n + 8, n + 9, n + 10, n + 11, n + 12, n + 13, n + 14, n + 15);
      }
      __device__ const char* formats[] = {"first: %d\\n", ": second %d\\n"};
      __global__ void given(int n) {
        for (int i = 0; i <= n; i++) printf(formats[i], i + 3);
      }
      __global__ void everyone(int* counts) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        counts[i] = printf("thread %d of block %d\\n", threadIdx.x, blockIdx.x);
      }
      __global__ void some(int rounds) {
        for (int r = 0; r < rounds; r++)
          if (threadIdx.x % 7 == r % 7) printf("round %d lane %d\\n", r, threadIdx.x);
      }
      __global__ void checks(int limit) {
        printf("before\\n");
        assert(threadIdx.x < limit);
        printf("after\\n");
      }
      __global__ void traps() { if (threadIdx.x == 3) __builtin_trap(); }
      __global__ void aborts() { abort(); }
      __global__ void takes(int* out, int words) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        int* mine = (int*)malloc(words * sizeof(int));
        if (!mine) { out[i] = -1; return; }
        for (int k = 0; k < words; k++) mine[k] = i * words + k;
        __syncthreads();
        int sum = 0;
        for (int k = 0; k < words; k++) sum += mine[k];
        free(mine);
        out[i] = sum;
      }
      __global__ void keeps(int** where, int n) {
        where[threadIdx.x] = new int[n];
        for (int k = 0; k < n; k++) where[threadIdx.x][k] = threadIdx.x + k;
      }
      __global__ void reads(int** where, int* out, int n) {
        out[threadIdx.x] = where[threadIdx.x][n - 1];
        delete[] where[threadIdx.x];
      }
      __global__ void greedy(int* out) {
        void* p = malloc(1ull << 40);
        out[threadIdx.x] = p == nullptr;
      }
      """;

  private byte[] code = {};
  private byte[] buffered = {};

  @BeforeAll
  void compile(@TempDir Path folder) throws Exception {
    code = CompiledKernels.compile(folder, SOURCE, "-gline-tables-only");
    buffered = CompiledKernels.compile(folder, SOURCE, "-mprintf-kind=buffered");
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void runsAKernel(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    try (Client client = SmallDevice.connect()) {
      assertThat(client.gpus.get(gpu).arch()).isEqualTo(target.arch());
      Client.Module module = client.module(gpu, code);
      int n = 1000;
      long x = client.allocate(gpu, 4L * n);
      long y = client.allocate(gpu, 4L * n);
      for (int i = 0; i < n; i++) {
        client.store(x + 4L * i, Float.floatToIntBits(i));
        client.store(y + 4L * i, Float.floatToIntBits(1));
      }
      client.run(module.kernel("axpy"), 4, 256, Float.floatToIntBits(2.5f), x, y, n);
      for (int i = 0; i < n; i++) {
        assertThat(Float.intBitsToFloat(client.load(y + 4L * i))).isEqualTo(2.5f * i + 1);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void printsEveryConversion(Target target) throws Exception {
    printsEveryConversion(code, SmallDevice.gpu(target));
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void printsWithoutHostcalls(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    printsEveryConversion(buffered, gpu);
    try (Client client = SmallDevice.connect()) {
      Client.Module module = client.module(gpu, buffered);
      long counts = client.allocate(gpu, 4 * 256);
      client.run(module.kernel("everyone"), 4, 64, counts);
      assertThat(client.printed().lines().distinct()).hasSize(256);
      client.run(module.kernel("given"), 1, 1, 1);
      assertThat(client.printed()).endsWith("first: 3\n: second 4\n");
    }
  }

  private static void printsEveryConversion(byte[] code, int gpu) throws Exception {
    try (Client client = SmallDevice.connect()) {
      client.run(client.module(gpu, code).kernel("conversions"), 1, 1, 42);
      assertThat(client.printed().lines())
          .containsExactly(
              "-42 42 7 ff FF 10|   42|42   |00042|+42",
              "-5 1099511627776 1099511627776 123456789abcdef 4",
              "4464 44 ok %",
              "1.500000 0.67 1.234568e+04 1e-05   -3.250 0x1p+0",
              "text,     right,left  ,cu",
              "    42 2.000",
              "0x1234abcd",
              "nothing to convert",
              "a text that is longer than the fifty-six bytes which one packet of a lane can carry,"
                  + " so that it takes a second and a third one",
              "42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void printsFromManyLanesBlocksAndTimes(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    try (Client client = SmallDevice.connect()) {
      Client.Module module = client.module(gpu, code);
      int blocks = 20;
      int threads = 130;
      long counts = client.allocate(gpu, 4L * blocks * threads);
      client.run(module.kernel("everyone"), blocks, threads, counts);
      List<String> expected =
          IntStream.range(0, blocks * threads)
              .mapToObj(i -> "thread " + i % threads + " of block " + i / threads)
              .toList();
      assertThat(client.printed().lines()).containsExactlyInAnyOrderElementsOf(expected);
      for (int i = 0; i < blocks * threads; i++) {
        assertThat(client.load(counts + 4L * i)).isEqualTo(expected.get(i).length() + 1);
      }
    }
    try (Client client = SmallDevice.connect()) {
      client.run(client.module(gpu, code).kernel("some"), 1, 64, 14);
      List<String> lines = client.printed().lines().toList();
      // One wave: rounds follow each other, lanes of one printf ascend.
      assertThat(lines)
          .containsExactlyElementsOf(
              IntStream.range(0, 14)
                  .boxed()
                  .flatMap(
                      r ->
                          IntStream.range(0, 64)
                              .filter(l -> l % 7 == r % 7)
                              .mapToObj(l -> "round " + r + " lane " + l))
                  .toList());
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void reportsAFailedAssert(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    try (Client client = SmallDevice.connect()) {
      Client.Kernel kernel = client.module(gpu, code).kernel("checks");
      client.run(kernel, 1, 64, 64);
      assertThat(client.printed().lines().filter("after"::equals)).hasSize(64);
      Client.Reply reply = client.launch(kernel, 1, 64, 63);
      assertThat(reply.status()).isEqualTo(Status.TRAP.code());
      assertThat(client.complained())
          .contains("kernel.hip:")
          .contains("assertion `threadIdx.x < limit' failed");
      assertThat(reply.message()).contains("in kernel checks,");
      // The program may go on, as far as the device is concerned.
      client.run(kernel, 1, 64, 64);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void reportsTraps(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    try (Client client = SmallDevice.connect()) {
      Client.Module module = client.module(gpu, code);
      for (String name : List.of("traps", "aborts")) {
        Client.Reply reply = client.launch(module.kernel(name), 3, 64);
        assertThat(reply.status()).isEqualTo(Status.TRAP.code());
        assertThat(reply.message()).contains("trap").contains("kernel " + name).contains("block (");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void givesMemoryToKernels(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    try (Client client = SmallDevice.connect()) {
      Client.Module module = client.module(gpu, code);
      int blocks = 3;
      int threads = 128;
      long out = client.allocate(gpu, 4L * blocks * threads);
      for (int words : new int[] {1, 5, 100, 3000}) {
        client.run(module.kernel("takes"), blocks, threads, out, words);
        for (int i = 0; i < blocks * threads; i++) {
          assertThat(client.load(out + 4L * i))
              .as("%d words, thread %d", words, i)
              .isEqualTo(i * words * words + words * (words - 1) / 2);
        }
      }
      long where = client.allocate(gpu, 8L * threads);
      client.run(module.kernel("keeps"), 1, threads, where, 50);
      client.run(module.kernel("reads"), 1, threads, where, out, 50);
      for (int i = 0; i < threads; i++) {
        assertThat(client.load(out + 4L * i)).isEqualTo(i + 49);
      }
      client.run(module.kernel("greedy"), 1, 64, out);
      int[] refused = new int[64];
      for (int i = 0; i < 64; i++) {
        refused[i] = client.load(out + 4L * i);
      }
      assertThat(Arrays.stream(refused)).containsOnly(1);
    }
  }
}
