package dev.rocport.device.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.CompiledKernels;
import dev.rocport.device.isa.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Waves that wait for each other, for the host and for other programs; and in vain. */
@Tag("device")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
final class ProgressTest {
  private static final String SOURCE =
      """
      #include <hip/hip_runtime.h>
      #include <hip/hip_cooperative_groups.h>
      __device__ int get(int* p) {
        return __hip_atomic_load(p, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM);
      }
      __device__ void put(int* p, int v) {
        __hip_atomic_store(p, v, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
      }
      // Each block waits for the next one, without a hint to the scheduler.
      __global__ void chain(int* flags) {
        int b = blockIdx.x;
        if (threadIdx.x == 0) {
          if (b + 1 < (int)gridDim.x) while (get(flags + b + 1) == 0) {}
          put(flags + b, get(flags + b + 1) + 1);
        }
      }
      // Counts up to `times` with a partner who has the other parity.
      __global__ void pingpong(int* flag, int parity, int times) {
        for (int i = parity; i < times; i += 2) {
          while (get(flag) != i) __builtin_amdgcn_s_sleep(1);
          put(flag, i + 1);
        }
      }
      __global__ void waits(int* flag, int* out) {
        while (get(flag) == 0) __builtin_amdgcn_s_sleep(8);
        out[0] = get(flag);
      }
      __global__ void spins(int* flag) {
        while (get(flag) == 0) {}
      }
      // The lane that gets the lock waits for the others, which wait for the lock.
      __global__ void locks(int* lock) {
        while (atomicCAS(lock, 0, 1) != 0) {}
        atomicExch(lock, 0);
      }
      __global__ void adds(int* out, int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += i ^ threadIdx.x;
        atomicAdd(out, sum & 1 ? 1 : 1);
      }
      // Each lane loads and stores 8 bytes, four of each wave exchange 4.
      __global__ void moves(long* data, int* last) {
        int i = blockIdx.x * 64 + threadIdx.x;
        data[i] += i;
        if (threadIdx.x < 4) atomicExch(last + threadIdx.x, i);
      }
      __global__ void lock(int* mutex, int* count) {
        if (threadIdx.x == 0) {
          while (atomicCAS(mutex, 0, 1) != 0) {}
          int c = get(count);
          put(count, c + 1);
          __threadfence();
          atomicExch(mutex, 0);
        }
      }
      __global__ void grid(int* out, int rounds) {
        auto g = cooperative_groups::this_grid();
        for (int r = 0; r < rounds; r++) {
          if (threadIdx.x == 0) atomicAdd(out + r, 1);
          g.sync();
          if (r > 0 && threadIdx.x == 0 && get(out + r - 1) != (int)gridDim.x) put(out + 99, 1);
        }
      }
      __global__ void leaves(int* out) {
        if (blockIdx.x == 1) return;
        cooperative_groups::this_grid().sync(); // in vain
        out[0] = 1;
      }
      __global__ void sorts(int* data, int n) {
        __shared__ int tile[512];
        int t = threadIdx.x;
        tile[t] = data[blockIdx.x * n + t];
        __syncthreads();
        for (int k = 2; k <= n; k *= 2)
          for (int j = k / 2; j > 0; j /= 2) {
            int other = t ^ j;
            if (other > t && ((t & k) == 0) == (tile[t] > tile[other])) {
              int x = tile[t]; tile[t] = tile[other]; tile[other] = x;
            }
            __syncthreads();
          }
        data[blockIdx.x * n + t] = tile[t];
      }
      """;

  private static final int PAUSE_MILLIS = 500;

  private byte[] code = {};

  @BeforeAll
  void compile(@TempDir Path folder) throws Exception {
    code = CompiledKernels.compile(folder, SOURCE, "-gline-tables-only");
  }

  private static long zeroed(Client client, int gpu, int kind, int words) throws Exception {
    long at = client.allocate(gpu, kind, 4L * words);
    for (int i = 0; i < words; i++) {
      client.store(at + 4L * i, 0);
    }
    return at;
  }

  private static Future<Client.Reply> start(
      Client stream, Client.Kernel kernel, int grid, int block, Object... arguments) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return stream.launch(kernel, grid, block, arguments);
          } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        },
        task -> Thread.ofPlatform().daemon().start(task));
  }

  private static void succeeds(Future<Client.Reply> reply) throws Exception {
    Client.Reply r = reply.get(120, TimeUnit.SECONDS);
    assertThat(r.status()).as(() -> r.status() == 0 ? "" : r.message()).isZero();
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void blocksWaitForBlocksThatStartLater(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    try (Client client = SmallDevice.connect()) {
      int blocks = SmallDevice.COMPUTE_UNITS * 32;
      long flags = zeroed(client, gpu, 0, blocks + 1);
      client.run(client.module(gpu, code).kernel("chain"), blocks, 64, flags);
      assertThat(client.load(flags)).isEqualTo(blocks);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void blocksTakeALockInTurn(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    try (Client client = SmallDevice.connect()) {
      long mutex = zeroed(client, gpu, 0, 2);
      client.run(client.module(gpu, code).kernel("lock"), 300, 64, mutex, mutex + 4);
      assertThat(client.load(mutex + 4)).isEqualTo(300);
    }
  }

  @Test
  void streamsGpusAndProgramsWaitForEachOther() throws Exception {
    try (Client a = SmallDevice.connect();
        Client b = SmallDevice.connect()) {
      long flag = zeroed(a, 0, 1, 1);
      byte[] handle = new byte[Device.HANDLE];
      a.call(Wire.IPC_EXPORT, new Wire.Payload().u64(flag)).get(handle);
      b.call(Wire.IPC_OPEN, new Wire.Payload().bytes(handle).u32(2));
      Future<Client.Reply> even =
          start(a, a.module(0, code).kernel("pingpong"), 1, 1, flag, 0, 200);
      Future<Client.Reply> odd = start(b, b.module(2, code).kernel("pingpong"), 1, 1, flag, 1, 200);
      succeeds(even);
      succeeds(odd);
      assertThat(a.load(flag)).isEqualTo(200);
    }
  }

  @Test
  void fourProgramsOnFourGpusPassAFlagRound() throws Exception {
    List<Client> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        clients.add(SmallDevice.connect());
      }
      Client first = clients.getFirst();
      long flags = zeroed(first, 0, 1, 8);
      byte[] handle = new byte[Device.HANDLE];
      first.call(Wire.IPC_EXPORT, new Wire.Payload().u64(flags)).get(handle);
      List<Future<Client.Reply>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Client c = clients.get(i);
        if (i > 0) {
          c.call(Wire.IPC_OPEN, new Wire.Payload().bytes(handle).u32(i));
        }
        Client.Kernel kernel = c.module(i, code).kernel("waits");
        all.add(start(c, kernel, 1, 64, flags + 4L * i, flags + 4L * (i + 1)));
      }
      first.store(flags, 9);
      for (Future<Client.Reply> one : all) {
        succeeds(one);
      }
      assertThat(first.load(flags + 16)).isEqualTo(9);
    } finally {
      for (Client c : clients) {
        c.close();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void otherStreamsComeOnWhileAKernelWaitsForTheHost(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    try (Client client = SmallDevice.connect();
        Client stream = client.stream();
        Client spinning = client.stream()) {
      long flag = zeroed(client, gpu, 1, 4);
      Client.Module module = client.module(gpu, code);
      Future<Client.Reply> waiting = start(stream, module.kernel("waits"), 4, 64, flag, flag + 4);
      Future<Client.Reply> busy = start(spinning, module.kernel("spins"), 30, 256, flag);
      for (int i = 0; i < 5; i++) {
        client.run(module.kernel("adds"), 20, 64, flag + 8, 100);
      }
      assertThat(client.load(flag + 8)).isEqualTo(5 * 20 * 64);
      assertThat(waiting.isDone()).isFalse();
      assertThat(busy.isDone()).isFalse();
      client.store(flag, 77);
      succeeds(waiting);
      succeeds(busy);
      assertThat(client.load(flag + 4)).isEqualTo(77);
    }
  }

  @Test
  void waitingAndIdleProgramsUseNoProcessorTime() throws Exception {
    try (SmallDevice device = SmallDevice.start("--linger", "60");
        Client client = device.client();
        Client stream = client.stream()) {
      long flag = zeroed(client, 0, 1, 2);
      Future<Client.Reply> waiting =
          start(stream, client.module(0, code).kernel("waits"), 4, 64, flag, flag + 4);
      comesToRest(device, "waiting");
      assertThat(waiting.isDone()).isFalse();
      client.store(flag, 1);
      succeeds(waiting);
      comesToRest(device, "idle");
    }
  }

  /**
   * Waits until the device's process takes next to no processor time for a while. A device that
   * spins takes all of it at any time, however busy the machine is.
   */
  private static void comesToRest(SmallDevice device, String when) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    long taken = Long.MAX_VALUE;
    while (taken > PAUSE_MILLIS / 10) {
      assertThat(System.nanoTime())
          .as("%s: %d ms of %d", when, taken, PAUSE_MILLIS)
          .isLessThan(end);
      long before = processorMillis(device);
      Thread.sleep(PAUSE_MILLIS);
      taken = processorMillis(device) - before;
    }
  }

  private static long processorMillis(SmallDevice device) {
    return device.process().info().totalCpuDuration().orElseThrow().toMillis();
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void gridsMeetAtBarriers(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    try (Client client = SmallDevice.connect()) {
      long out = zeroed(client, gpu, 0, 100);
      Client.Kernel kernel = client.module(gpu, code).kernel("grid");
      client.call(Wire.LAUNCH, Client.request(kernel, 16, 128, 0, 1, out, 10));
      assertThat(client.load(out + 9 * 4)).isEqualTo(16);
      assertThat(client.load(out + 99 * 4)).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void endsGridsThatCanNeverMeet(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    try (Client client = SmallDevice.connect()) {
      long out = zeroed(client, gpu, 0, 4);
      Client.Kernel kernel = client.module(gpu, code).kernel("leaves");
      long start = System.nanoTime();
      Client.Reply reply = client.ask(Wire.LAUNCH, Client.request(kernel, 6, 128, 0, 1, out));
      assertThat(reply.status()).isEqualTo(Status.FAULT.code());
      assertThat(reply.message())
          .contains("kernel leaves hangs: 5 of 6 blocks")
          .contains("hip_cooperative_groups_helper.h:")
          .contains("waits at a barrier of its block");
      assertThat(System.nanoTime() - start).isLessThan(20_000_000_000L);
    }
  }

  @Test
  void endsKernelsWithoutProgressAfterTheTimeout() throws Exception {
    try (SmallDevice device = SmallDevice.start("--timeout", "1.5");
        Client client = device.client()) {
      long flag = zeroed(client, 0, 0, 1);
      Client.Module module = client.module(0, code);
      Client.Reply reply = client.launch(module.kernel("spins"), 3, 128, flag);
      assertThat(reply.status()).isEqualTo(Status.FAULT.code());
      assertThat(reply.message())
          .contains("kernel spins has made no progress for 1.5 seconds")
          // One wave represents all waves at the same place.
          .containsPattern("block \\([012], 0, 0\\), wave [01]")
          .contains("kernel.hip:");
      assertThat(client.launch(module.kernel("waits"), 1, 64, flag, flag).message())
          .contains("sleeps before pc");
      assertThat(client.launch(module.kernel("locks"), 1, 64, flag).message())
          .contains("wave 0 (lanes 1-63 running, lane 0 masked off): runs before pc")
          .contains("rocport explain W64-LOCK");
      long out = zeroed(client, 0, 0, 1);
      client.run(module.kernel("adds"), 8, 64, out, 10);
      assertThat(client.load(out)).isEqualTo(512);
    }
  }

  @Test
  void anyOrderGivesTheSameResults() throws Exception {
    try (SmallDevice device = SmallDevice.start("--check", "order=1")) {
      assertThat(device.log()).contains("--check order=1");
      try (Client client = device.client()) {
        assertThat(client.seed).isEqualTo(1);
        sortsAndChains(client);
      }
      try (Client client = new Client(device.socket(), "order=2")) {
        assertThat(client.seed).isEqualTo(2);
        sortsAndChains(client);
      }
    }
  }

  private void sortsAndChains(Client client) throws Exception {
    int n = 256;
    int blocks = 4;
    long data = client.allocate(0, 4L * n * blocks);
    for (int i = 0; i < n * blocks; i++) {
      client.store(data + 4L * i, i * 7919 % 10007);
    }
    client.run(client.module(0, code).kernel("sorts"), blocks, n, data, n);
    for (int i = 0; i < n * blocks; i++) {
      if (i % n > 0) {
        assertThat(client.load(data + 4L * i))
            .isGreaterThanOrEqualTo(client.load(data + 4L * i - 4));
      }
    }
    long flags = zeroed(client, 0, 0, 33);
    client.run(client.module(0, code).kernel("chain"), 32, 64, flags);
    assertThat(client.load(flags)).isEqualTo(32);
  }

  @Test
  void traces() throws Exception {
    try (SmallDevice device = SmallDevice.start("--trace", "kernels,isa:adds:1:0");
        Client client = device.client()) {
      for (int gpu : new int[] {0, 2}) {
        long out = zeroed(client, gpu, 0, 1);
        client.run(client.module(gpu, code).kernel("adds"), 2, 64, out, 3);
        assertThat(client.load(out)).isEqualTo(128);
        long data = client.allocate(gpu, 8 * 320);
        client.run(
            client.module(gpu, code).kernel("moves"), 5, 64, data, zeroed(client, gpu, 0, 4));
      }
      assertThat(client.complained())
          .contains("GPU 0, adds: grid (2, 1, 1), block (64, 1, 1), 2 waves,")
          .contains("GPU 2, adds: grid (2, 1, 1), block (64, 1, 1), 2 waves,")
          .containsPattern("(?m)^[0-9a-f]{6}  s_load_dword.* s\\d+=0x")
          .containsPattern("(?m)^[0-9a-f]{6}  v_.* v\\d+=\\{\\d+:0x.* more\\}")
          .contains("s_endpgm");
      Matcher moved =
          Pattern.compile(
                  "moves: .* 5 waves, \\d+ instructions, (\\d+) bytes read, (\\d+) bytes written")
              .matcher(client.complained());
      for (int i = 0; i < 2; i++) {
        assertThat(moved.find()).isTrue();
        int stored = 5 * (64 * 8 + 4 * 4);
        assertThat(Integer.parseInt(moved.group(2))).isEqualTo(stored);
        // Each wave loads its arguments too.
        assertThat(Integer.parseInt(moved.group(1))).isBetween(stored + 5 * 16, stored + 5 * 128);
      }
    }
  }
}
