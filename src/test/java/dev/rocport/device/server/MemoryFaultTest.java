package dev.rocport.device.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.CompiledKernels;
import dev.rocport.device.isa.Target;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kernels that touch what they must not: stopped, with words on where and what. */
@Tag("device")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MemoryFaultTest {
  private static final String SOURCE =
      """
      #include <hip/hip_runtime.h>
      namespace deep { __global__ void writes(int* p, long at) { // nested name
        if (threadIdx.x == 70 && blockIdx.x == 2)
          p[at] = 7;
      } }
      __global__ void reads(int* p, int* out, long at) {
        if (threadIdx.x == 70 && blockIdx.x == 2)
          out[0] = p[at];
      }
      __global__ void adds(char* p, long at) {
        if (threadIdx.x == 5)
          atomicAdd((int*)(p + at), 1);
      }
      __global__ void adds64(char* p, long at) {
        if (threadIdx.x == 5)
          atomicAdd((unsigned long long*)(p + at), 1ull);
      }
      __global__ void local(int* out, int at) {
        __shared__ int tile[64];
        tile[threadIdx.x] = threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 9)
          out[0] = tile[at];
      }
      __global__ void dynamic(int* out, int at) {
        extern __shared__ int buffer[];
        if (threadIdx.x == 9)
          buffer[at] = 3;
        out[0] = buffer[0];
      }
      __global__ void counts(int* out, int at) {
        extern __shared__ int counters[];
        if (threadIdx.x == 0)
          out[0] = atomicAdd(counters + at, 5) + atomicAdd(counters + at, 5);
      }
      __global__ void scratch(int* out, int at) {
        int mine[32];
        for (int i = 0; i < 32; i++) mine[i] = i * at;
        mine[at] = 1;
        out[threadIdx.x] = mine[out[threadIdx.x] & 31];
      }
      __device__ __noinline__ int deeper(int n, int* p) {
        int mine[64];
        for (int i = 0; i < 64; i++) mine[i] = p[i % 4] + n;
        if (n > 0) mine[n & 63] += deeper(n - 1, mine);
        return mine[n * 7 & 63];
      }
      __global__ void recursion(int* out, int n) { out[threadIdx.x] = deeper(n, out); }
      __device__ int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
      __global__ void variable(int* out, int at) { out[0] = table[at]; }
      __device__ const int fixed[8] = {1, 2, 3, 4, 5, 6, 7, 8};
      struct Base { int v; __device__ virtual int get() { return v; } };
      struct Derived : Base { __device__ int get() override { return 2 * v; } };
      __global__ void places(long* out, int which) {
        Derived derived;
        Base base;
        Base* one = which ? &base : &derived;
        out[0] = (long)table;
        out[1] = (long)(fixed + which);
        out[2] = *(long*)one; // the table of virtual functions
        out[3] = *(long*)*(long*)one; // a function
        out[4] = one->get();
      }
      __global__ void stores(char* p, int n) {
        if (threadIdx.x < n) *(p + 4 * threadIdx.x) = 1;
      }
      #line 12 "scale.h"
      __device__ inline void scale(float* y, long i, float a) { y[i] *= a; }
      #line 40 "saxpy.hip"
      __global__ void saxpy(float* y, long n) {
        scale(y, n + threadIdx.x, 2);
      }
      """;

  private byte[] code = {};

  @BeforeAll
  void compile(@TempDir Path folder) throws Exception {
    code = CompiledKernels.compile(folder, SOURCE, "-gline-tables-only");
  }

  private String fault(Client client, Client.Kernel kernel, Object... arguments) throws Exception {
    Client.Reply reply = client.launch(kernel, 3, 128, arguments);
    assertThat(reply.status()).as("status").isEqualTo(Status.FAULT.code());
    return reply.message();
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void reportsPlaceThreadAndAllocation(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    try (Client client = SmallDevice.connect()) {
      long p = client.allocate(gpu, 400);
      Client.Module module = client.module(gpu, code);
      Client.Kernel writes = module.kernels().get("_ZN4deep6writesEPil");
      client.run(writes, 3, 128, p, 99L);
      assertThat(client.load(p + 396)).isEqualTo(7);
      String message = fault(client, writes, p, 100L);
      assertThat(message)
          .contains("store of 4 bytes at 0x" + Long.toHexString(p + 400))
          .contains(
              "0 bytes after the end of device allocation #1 (400 bytes at 0x"
                  + Long.toHexString(p))
          .contains("in kernel deep::writes, block (2, 0, 0), wave 1")
          .contains("lane 6, thread (70, 0, 0)")
          .contains("kernel.hip:4");
      assertThat(fault(client, writes, p + 2, 99L))
          .contains("2 bytes beyond the end of device allocation #1");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void namesWhatIsNear(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    try (Client client = SmallDevice.connect()) {
      long first = client.allocate(gpu, 4096);
      long p = client.allocate(gpu, 400);
      long out = client.allocate(gpu, 4);
      Client.Kernel reads = client.module(gpu, code).kernel("reads");
      assertThat(fault(client, reads, p, out, -1L))
          .contains("load of 4 bytes")
          .contains("4 bytes before the start of device allocation #2");
      assertThat(fault(client, reads, p, out, 101L))
          .contains("4 bytes after the end of device allocation #2");
      assertThat(fault(client, reads, p, out, 1L << 35)).contains("in no allocation");
      assertThat(fault(client, reads, p, out, -1L << 45)).contains("in no allocation");
      assertThat(fault(client, reads, 0L, out, 0L)).contains("a null pointer");
      assertThat(fault(client, reads, 0L, out, 9L)).contains("a null pointer");
      client.free(first);
      assertThat(fault(client, reads, first, out, 5L))
          .contains("in freed memory: device allocation #1");
      // The program can go on.
      client.store(p, 11);
      client.run(reads, 3, 128, p, out, 0L);
      assertThat(client.load(out)).isEqualTo(11);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void keepsProgramsAndGpusApart(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    try (Client client = SmallDevice.connect();
        Client other = SmallDevice.connect()) {
      long out = client.allocate(gpu, 4);
      Client.Kernel reads = client.module(gpu, code).kernel("reads");
      long foreign = other.allocate(gpu, 64);
      assertThat(fault(client, reads, foreign, out, 0L))
          .contains("memory of another program, test");
      long peer = client.allocate(gpu + 1, 64);
      client.store(peer, 5);
      assertThat(fault(client, reads, peer, out, 0L))
          .contains("of GPU " + (gpu + 1) + ", to which GPU " + gpu + " has no peer access");
      client.call(Wire.PEER, new Wire.Payload().u32(gpu).u32(gpu + 1).u32(1));
      client.run(reads, 3, 128, peer, out, 0L);
      assertThat(client.load(out)).isEqualTo(5);
      client.call(Wire.PEER, new Wire.Payload().u32(gpu).u32(gpu + 1).u32(0));
      assertThat(fault(client, reads, peer, out, 0L))
          .contains("of GPU " + (gpu + 1) + ", to which GPU " + gpu + " has no peer access");
      long host = client.allocate(0, 1, 64);
      client.store(host, 6);
      client.run(reads, 3, 128, host, out, 0L);
      assertThat(client.load(out)).isEqualTo(6);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void namesTheCallerOfAnInlinedFunction(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    try (Client client = SmallDevice.connect()) {
      Client.Kernel saxpy = client.module(gpu, code).kernel("saxpy");
      assertThat(fault(client, saxpy, client.allocate(gpu, 400), 100L))
          .containsPattern(
              "at \\S*scale\\.h:12 in scale \\(inlined into saxpy at \\S*saxpy\\.hip:41\\), lane"
                  + " 0");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void refusesMisalignedAtomics(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    try (Client client = SmallDevice.connect()) {
      long p = client.allocate(gpu, 64);
      client.store(p + 8, 0);
      Client.Module module = client.module(gpu, code);
      client.run(module.kernel("adds"), 1, 64, p, 8L);
      assertThat(client.load(p + 8)).isEqualTo(1);
      for (long at : List.of(1L, 2L, 7L)) {
        assertThat(fault(client, module.kernel("adds"), p, at))
            .contains("atomic of 4 bytes")
            .contains("not aligned")
            .contains("thread (5, 0, 0)")
            .contains("amd_hip_atomic.h:");
      }
      assertThat(fault(client, module.kernel("adds64"), p, 4L))
          .contains("atomic of 8 bytes")
          .contains("not aligned");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void boundsLdsAndScratch(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    try (Client client = SmallDevice.connect()) {
      long out = client.allocate(gpu, 4 * 128);
      Client.Module module = client.module(gpu, code);
      client.call(Wire.LAUNCH, Client.launchRequest(module.kernel("local"), 1, 64, out, 63));
      assertThat(client.load(out)).isEqualTo(63);
      client.call(Wire.LAUNCH, Client.launchRequest(module.kernel("local"), 1, 64, out, 0x3c0000));
      assertThat(client.load(out)).isZero();
      assertThat(client.complained()).isEmpty();
      for (int at : List.of(64, -5, 70)) {
        client.store(out, 9);
        client.call(Wire.LAUNCH, Client.launchRequest(module.kernel("local"), 1, 64, out, at));
        assertThat(client.load(out)).isZero();
      }
      assertThat(client.complained())
          .containsOnlyOnce(
              "load of 4 bytes at 0x100: outside the LDS of the workgroup, which has 256 bytes")
          .doesNotContain("0x118")
          .contains("thread (9, 0, 0)")
          .contains("kernel.hip:")
          .contains("such loads return 0");
      Client.Kernel dynamic = module.kernel("dynamic");
      client.call(Wire.LAUNCH, Client.request(dynamic, 1, 64, 128, 0, out, 0));
      assertThat(client.load(out)).isEqualTo(3);
      client.call(Wire.LAUNCH, Client.request(dynamic, 1, 64, 128, 0, out, 32));
      assertThat(client.complained()).contains("store of 4 bytes").contains("which has 128 bytes");
      client.call(Wire.LAUNCH, Client.request(module.kernel("counts"), 1, 64, 128, 0, out, 32));
      assertThat(client.load(out)).isZero();
      client.run(module.kernel("scratch"), 1, 64, out, 31);
      assertThat(fault(client, module.kernel("scratch"), out, 4000))
          .contains("scratch overflow")
          .contains("kernel.hip:");
      client.run(module.kernel("recursion"), 1, 64, out, 5);
      assertThat(fault(client, module.kernel("recursion"), out, 5000))
          .contains("scratch overflow: a lane has ")
          .contains("in kernel recursion");
    }
  }

  @Test
  void checksReportAccessesOutsideOfTheLds() throws Exception {
    try (SmallDevice device = SmallDevice.start("--check", "sync");
        Client client = device.client()) {
      long out = client.allocate(0, 64);
      Client.Kernel local = client.module(0, code).kernel("local");
      assertThat(client.launch(local, 1, 64, out, 0x3c0000).message())
          .contains("load of 4 bytes at 0xf00000")
          .contains("outside the LDS of the workgroup, which has 256 bytes")
          .contains("thread (9, 0, 0)");
    }
  }

  /** AMD's libraries read from there on purpose, also in a verification with another order. */
  @Test
  void theCheckOfTheOrderDoesNotStopAccessesOutsideOfTheLds() throws Exception {
    try (SmallDevice device = SmallDevice.start("--check", "order");
        Client client = device.client()) {
      long out = client.allocate(0, 64);
      Client.Kernel local = client.module(0, code).kernel("local");
      client.call(Wire.LAUNCH, Client.launchRequest(local, 1, 64, out, 0x3c0000));
      assertThat(client.load(out)).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void boundsVariablesByTheirCodeObject(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    try (Client client = SmallDevice.connect()) {
      long out = client.allocate(gpu, 64);
      Client.Kernel kernel = client.module(gpu, code).kernel("variable");
      client.run(kernel, 1, 64, out, 5);
      assertThat(client.load(out)).isEqualTo(6);
      assertThat(fault(client, kernel, out, 1 << 20)).contains("in kernel variable");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void refusesStoresToCodeAndConstants(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    try (Client client = SmallDevice.connect()) {
      long out = client.allocate(gpu, 64);
      Client.Module module = client.module(gpu, code);
      client.run(module.kernel("places"), 1, 1, out, 1);
      Client.Kernel stores = module.kernel("stores");
      Client.Kernel adds = module.kernel("adds");
      long variable = client.loadLong(out);
      client.run(stores, 1, 64, variable, 8);
      client.run(adds, 1, 64, variable, 0L);
      Map<Long, String> readOnly =
          Map.of(
              client.loadLong(out + 8),
              "constants",
              client.loadLong(out + 16),
              "constants",
              client.loadLong(out + 24),
              "code",
              (variable | 4095) - 7,
              "padding");
      for (Map.Entry<Long, String> place : readOnly.entrySet()) {
        String expected = "in the " + place.getValue() + " of code object #1 (";
        int before = client.load(place.getKey());
        assertThat(fault(client, stores, place.getKey(), 1))
            .contains("store of 1 bytes")
            .contains(expected)
            .contains("which kernels may only read")
            .contains("in kernel stores")
            .contains("thread (0, 0, 0)");
        assertThat(fault(client, adds, place.getKey(), 0L))
            .contains("atomic of 4 bytes")
            .contains(expected);
        assertThat(client.load(place.getKey())).isEqualTo(before);
        // The host goes its own way, as it does past the GPU's page tables.
        client.store(place.getKey(), before);
      }
      client.run(module.kernel("places"), 1, 1, out, 0);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void omitsUnknownLines(Target target, @TempDir Path folder) throws Exception {
    int gpu = SmallDevice.gpu(target);
    byte[] bare = CompiledKernels.compile(folder, SOURCE);
    try (Client client = SmallDevice.connect()) {
      Client.Kernel kernel = client.module(gpu, bare).kernel("variable");
      assertThat(fault(client, kernel, 0L, 0))
          .contains("a null pointer")
          .contains("before pc 0x")
          .doesNotContain("kernel.hip");
    }
  }
}
