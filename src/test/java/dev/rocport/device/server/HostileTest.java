package dev.rocport.device.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.TestClasses;
import dev.rocport.device.CompiledKernels;
import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.codeobject.FatBinary;
import dev.rocport.device.codeobject.KernelInfo;
import dev.rocport.device.isa.Target;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever programs send, and however they end, the device serves the others. */
@Tag("device")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(240)
final class HostileTest {
  private static final String SOURCE =
      """
      #include <hip/hip_runtime.h>
      __device__ int table[64];
      __device__ __noinline__ int twice(int x) { return table[x & 63] * 2 + x; }
      __global__ void good(int* out, int n) {
        __shared__ int tile[256];
        tile[threadIdx.x] = n + threadIdx.x;
        __syncthreads();
        out[threadIdx.x] = tile[255 - threadIdx.x];
      }
      __global__ void busy(int* out, float x, double y, int n) {
        __shared__ float tile[256];
        int mine[16];
        for (int i = 0; i < 16; i++) mine[i] = out[(threadIdx.x + i) & 255];
        tile[threadIdx.x] = x * threadIdx.x;
        __syncthreads();
        for (int i = 0; i < n; i++) {
          mine[i & 15] += twice(mine[(i + 3) & 15]);
          y = y * 1.5 + __shfl_xor(x, 1) / 3;
          atomicAdd(&tile[mine[i & 15] & 255], sqrtf(x));
          if (threadIdx.x == 77) printf("%d\\n", i);
        }
        __syncthreads();
        atomicAdd(out + (mine[n & 15] & 255), (int)y + (int)tile[threadIdx.x]);
      }
      __global__ void spins(int* flag) {
        while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM) == 0) {}
      }
      """;

  private byte[] code = {};
  private Path codeFile = Path.of("");
  private SmallDevice device;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    code = CompiledKernels.compile(folder, SOURCE);
    codeFile = Files.write(Files.createTempFile("rp", ".hipfb"), code);
    device = SmallDevice.start("--linger", "100", "--timeout", "1");
  }

  @AfterAll
  void end() throws IOException {
    device.close();
    Files.delete(codeFile);
  }

  private void works(int gpu) throws IOException {
    try (Client client = device.client()) {
      long out = client.allocate(gpu, 1024);
      client.run(client.module(gpu, code).kernel("good"), 1, 256, out, 5);
      for (int i = 0; i < 256; i++) {
        assertThat(client.load(out + 4L * i)).isEqualTo(5 + 255 - i);
      }
    }
  }

  /** Code objects with broken bytes: in the code, in the descriptors, anywhere. */
  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void survivesBrokenCode(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    byte[] whole = FatBinary.select(code, target).orElseThrow();
    CodeObject object = CodeObject.read(whole);
    CodeObject.Segment text =
        object.segments().stream()
            .filter(s -> s.address() == object.text().address())
            .findFirst()
            .orElseThrow();
    Random random = new Random(3);
    TreeMap<Integer, Integer> statuses = new TreeMap<>();
    for (int round = 0; round < 90; round++) {
      byte[] broken = whole.clone();
      int changes = 1 + random.nextInt(4);
      for (int i = 0; i < changes; i++) {
        int at =
            switch (round % 3) {
              case 0 -> text.offset() + random.nextInt(text.fileSize());
              case 1 -> descriptor(object, "busy") + random.nextInt(64);
              default -> random.nextInt(broken.length);
            };
        broken[at] = (byte) random.nextInt(256);
      }
      statuses.merge(launch(gpu, broken), 1, Integer::sum);
      if (round % 20 == 0) {
        works(gpu);
      }
    }
    works(gpu);
    // Some were harmless, some were refused, and some went wrong while they ran.
    assertThat(statuses.keySet()).contains(0, Status.FAULT.code(), Status.BAD_CODE_OBJECT.code());
    assertThat(device.log()).doesNotContain("Exception").doesNotContain("fatal error");
  }

  private Client.Reply load(int gpu, byte[] image) throws IOException {
    try (Client client = device.client()) {
      Client.Reply reply = client.ask(Wire.LOAD, new Wire.Payload().u32(gpu).bytes(image));
      if (reply.status() != 0) {
        assertThat(reply.message()).isNotEmpty().doesNotContain("bug");
      }
      return reply;
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void refusesTruncatedCode(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    byte[] object = FatBinary.select(code, target).orElseThrow();
    for (int length = 0; length < object.length; length += 64) {
      assertThat(load(gpu, Arrays.copyOf(object, length)).status())
          .as("%d of %d bytes of the code object", length, object.length)
          .isEqualTo(Status.BAD_CODE_OBJECT.code());
    }
    Set<Integer> statuses = new TreeSet<>();
    for (int length = 0; length < code.length; length += 64) {
      statuses.add(load(gpu, Arrays.copyOf(code, length)).status());
    }
    // The object of one target is whole before the other's begins.
    assertThat(statuses).contains(Status.BAD_CODE_OBJECT.code()).isSubsetOf(0, 3, 4);
    works(gpu);
  }

  /** Each number of the ELF header and the program headers, out of all bounds. */
  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void refusesOffsetsOutOfRange(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    byte[] whole = FatBinary.select(code, target).orElseThrow();
    int headers = 64 + 56 * ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getShort(56);
    int refused = 0;
    for (int at = 24; at < headers; at += 8) {
      for (long value : new long[] {-1, Long.MAX_VALUE, 1L << 40, whole.length - 1, 1L << 31}) {
        byte[] broken = whole.clone();
        ByteBuffer.wrap(broken).order(ByteOrder.LITTLE_ENDIAN).putLong(at, value);
        int status = load(gpu, broken).status();
        assertThat(status).isIn(0, Status.BAD_CODE_OBJECT.code(), Status.OUT_OF_MEMORY.code());
        refused += status == 0 ? 0 : 1;
      }
    }
    assertThat(refused).isGreaterThan(50);
    works(gpu);
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void refusesWhatNoGpuHas(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    byte[] whole = FatBinary.select(code, target).orElseThrow();
    CodeObject object = CodeObject.read(whole);
    int descriptor = descriptor(object, "good");
    // The descriptor begins with the LDS of a workgroup and the scratch of a lane.
    int[][] wrong = {
      {0, 1 << 20, Status.LIMIT.code()},
      {0, -1, Status.BAD_CODE_OBJECT.code()},
      {4, 1 << 28, Status.BAD_CODE_OBJECT.code()},
      {4, -1, Status.BAD_CODE_OBJECT.code()}
    };
    for (int[] field : wrong) {
      byte[] broken = whole.clone();
      ByteBuffer.wrap(broken)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putInt(descriptor + field[0], field[1]);
      assertThat(status(gpu, broken)).as(Arrays.toString(field)).isEqualTo(field[2]);
    }
    Target other = target == Target.GFX90A ? Target.GFX942 : Target.GFX90A;
    byte[] foreign = FatBinary.select(code, other).orElseThrow();
    assertThat(load(gpu, foreign).message()).contains(other.arch()).contains(target.arch());
    byte[] unknown = whole.clone();
    unknown[48] = 0x30;
    assertThat(load(gpu, unknown).message()).contains("another GPU");
    works(gpu);
  }

  /** The status of a launch of {@code good}. */
  private int status(int gpu, byte[] image) throws IOException {
    try (Client client = device.client()) {
      Client.Kernel kernel = client.module(gpu, image).kernel("good");
      Client.Reply reply = client.launch(kernel, 1, 256, client.allocate(gpu, 1024), 1);
      if (reply.status() != 0) {
        assertThat(reply.message()).isNotEmpty().doesNotContain("bug");
      }
      return reply.status();
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void endsEndlessLoops(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    byte[] looping = FatBinary.select(code, target).orElseThrow();
    CodeObject object = CodeObject.read(looping);
    KernelInfo kernel =
        object.kernels().stream().filter(k -> k.name().contains("good")).findFirst().orElseThrow();
    CodeObject.Segment text =
        object.segments().stream()
            .filter(s -> s.address() == object.text().address())
            .findFirst()
            .orElseThrow();
    int entry = (int) (kernel.entry() - text.address() + text.offset());
    int branchToItself = 0xbf82ffff;
    ByteBuffer code = ByteBuffer.wrap(looping).order(ByteOrder.LITTLE_ENDIAN);
    for (int at : new int[] {entry, entry + 256}) {
      code.putInt(at, branchToItself);
    }
    assertThat(status(gpu, looping)).isEqualTo(Status.FAULT.code());
    works(gpu);
  }

  private static int descriptor(CodeObject object, String name) {
    KernelInfo kernel =
        object.kernels().stream().filter(k -> k.name().contains(name)).findFirst().orElseThrow();
    for (CodeObject.Segment s : object.segments()) {
      long in = kernel.descriptorAddress() - s.address();
      if (in >= 0 && in < s.fileSize()) {
        return (int) (s.offset() + in);
      }
    }
    throw new AssertionError("no descriptor");
  }

  private int launch(int gpu, byte[] image) throws IOException {
    try (Client client = device.client()) {
      Client.Reply loaded = client.ask(Wire.LOAD, new Wire.Payload().u32(gpu).bytes(image));
      if (loaded.status() != 0) {
        assertThat(loaded.message()).isNotEmpty();
        return loaded.status();
      }
      Client.Module module = Client.module(loaded.payload());
      long out = client.allocate(gpu, 1024);
      int status = 0;
      for (Client.Kernel kernel : module.kernels().values()) {
        if (kernel.arguments().size() == 4 && kernel.argumentBytes() < 4096) {
          Client.Reply reply = client.launch(kernel, 3, 256, out, 1, 2L, 20);
          status = reply.status();
          if (status != 0) {
            assertThat(reply.message()).isNotEmpty();
          }
        }
      }
      return status;
    } catch (IOException e) {
      assertThat(e).hasMessage("the kernel prints without end");
      return -1;
    } catch (IndexOutOfBoundsException e) {
      // The kernel says that its arguments are where they are not: this program gives up.
      return -1;
    }
  }

  @Test
  void survivesBrokenMessages() throws Exception {
    Random random = new Random(11);
    for (int round = 0; round < 300; round++) {
      try (SocketChannel channel =
          SocketChannel.open(UnixDomainSocketAddress.of(device.socket()))) {
        if (random.nextBoolean()) {
          byte[] hello =
              new Wire.Payload()
                  .u32(Connection.VERSION)
                  .u32(1)
                  .u64(0)
                  .string("broken")
                  .string("*")
                  .string("0,1")
                  .string("all=7")
                  .toBytes();
          Wire.write(channel, Wire.HELLO, Status.OK, hello);
        }
        for (int i = 0; i < 4; i++) {
          byte[] junk = new byte[random.nextInt(200)];
          random.nextBytes(junk);
          int type = random.nextInt(18);
          if (type != Wire.STOP) {
            ByteBuffer message =
                ByteBuffer.allocate(8 + junk.length).order(ByteOrder.LITTLE_ENDIAN);
            message.putInt(random.nextInt(8) == 0 ? random.nextInt() : 4 + junk.length);
            message.putShort((short) type).putShort((short) 0).put(junk).flip();
            channel.write(message);
          }
        }
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("Broken pipe");
      }
    }
    works(0);
  }

  @Test
  void answersWrongRequests() throws Exception {
    try (Client client = device.client()) {
      Client.Module module = client.module(0, code);
      assertThat(client.ask(Wire.HELLO, new Wire.Payload().u32(3)).status()).isEqualTo(1);
      assertThat(client.ask(99, new Wire.Payload()).status()).isEqualTo(1);
      assertThat(client.ask(Wire.ALLOC, new Wire.Payload().u32(0)).status()).isEqualTo(1);
      assertThat(
              client
                  .ask(Wire.ALLOC, new Wire.Payload().u32(0).u32(0).u64(1L << 40).u64(0))
                  .status())
          .isEqualTo(Status.OUT_OF_MEMORY.code());
      assertThat(client.ask(Wire.ALLOC, new Wire.Payload().u32(0).u32(0).u64(-1).u64(0)).status())
          .isNotZero();
      assertThat(client.ask(Wire.FREE, new Wire.Payload().u64(1234)).status()).isEqualTo(9);
      assertThat(client.ask(Wire.UNLOAD, new Wire.Payload().u64(1234)).status()).isEqualTo(9);
      assertThat(client.ask(Wire.LOAD, new Wire.Payload().u32(77)).status()).isEqualTo(9);
      Client.Kernel kernel = module.kernel("good");
      int most = Integer.MAX_VALUE;
      for (int[] grid : new int[][] {{0, 1}, {1, 0}, {-1, 64}, {1, 1025}, {1, -5}, {most, 1024}}) {
        assertThat(client.launch(kernel, grid[0], grid[1], 0L, 0).status())
            .as("grid %d, block %d", grid[0], grid[1])
            .isEqualTo(Status.LIMIT.code());
      }
      assertThat(client.ask(Wire.LAUNCH, Client.request(kernel, 1, 1, 1 << 20, 0, 0L, 0)).status())
          .isEqualTo(Status.LIMIT.code());
      assertThat(client.ask(Wire.LAUNCH, Client.request(kernel, 1, 1, -4, 0, 0L, 0)).status())
          .isEqualTo(Status.LIMIT.code());
      assertThat(client.ask(Wire.LAUNCH, Client.request(kernel, 9999, 64, 0, 1, 0L, 0)).status())
          .isEqualTo(Status.COOPERATIVE_TOO_LARGE.code());
      long bytes = client.allocate(0, 1024);
      client.run(kernel, 1, 256, bytes, 1);
    }
  }

  @Test
  void outlivesManyConnections() throws Exception {
    List<SocketChannel> open = new ArrayList<>();
    try {
      for (int i = 0; i < 3000; i++) {
        open.add(SocketChannel.open(UnixDomainSocketAddress.of(device.socket())));
      }
      works(0);
    } finally {
      for (SocketChannel c : open) {
        c.close();
      }
    }
    works(0);
  }

  @Test
  void freesWhatAKilledProgramHeld() throws Exception {
    works(0);
    try (SmallDevice mine = SmallDevice.start("--linger", "60");
        Client other = mine.client()) {
      Client.Module module = other.module(0, code);
      long out = other.allocate(0, 1024);
      final long free = freeBytes(other);
      final long blocks = blocks(other);
      Process program =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--add-modules",
                  "jdk.incubator.vector",
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  TestClasses.path(),
                  WaitingProgram.class.getName(),
                  mine.socket().toString(),
                  codeFile.toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (var lines = program.inputReader()) {
        assertThat(lines.readLine()).isEqualTo("runs");
      }
      assertThat(free - freeBytes(other)).isGreaterThan((long) WaitingProgram.MEGABYTES << 20);
      assertThat(blocks(other) - blocks).isGreaterThan(WaitingProgram.MEGABYTES << 11);
      program.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
      for (int i = 0; i < 100 && freeBytes(other) != free; i++) {
        Thread.sleep(50);
      }
      assertThat(freeBytes(other)).isEqualTo(free);
      assertThat(blocks(other) - blocks).isLessThan(1 << 11);
      long start = System.nanoTime();
      other.run(module.kernel("good"), 1, 256, out, 5);
      assertThat(System.nanoTime() - start).isLessThan(5_000_000_000L);
    }
  }

  private static long freeBytes(Client client) throws IOException {
    return client.call(Wire.MEMINFO, new Wire.Payload().u32(0)).getLong();
  }

  /** Blocks of 512 bytes that the shared memory takes from the system. */
  private static long blocks(Client client) throws Exception {
    Process stat =
        new ProcessBuilder(
                "stat", "-L", "-c", "%b", "/proc/" + client.devicePid + "/fd/" + client.fd)
            .start();
    try (var lines = stat.inputReader()) {
      return Long.parseLong(lines.readLine());
    }
  }

  @Test
  void programsEndWhenTheDeviceIsKilled() throws Exception {
    SmallDevice mine = SmallDevice.start();
    try (Client client = mine.client()) {
      Client.Module module = client.module(0, code);
      long flag = client.allocate(0, 64);
      client.store(flag, 0);
      client.send(Wire.LAUNCH, Client.launchRequest(module.kernel("spins"), 1, 64, flag).toBytes());
      mine.process().destroyForcibly().waitFor(10, TimeUnit.SECONDS);
      assertThatThrownBy(client::receive).isInstanceOf(IOException.class);
    }
    // Its socket is still there; a new device takes its place.
    assertThat(mine.socket()).exists();
    try (SmallDevice next = SmallDevice.restart(mine);
        Client client = next.client()) {
      assertThat(client.gpus).hasSize(4);
    }
  }

  @Test
  void refusesASecondDeviceAndImpossibleSockets(@TempDir Path folder) throws Exception {
    try (SmallDevice second = SmallDevice.start(folder, device.socket())) {
      assertThat(second.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(second.process().exitValue()).isEqualTo(2);
      assertThat(second.log()).contains("a device is already running at " + device.socket());
    }
    works(0);
    Path nowhere = folder.resolve("none").resolve("s");
    try (SmallDevice lost = SmallDevice.start(folder, nowhere)) {
      assertThat(lost.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(lost.log()).contains("the folder of the socket does not exist");
    }
    try (SmallDevice lost = SmallDevice.start(folder, folder.resolve("s".repeat(120)))) {
      assertThat(lost.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(lost.log()).contains("the socket path is longer than 107 bytes");
    }
  }

  @Test
  void endsSomeTimeAfterItsLastProgram() throws Exception {
    try (SmallDevice mine = SmallDevice.start("--linger", "1")) {
      try (Client client = mine.client()) {
        Thread.sleep(1500);
        assertThat(client.ask(Wire.PING, new Wire.Payload()).status()).isZero();
      }
      assertThat(mine.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(mine.process().exitValue()).isZero();
      assertThat(mine.socket()).doesNotExist();
    }
  }
}
