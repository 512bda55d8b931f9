package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs whose asynchronous work is done as late as their streams allow. */
@Tag("device")
final class HostOrderTest {
  private static final String SOURCE =
      """
      #include <hip/hip_runtime.h>
      #include <hip/hip_cooperative_groups.h>
      #include <condition_variable>
      #include <cstdio>
      #include <cstring>
      #include <mutex>
      #include <thread>
      constexpr int N = 4096;
      __global__ void fill(int* p, int value) { p[blockIdx.x * blockDim.x + threadIdx.x] = value; }
      __global__ void copy(int* to, const int* from) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        to[i] = from[i];  // unordered
      }
      __global__ void raise(int* flag) { __hip_atomic_store(flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM); }
      __global__ void wait(int* flag) {
        while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) {}
      }
      __global__ void signal(int* flag) { __hip_atomic_store(flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT); }
      __global__ void together(int* p) { cooperative_groups::this_grid().sync(); p[0] = 1; }

      int *a, *b, *pinned;
      hipStream_t s, t;

      int early() {
        fill<<<N / 256, 256, 0, s>>>(a, 5);
        hipMemcpyAsync(pinned, a, N * 4, hipMemcpyDeviceToHost, s);  // read
        return pinned[7] == 0 && hipStreamSynchronize(s) == hipSuccess && pinned[7] == 5;  // read
      }
      int reused() {
        pinned[9] = 1;
        hipMemcpyAsync(a, pinned, N * 4, hipMemcpyHostToDevice, s);  // write
        pinned[9] = 2;                                               // write
        hipMemcpyAsync(pinned + N, a, N * 4, hipMemcpyDeviceToHost, s);
        hipStreamSynchronize(s);
        return pinned[N + 9] == 2;
      }
      int neighbour() {
        pinned[N - 1] = 1;
        fill<<<N / 256, 256, 0, s>>>(a, 5);
        hipMemcpyAsync(pinned, a, 400, hipMemcpyDeviceToHost, s);
        pinned[200] = pinned[N - 1] + 1;
        hipStreamSynchronize(s);
        return pinned[200] == 2 && pinned[99] == 5 && pinned[100] == 0;
      }
      int unordered() {
        pinned[3] = 8;
        hipMemcpyAsync(a, pinned, N * 4, hipMemcpyHostToDevice, t);  // unordered
        copy<<<N / 256, 256, 0, s>>>(b, a);
        hipStreamSynchronize(s);
        hipStreamSynchronize(t);
        return true;
      }
      int ordered() {
        pinned[3] = 8;
        hipEvent_t e;
        hipEventCreate(&e);
        hipMemcpyAsync(a, pinned, N * 4, hipMemcpyHostToDevice, t);
        hipEventRecord(e, t);
        hipStreamWaitEvent(s, e, 0);
        copy<<<N / 256, 256, 0, s>>>(b, a);
        hipMemcpyAsync(pinned + N, b, N * 4, hipMemcpyDeviceToHost, s);
        hipMemsetAsync(b, 0, N * 4, s);
        while (hipStreamQuery(s) == hipErrorNotReady) {}
        return pinned[N + 3] == 8;
      }
      int flag() {
        raise<<<1, 1, 0, s>>>(pinned);
        while (__atomic_load_n(pinned, __ATOMIC_ACQUIRE) == 0) {}
        return true;
      }
      int others() {
        wait<<<1, 1, 0, s>>>(a);
        signal<<<1, 1, 0, t>>>(a);
        return hipStreamSynchronize(s) == hipSuccess;
      }
      struct Gate {
        std::mutex mutex;
        std::condition_variable changed;
        bool open = false;
      };
      void open(void* data) {
        auto* gate = static_cast<Gate*>(data);
        std::lock_guard lock(gate->mutex);
        gate->open = true;
        gate->changed.notify_all();
      }
      int callback() {
        static Gate gate;
        fill<<<N / 256, 256, 0, s>>>(a, 6);
        hipLaunchHostFunc(s, open, &gate);
        std::unique_lock lock(gate.mutex);
        gate.changed.wait(lock, [] { return gate.open; });
        return true;
      }
      int graph() {
        hipGraph_t g;
        hipGraphExec_t x;
        hipEvent_t e, f;
        hipEventCreate(&e);
        hipEventCreate(&f);
        hipStreamBeginCapture(s, hipStreamCaptureModeGlobal);
        hipEventRecord(e, s);
        hipStreamWaitEvent(t, e, 0);
        fill<<<N / 256, 256, 0, s>>>(a, 1);
        fill<<<N / 256, 256, 0, t>>>(b, 2);
        hipMemcpyAsync(pinned, a, N * 4, hipMemcpyDeviceToHost, s);
        hipMemcpyAsync(pinned + N, b, N * 4, hipMemcpyDeviceToHost, t);
        hipEventRecord(f, t);
        hipStreamWaitEvent(s, f, 0);
        hipStreamEndCapture(s, &g);
        hipGraphInstantiate(&x, g, nullptr, nullptr, 0);
        for (int i = 0; i < 3; i++) hipGraphLaunch(x, s);
        hipStreamSynchronize(s);
        return pinned[5] == 1 && pinned[N + 5] == 2;
      }
      int capture(bool joined) {
        hipGraph_t g;
        hipGraphExec_t x;
        hipEvent_t e, f;
        hipEventCreate(&e);
        hipEventCreate(&f);
        hipStreamBeginCapture(s, hipStreamCaptureModeGlobal);
        hipEventRecord(e, s);
        hipStreamWaitEvent(t, e, 0);
        fill<<<N / 256, 256, 0, s>>>(a, 1);
        if (joined) {
          hipEventRecord(e, s);
          hipStreamWaitEvent(t, e, 0);
        }
        copy<<<N / 256, 256, 0, t>>>(b, a);
        hipEventRecord(f, t);
        hipStreamWaitEvent(s, f, 0);
        hipStreamEndCapture(s, &g);
        hipGraphInstantiate(&x, g, nullptr, nullptr, 0);
        for (int i = 0; i < 3; i++) hipGraphLaunch(x, s);
        return hipStreamSynchronize(s) == hipSuccess;
      }
      int branches() { return capture(true); }
      int apart() { return capture(false); }
      int waits() {
        for (int i = 0; i < 4; i++) {
          fill<<<N / 256, 256, 0, i % 2 ? s : t>>>(a, i);
          if (i % 2 == 0) hipStreamSynchronize(t);
          else hipDeviceSynchronize();
        }
        fill<<<N / 256, 256>>>(b, 1);
        hipStream_t blocking;
        hipStreamCreate(&blocking);
        fill<<<N / 256, 256, 0, blocking>>>(b, 2);
        fill<<<N / 256, 256>>>(b, 3);
        return hipDeviceSynchronize() == hipSuccess;
      }
      int many() {
        for (int i = 0; i < 3000; i++) hipMemsetAsync(a, i, 4, i % 2 ? s : t);
        return hipDeviceSynchronize() == hipSuccess;
      }
      int cleared() {
        hipMemset(a, 0, N * 4);  // cleared
        fill<<<N / 256, 256, 0, s>>>(a, 1);
        return hipDeviceSynchronize() == hipSuccess;
      }
      int clearedBefore() {
        hipMemset(a, 0, N * 4);
        hipStreamSynchronize(nullptr);
        fill<<<N / 256, 256, 0, s>>>(a, 1);
        return hipDeviceSynchronize() == hipSuccess;
      }
      int tooLarge() {
        void* arguments[] = {&a};
        return hipLaunchCooperativeKernel(together, dim3(1 << 20), dim3(256), arguments, 0, s) ==  // large
               hipErrorCooperativeLaunchTooLarge;
      }
      int main(int, char** argv) {
        hipMalloc(&a, N * 4);
        hipMalloc(&b, N * 4);
        hipMemset(a, 0, N * 4);
        hipDeviceSynchronize();
        hipHostMalloc(&pinned, 2 * N * 4, 0);
        std::memset(pinned, 0, 2 * N * 4);
        hipStreamCreateWithFlags(&s, hipStreamNonBlocking);
        hipStreamCreateWithFlags(&t, hipStreamNonBlocking);
        struct { const char* name; int (*run)(); } cases[] = {
            {"read", early}, {"write", reused}, {"neighbour", neighbour}, {"unordered", unordered},
            {"ordered", ordered}, {"flag", flag}, {"others", others}, {"callback", callback},
            {"graph", graph}, {"many", many}, {"large", tooLarge}, {"branches", branches},
            {"apart", apart}, {"waits", waits}, {"cleared", cleared}, {"clearedBefore", clearedBefore}};
        for (auto& one : cases) {
          if (std::strcmp(argv[1], one.name) == 0) std::puts(one.run() ? "as expected" : "otherwise");
        }
      }
      """;

  private static HipProgram program;
  private static DeviceProcess device;
  private static DeviceProcess races;

  @BeforeAll
  static void prepare(@TempDir Path folder) throws Exception {
    program =
        HipProgram.of(
            folder,
            "late.hip",
            SOURCE,
            List.of("gfx90a"),
            List.of("-O1", "-g", "-Wno-unused-value"));
    device = DeviceProcess.start("--gpu", "gfx90a", "--check", "sync,order=5", "--linger", "60");
    races = DeviceProcess.start("--gpu", "gfx90a", "--check", "race", "--linger", "60");
  }

  @AfterAll
  static void end() {
    device.close();
    races.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "write", "unordered", "large"})
  void namesBothPlaces(String name) throws Exception {
    TestDevice.Run run = program.run(device, name);
    assertThat(run.out()).as(run.err()).isEqualTo("as expected\n");
    assertThat(run.code()).isOne();
    assertThat(run.err()).contains(program.marked(name)).contains(": 1 finding\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"neighbour", "ordered", "flag", "others", "callback", "graph", "many"})
  void findsNothingWhereTheProgramIsRight(String name) throws Exception {
    TestDevice.Run run = program.run(device, name);
    assertThat(run.err()).contains(": no findings\n");
    assertThat(run.out()).as(run.err()).isEqualTo("as expected\n");
    assertThat(run.code()).isZero();
  }

  /** The device hears of the order from the library: streams, events, the host, graphs. */
  @ParameterizedTest
  @ValueSource(strings = {"ordered", "callback", "graph", "branches", "waits", "clearedBefore"})
  void reportsTheOrderOfStreams(String name) throws Exception {
    TestDevice.Run run = program.run(races, name);
    assertThat(run.err()).contains(": no findings\n");
    assertThat(run.code()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"unordered", "apart"})
  void reportsMissingOrder(String name) throws Exception {
    TestDevice.Run run = program.run(races, name);
    assertThat(run.err())
        .contains("rocport: race: ")
        .contains(program.marked("unordered").getFirst());
    assertThat(run.code()).isOne();
  }

  /**
   * hipMemset does not wait for the fill, and streams without the null stream's order do not
   * either.
   */
  @Test
  void reportsAStreamThatDoesNotWaitForAFill() throws Exception {
    TestDevice.Run run = program.run(races, "cleared");
    assertThat(run.err())
        .contains("rocport: race: ")
        .containsPattern(
            "copy or fill at \\S*" + program.marked("cleared").getFirst() + "in cleared");
    assertThat(run.code()).isOne();
  }

  @Test
  void marksAreThere() throws Exception {
    assertThat(program.marked("read")).hasSize(2);
    assertThat(program.marked("unordered")).hasSize(2);
  }
}
