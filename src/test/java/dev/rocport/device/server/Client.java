package dev.rocport.device.server;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A program, as docs/device-protocol.md has it: one connection, and the shared memory. */
final class Client implements AutoCloseable {
  /** A GPU of the device. */
  record Gpu(String arch, String fullArch, long base, long size, int computeUnits) {}

  /** A kernel of a module. */
  record Kernel(long module, int index, int argumentBytes, List<int[]> arguments, int lds) {}

  /** The reply of LOAD. */
  record Module(long number, Map<String, Kernel> kernels, Map<String, Long> variables) {
    Kernel kernel(String name) {
      return kernels.entrySet().stream()
          .filter(
              k -> k.getKey().startsWith("_Z" + name.length() + name) || k.getKey().equals(name))
          .map(Map.Entry::getValue)
          .findFirst()
          .orElseThrow(() -> new AssertionError(name + " is not in " + kernels.keySet()));
    }
  }

  /** A reply with its status. */
  record Reply(int type, int status, ByteBuffer payload) {
    String message() {
      byte[] text = new byte[payload.getInt(0)];
      payload.get(4, text);
      return new String(text, StandardCharsets.UTF_8);
    }
  }

  private static final int MOST_OUTPUT = 1 << 22;

  private final Path socket;
  private final SocketChannel channel;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Arena arena = Arena.ofShared();
  final long session;
  final long arenaBase;
  final int devicePid;
  final int fd;
  final List<Gpu> gpus = new ArrayList<>();
  final long seed;
  private final MemorySegment memory;

  /** A new program. */
  Client(Path socket) throws IOException {
    this(socket, "");
  }

  /** A new program that chooses the seed of the checks. */
  Client(Path socket, String checks) throws IOException {
    this(socket, 0, checks);
  }

  private Client(Path socket, long joined, String checks) throws IOException {
    this.socket = socket;
    channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    ByteBuffer hello =
        call(
            Wire.HELLO,
            new Wire.Payload()
                .u32(Connection.VERSION)
                .u32(ProcessHandle.current().pid())
                .u64(joined)
                .string("test")
                .string(VisibleGpus.NOT_SET)
                .string(VisibleGpus.NOT_SET)
                .string(checks));
    session = hello.getLong();
    arenaBase = hello.getLong();
    final long arenaSize = hello.getLong();
    devicePid = hello.getInt();
    fd = hello.getInt();
    hello.getLong();
    hello.getLong();
    int count = hello.getInt();
    for (int i = 0; i < count; i++) {
      gpus.add(
          new Gpu(string(hello), string(hello), hello.getLong(), hello.getLong(), hello.getInt()));
    }
    hello.getInt();
    seed = hello.getLong();
    try (FileChannel file =
        FileChannel.open(
            Path.of("/proc/" + devicePid + "/fd/" + fd),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      memory = file.map(FileChannel.MapMode.READ_WRITE, 0, arenaSize, arena);
    }
  }

  /** A stream of this program: another connection of its session. */
  Client stream() throws IOException {
    return new Client(socket, session, "");
  }

  private static String string(ByteBuffer in) {
    byte[] text = new byte[in.getInt()];
    in.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }

  /** The memory from a device address on. */
  MemorySegment at(long address, long size) {
    return memory.asSlice(address - arenaBase, size);
  }

  int load(long address) {
    return at(address, 4).get(ValueLayout.JAVA_INT_UNALIGNED, 0);
  }

  long loadLong(long address) {
    return at(address, 8).get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
  }

  void store(long address, int value) {
    at(address, 4).set(ValueLayout.JAVA_INT_UNALIGNED, 0, value);
  }

  /** What kernels have printed to standard output. */
  String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  /** What came for standard error. */
  String complained() {
    return err.toString(StandardCharsets.UTF_8);
  }

  void send(int type, byte[] payload) throws IOException {
    Wire.write(channel, type, Status.OK, payload);
  }

  Reply receive() throws IOException {
    while (true) {
      ByteBuffer head = fill(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN));
      int size = head.getInt() - 4;
      int type = head.getShort() & 0xffff;
      int status = head.getShort() & 0xffff;
      ByteBuffer payload = fill(ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN));
      if (type != Wire.OUTPUT) {
        return new Reply(type, status, payload);
      }
      (payload.getInt() == 2 ? err : out).write(payload.array(), 4, size - 4);
      if (out.size() + err.size() > MOST_OUTPUT) {
        throw new IOException("the kernel prints without end");
      }
    }
  }

  private ByteBuffer fill(ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        throw new EOFException();
      }
    }
    return buffer.flip();
  }

  /** A request, and the reply whatever its status. */
  Reply ask(int type, Wire.Payload payload) throws IOException {
    send(type, payload.toBytes());
    Reply reply = receive();
    if (reply.type() != type) {
      throw new AssertionError("a reply of type " + reply.type() + " to " + type);
    }
    return reply;
  }

  /** A request that has to succeed. */
  ByteBuffer call(int type, Wire.Payload payload) throws IOException {
    Reply reply = ask(type, payload);
    if (reply.status() != 0) {
      throw new AssertionError("status " + reply.status() + ": " + reply.message());
    }
    return reply.payload();
  }

  long allocate(int gpu, long size) throws IOException {
    return allocate(gpu, 0, size);
  }

  /** Kind 0 is device memory, 1 host memory. */
  long allocate(int gpu, int kind, long size) throws IOException {
    return call(Wire.ALLOC, new Wire.Payload().u32(gpu).u32(kind).u64(size).u64(0)).getLong();
  }

  void free(long address) throws IOException {
    call(Wire.FREE, new Wire.Payload().u64(address));
  }

  Module module(int gpu, byte[] image) throws IOException {
    return module(call(Wire.LOAD, new Wire.Payload().u32(gpu).bytes(image)));
  }

  static Module module(ByteBuffer in) {
    long number = in.getLong();
    Map<String, Kernel> kernels = new LinkedHashMap<>();
    int count = in.getInt();
    for (int i = 0; i < count; i++) {
      String name = string(in);
      int bytes = in.getInt();
      int n = in.getInt();
      List<int[]> arguments = new ArrayList<>();
      for (int a = 0; a < n; a++) {
        arguments.add(new int[] {in.getInt(), in.getInt(), in.getInt()});
      }
      int lds = in.getInt();
      in.getInt();
      in.getInt();
      in.getInt();
      in.getInt();
      kernels.put(name, new Kernel(number, i, bytes, arguments, lds));
    }
    Map<String, Long> variables = new LinkedHashMap<>();
    int n = in.getInt();
    for (int i = 0; i < n; i++) {
      String name = string(in);
      variables.put(name, in.getLong());
      in.getLong();
    }
    return new Module(number, kernels, variables);
  }

  /** The request for a launch in one dimension; arguments are Long or Integer. */
  static Wire.Payload launchRequest(Kernel kernel, int grid, int block, Object... arguments) {
    return request(kernel, grid, block, 0, 0, arguments);
  }

  /** The same with dynamic LDS, and flags: 1 is cooperative. */
  static Wire.Payload request(
      Kernel kernel, int grid, int block, int dynamicLds, int flags, Object... arguments) {
    ByteBuffer packed = ByteBuffer.allocate(kernel.argumentBytes()).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < arguments.length; i++) {
      int offset = kernel.arguments().get(i)[0];
      switch (arguments[i]) {
        case Long l -> packed.putLong(offset, l);
        case Integer n -> packed.putInt(offset, n);
        default -> throw new IllegalArgumentException(String.valueOf(arguments[i]));
      }
    }
    return new Wire.Payload()
        .u64(kernel.module())
        .u32(kernel.index())
        .u32(grid)
        .u32(1)
        .u32(1)
        .u32(block)
        .u32(1)
        .u32(1)
        .u32(dynamicLds)
        .u32(flags)
        .u64(0)
        .u32(packed.capacity())
        .bytes(packed.array());
  }

  /** Launches, and waits until the kernel has ended. */
  Reply launch(Kernel kernel, int grid, int block, Object... arguments) throws IOException {
    return ask(Wire.LAUNCH, launchRequest(kernel, grid, block, arguments));
  }

  /** Launches a kernel that has to end well. */
  void run(Kernel kernel, int grid, int block, Object... arguments) throws IOException {
    call(Wire.LAUNCH, launchRequest(kernel, grid, block, arguments));
  }

  @Override
  public void close() throws IOException {
    channel.close();
    arena.close();
  }
}
