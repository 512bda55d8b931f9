package dev.rocport.device.server;

import dev.rocport.device.check.Check;
import dev.rocport.device.check.Checks;
import dev.rocport.device.check.ConcurrentCopy;
import dev.rocport.device.check.Coverage;
import dev.rocport.device.check.Delays;
import dev.rocport.device.check.VectorClock;
import dev.rocport.device.dispatch.Gpu;
import dev.rocport.device.dispatch.KernelFault;
import dev.rocport.device.dispatch.Launch;
import dev.rocport.device.dispatch.LaunchRequest;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.wave.Temporaries;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Serves one connection of a program, request by request, until it closes. */
final class Connection implements Runnable {
  /** Of the messages. */
  static final int VERSION = 4;

  /** Flags of a launch. */
  private static final int COOPERATIVE = 1;

  private static final int PART = 2;

  /** Before HELLO, nothing long comes. */
  private static final int GREETING = 1 << 16;

  private static final KernelFault GONE =
      new KernelFault(KernelFault.Kind.CANCELLED, "its program has ended");

  /** How often a launch is looked after, in milliseconds. */
  private static final long LOOK = 100;

  private final SocketChannel channel;
  private final Link link;
  private final DeviceServer server;
  private final Device device;
  private @Nullable Session session;
  private boolean control;
  private List<ConcurrentCopy> concurrent = List.of();

  /** For what this thread runs of a launch. */
  private final Temporaries temporaries = new Temporaries();

  Connection(SocketChannel channel, DeviceServer server) {
    this.channel = channel;
    this.link = new Link(channel);
    this.server = server;
    this.device = server.device();
  }

  /** Ends it, from another thread. */
  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It is closed as far as can be.
    }
  }

  @Override
  public void run() {
    try (channel) {
      while (true) {
        answer(link.read(session == null ? GREETING : Integer.MAX_VALUE));
      }
    } catch (IOException e) {
      // The program has closed its end, or has died.
    } finally {
      Session mine = session;
      if (mine != null && control) {
        server.end(mine);
      }
      server.closed(this);
    }
  }

  private void answer(Wire.Request request) throws IOException {
    byte[] payload;
    Status status = Status.OK;
    try {
      payload = serve(request).toBytes();
    } catch (RequestException e) {
      status = e.status();
      payload = message(e);
    } catch (BufferUnderflowException e) {
      status = Status.BAD_REQUEST;
      payload = new Wire.Payload().string("a message that is too short").toBytes();
    } catch (RuntimeException | Error e) {
      status = Status.UNSUPPORTED;
      payload = new Wire.Payload().string("bug in the device: " + e).toBytes();
    }
    link.write(request.type(), status, payload);
  }

  private static byte[] message(RequestException e) {
    Wire.Payload payload = new Wire.Payload().string(String.valueOf(e.getMessage()));
    return (e.status() == Status.FAULT ? payload.u64(e.address()) : payload).toBytes();
  }

  private Wire.Payload serve(Wire.Request in) throws IOException {
    return switch (in.type()) {
      case Wire.HELLO -> hello(in);
      case Wire.PING -> new Wire.Payload().string("rocport device " + VERSION);
      case Wire.ALLOC ->
          new Wire.Payload().u64(session().allocate(gpu(in), in.u32(), in.u64(), in.u64()));
      case Wire.FREE -> {
        session().free(in.u64());
        yield new Wire.Payload();
      }
      case Wire.KEEP -> {
        session().keep(in.u64());
        yield new Wire.Payload();
      }
      case Wire.REUSE -> {
        session().reuse(in.u64(), in.u64());
        yield new Wire.Payload();
      }
      case Wire.ALIAS -> {
        session().alias(in.u64(), in.u64());
        yield new Wire.Payload();
      }
      case Wire.LOAD -> {
        int gpu = gpu(in);
        long module = session().load(gpu, in.rest());
        yield ModuleDescription.of(module, session().code(module));
      }
      case Wire.UNLOAD -> {
        session().unload(in.u64());
        yield new Wire.Payload();
      }
      case Wire.LAUNCH -> launch(in);
      case Wire.MEMINFO -> {
        int gpu = gpu(in);
        yield new Wire.Payload().u64(device.pool(gpu).available()).u64(device.gpu(gpu).size());
      }
      case Wire.PEER -> {
        session().peer(gpu(in), gpu(in), in.u32() != 0);
        yield new Wire.Payload();
      }
      case Wire.IPC_EXPORT -> {
        long address = in.u64();
        Allocation allocation = session().holding(address);
        if (allocation == null) {
          throw new RequestException(
              Status.INVALID_VALUE, "0x%x is not an allocation".formatted(address));
        }
        yield new Wire.Payload().bytes(device.share(allocation));
      }
      case Wire.IPC_OPEN -> {
        Allocation allocation = device.shared(in.bytes(Device.HANDLE));
        session().open(allocation, gpu(in));
        yield new Wire.Payload().u64(allocation.base()).u64(allocation.size());
      }
      case Wire.IPC_CLOSE -> {
        session().closeShared(in.u64());
        yield new Wire.Payload();
      }
      case Wire.RESERVE -> new Wire.Payload().u64(virtual().reserve(in.u64(), in.u64()));
      case Wire.UNRESERVE -> {
        virtual().unreserve(in.u64());
        yield new Wire.Payload();
      }
      case Wire.CREATE -> new Wire.Payload().u64(virtual().create(gpu(in), in.u64()));
      case Wire.RELEASE -> {
        virtual().release(in.u64());
        yield new Wire.Payload();
      }
      case Wire.EXPORT -> new Wire.Payload().bytes(virtual().export(in.u64()));
      case Wire.IMPORT -> {
        Backing backing = virtual().open(in.bytes(Device.HANDLE));
        yield new Wire.Payload()
            .u64(backing.base())
            .u64(backing.size())
            .u32(session().ordinal(backing.gpu()));
      }
      case Wire.MAP -> {
        virtual().map(in.u64(), in.u64(), in.u64(), in.u64());
        yield new Wire.Payload();
      }
      case Wire.UNMAP -> {
        virtual().unmap(in.u64());
        yield new Wire.Payload();
      }
      case Wire.ACCESS -> {
        virtual().access(in.u64(), gpu(in), in.u32());
        yield new Wire.Payload();
      }
      case Wire.OCCUPANCY ->
          new Wire.Payload().u32(session().occupancy(in.u64(), in.u32(), in.u32(), in.u32()));
      case Wire.TOUCHED -> {
        CheckMessages.touched(in, session().watcher());
        yield new Wire.Payload();
      }
      case Wire.MEET -> new Wire.Payload().u64(CheckMessages.meet(in, session().watcher()));
      case Wire.FOUND -> {
        session().watcher().add(CheckMessages.found(in, () -> session().watcher().hostSites()));
        session().watcher().tell(output());
        yield new Wire.Payload();
      }
      case Wire.MEANWHILE -> {
        concurrent = CheckMessages.concurrent(in, () -> session().watcher().hostSites());
        yield new Wire.Payload();
      }
      case Wire.DELAYED -> {
        Watcher watcher = session().watcher();
        CheckMessages.delayed(in, watcher.places(), watcher::hostSites);
        watcher.tell(output());
        yield new Wire.Payload();
      }
      case Wire.SUMMARY -> {
        Watcher watcher = session().watcher();
        watcher.tell(output());
        Coverage coverage = watcher.tellCoverage(output(), in.isAtEnd() ? 0 : in.u64());
        yield new Wire.Payload().u32(watcher.count()).string(watcher.page(coverage));
      }
      case Wire.STOP -> {
        server.stopIfUnused();
        yield new Wire.Payload();
      }
      default -> throw new RequestException(Status.BAD_REQUEST, "unknown request " + in.type());
    };
  }

  /** Sends what a check tells between launches. */
  private Output output() {
    return new Output() {
      @Override
      public void write(int fd, byte[] text) {
        try {
          link.write(Wire.OUTPUT, Status.OK, new Wire.Payload().u32(fd).bytes(text).toBytes());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }

      @Override
      public boolean isFull() {
        return false;
      }
    };
  }

  /** The device's number of the GPU that a request names by the program's. */
  private int gpu(Wire.Request in) {
    int ordinal = in.u32();
    List<Integer> visible = session().visible();
    if (ordinal < 0 || ordinal >= visible.size()) {
      throw new RequestException(Status.INVALID_VALUE, "no GPU " + ordinal);
    }
    return visible.get(ordinal);
  }

  private VirtualMemory virtual() {
    return session().virtual();
  }

  private Session session() {
    Session mine = session;
    if (mine == null) {
      throw new RequestException(Status.BAD_REQUEST, "HELLO must come first");
    }
    return mine;
  }

  private Wire.Payload hello(Wire.Request in) {
    int version = in.u32();
    if (version != VERSION) {
      throw new RequestException(
          Status.BAD_REQUEST,
          "the program uses protocol version " + version + ", the device " + VERSION);
    }
    in.u32();
    long id = in.u64();
    String program = in.string();
    List<Integer> visible = VisibleGpus.of(device.gpus().size(), in.string(), in.string());
    String asked = in.string();
    if (session != null) {
      throw new RequestException(Status.BAD_REQUEST, "a second HELLO");
    }
    server.greeted(this);
    control = id == 0;
    Session mine = control ? server.begin(program, visible, asked) : server.session(id);
    session = mine;
    Wire.Payload out =
        new Wire.Payload()
            .u64(mine.id())
            .u64(device.arena().base())
            .u64(device.arena().size())
            .u32(ProcessHandle.current().pid())
            .u32(device.arena().fd())
            .u64(device.hostBase())
            .u64(device.hostSize())
            .u32(mine.visible().size());
    for (int index : mine.visible()) {
      Gpu gpu = device.gpu(index);
      out.string(gpu.target().arch())
          .string(gpu.fullArch())
          .u64(gpu.base())
          .u64(gpu.size())
          .u32(gpu.computeUnits());
    }
    Checks checks = mine.checks();
    int on = 0;
    for (Check check : checks.on()) {
      on |= 1 << check.number();
    }
    Delays delays = checks.delays();
    out.u32(on)
        .u64(checks.seed().orElse(0))
        .u32(delays.kind().number())
        .u32(delays.places().size());
    delays.places().forEach(out::u32);
    return out;
  }

  private Wire.Payload launch(Wire.Request in) throws IOException {
    long module = in.u64();
    int kernel = in.u32();
    LaunchRequest.Dim3 grid = new LaunchRequest.Dim3(in.u32(), in.u32(), in.u32());
    LaunchRequest.Dim3 block = new LaunchRequest.Dim3(in.u32(), in.u32(), in.u32());
    int dynamicLds = in.u32();
    int flags = in.u32();
    in.u64();
    byte[] arguments = in.bytes(in.u32());
    LaunchRequest.Part part =
        (flags & PART) == 0
            ? null
            : new LaunchRequest.Part(in.u64(), in.u32(), in.u32(), in.u64(), in.u64());
    Session mine = session();
    VectorClock clock = CheckMessages.clock(in, "kernel", mine.watcher()::hostSites);
    OutputQueue output = new OutputQueue();
    LaunchRequest request =
        new LaunchRequest(
            mine.code(module),
            kernel,
            grid,
            block,
            dynamicLds,
            (flags & COOPERATIVE) != 0,
            part,
            clock,
            concurrent,
            arguments);
    concurrent = List.of();
    Launch launch = mine.launch(module, request, output);
    try {
      device.start(launch, temporaries);
      lookAfter(launch, output);
    } finally {
      mine.ended(launch);
    }
    KernelFault fault = launch.fault();
    if (fault != null) {
      throw new RequestException(
          switch (fault.kind()) {
            case MEMORY, STALLED, CANCELLED -> Status.FAULT;
            case TRAP -> Status.TRAP;
            case UNSUPPORTED -> Status.UNSUPPORTED;
          },
          fault.message(),
          fault.address());
    }
    return new Wire.Payload().u64(launch.waves()).u64(launch.instructions());
  }

  /** Sends what a kernel prints, until it has ended; stops it where its program has gone. */
  private void lookAfter(Launch launch, OutputQueue output) throws IOException {
    try {
      while (!output.isEnded()) {
        boolean wasFull = output.isFull();
        OutputQueue.Chunk chunk = output.take(LOOK);
        if (chunk != null) {
          byte[] text = chunk.bytes().toByteArray();
          link.write(
              Wire.OUTPUT, Status.OK, new Wire.Payload().u32(chunk.fd()).bytes(text).toBytes());
          if (wasFull) {
            launch.answer();
          }
        } else if (link.isGone()) {
          throw new EOFException();
        }
        // Printing is not progress: a kernel may do that forever.
        launch.stopIfStalled();
      }
      launch.await();
    } catch (IOException e) {
      launch.stop(GONE);
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      launch.stop(GONE);
      throw new RequestException(Status.FAULT, "the device is shutting down");
    }
  }
}
