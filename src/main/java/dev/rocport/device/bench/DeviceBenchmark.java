package dev.rocport.device.bench;

import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.codeobject.FatBinary;
import dev.rocport.device.dispatch.Gpu;
import dev.rocport.device.dispatch.HostServices;
import dev.rocport.device.dispatch.KernelFault;
import dev.rocport.device.dispatch.Launch;
import dev.rocport.device.dispatch.LaunchRequest;
import dev.rocport.device.dispatch.LaunchRequest.Dim3;
import dev.rocport.device.dispatch.LoadedCode;
import dev.rocport.device.dispatch.Scheduler;
import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.memory.Ranges;
import dev.rocport.device.memory.SharedArena;
import dev.rocport.toolchain.Toolchain;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a grid-stride float reduction of 2^24 numbers and a matmul of 512 by 512 with LDS tiles, on
 * one worker, and the same work compiled for the processor, one after the other.
 */
public final class DeviceBenchmark {
  private static final int NUMBERS = 1 << 24;
  private static final int SIDE = 512;
  private static final int TILE = 16;
  private static final long ARENA = 1L << 30;
  private static final int WARM_UP = 8;
  private static final int ROUNDS = 5;

  /** The device heap and printing are not needed here. */
  private static final HostServices NONE =
      new HostServices() {
        @Override
        public long hostcallBuffer() {
          return 0;
        }

        @Override
        public long heap() {
          return 0;
        }

        @Override
        public void serve() {}
      };

  /**
   * A kernel's figures, each the best of some rounds after a warm-up.
   *
   * @param instructions of all its waves, each counted once for its 64 lanes
   * @param seconds processor time of the launch, this process's other threads included
   * @param hostSeconds the same work on one core of the processor, compiled at -O3 for it
   */
  public record Row(
      Target target,
      String kernel,
      long waves,
      long instructions,
      double seconds,
      double hostSeconds) {
    /** Millions of wave-instructions a second and core. */
    public double rate() {
      return instructions / seconds / 1e6;
    }
  }

  private final Toolchain toolchain;
  private final Path sources;
  private final Path folder;
  private final SharedArena arena = SharedArena.create(ARENA);

  /**
   * Prepares a benchmark.
   *
   * @param sources the folder with {@code kernels.hip} and {@code host.cpp}
   * @param folder an empty folder to compile in
   */
  public DeviceBenchmark(Toolchain toolchain, Path sources, Path folder) {
    this.toolchain = toolchain;
    this.sources = sources;
    this.folder = folder;
  }

  /** Measures both kernels on both targets. */
  public List<Row> run() throws IOException, InterruptedException {
    double[] host = host();
    byte[] bundle = compileKernels();
    List<Row> rows = new ArrayList<>();
    for (Target target : Target.values()) {
      rows.addAll(run(target, bundle, host));
    }
    return rows;
  }

  private List<Row> run(Target target, byte[] bundle, double[] host) throws InterruptedException {
    Ranges ranges = new Ranges(arena.base(), arena.size());
    Gpu gpu = new Gpu(0, target, 104, arena.base(), arena.size(), ranges);
    AddressSpace memory = new AddressSpace();
    CodeObject object = CodeObject.read(FatBinary.select(bundle, target).orElseThrow());
    LoadedCode code =
        LoadedCode.load(
            object, allocate(ranges, memory, object.loadedSize(), Allocation.Kind.CODE), List.of());
    long in = allocate(ranges, memory, NUMBERS * 4L, Allocation.Kind.DEVICE);
    long other = allocate(ranges, memory, SIDE * SIDE * 4L, Allocation.Kind.DEVICE);
    long out = allocate(ranges, memory, SIDE * SIDE * 4L, Allocation.Kind.DEVICE);
    try (Scheduler scheduler = new Scheduler(1)) {
      LaunchRequest reduction =
          new LaunchRequest(
              code,
              kernel(object, "reduction"),
              new Dim3(256, 1, 1),
              new Dim3(256, 1, 1),
              0,
              false,
              null,
              arguments(NUMBERS, in, out));
      LaunchRequest matmul =
          new LaunchRequest(
              code,
              kernel(object, "matmul"),
              new Dim3(SIDE / TILE, SIDE / TILE, 1),
              new Dim3(TILE, TILE, 1),
              0,
              false,
              null,
              arguments(SIDE, in, other, out));
      return List.of(
          measure(scheduler, gpu, memory, reduction, "reduction", host[0]),
          measure(scheduler, gpu, memory, matmul, "matmul", host[1]));
    }
  }

  private static Row measure(
      Scheduler scheduler,
      Gpu gpu,
      AddressSpace memory,
      LaunchRequest request,
      String name,
      double host)
      throws InterruptedException {
    double best = Double.MAX_VALUE;
    long instructions = 0;
    long waves = 0;
    for (int i = 0; i < WARM_UP + ROUNDS; i++) {
      Launch launch = new Launch(request, gpu, memory, NONE);
      double before = processorSeconds();
      scheduler.start(launch);
      launch.await();
      double took = processorSeconds() - before;
      KernelFault fault = launch.fault();
      if (fault != null) {
        throw new IllegalStateException(fault.message());
      }
      instructions = launch.instructions();
      waves = launch.waves();
      best = i < WARM_UP ? best : Math.min(best, took);
    }
    return new Row(gpu.target(), name, waves, instructions, best, host);
  }

  private static double processorSeconds() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
  }

  private static int kernel(CodeObject object, String name) {
    return object.kernels().indexOf(object.kernel(name).orElseThrow());
  }

  private static byte[] arguments(int last, long... pointers) {
    ByteBuffer out = ByteBuffer.allocate(pointers.length * 8 + 4).order(ByteOrder.LITTLE_ENDIAN);
    for (long p : pointers) {
      out.putLong(p);
    }
    return out.putInt(last).array();
  }

  private static long allocate(
      Ranges ranges, AddressSpace memory, long size, Allocation.Kind kind) {
    long at = ranges.take(size, 4096).orElseThrow();
    memory.add(new Allocation(at, size, kind, "benchmark"));
    Memory.fill(at, size, (byte) 0);
    return at;
  }

  private byte[] compileKernels() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    command.addAll(toolchain.hipCompile(List.of(Target.GFX90A.arch(), Target.GFX942.arch())));
    Path out = folder.resolve("kernels.hipfb");
    command.addAll(List.of("-O3", "--cuda-device-only", "-o", out.toString()));
    command.add(sources.resolve("kernels.hip").toString());
    execute(command);
    return Files.readAllBytes(out);
  }

  /** Seconds of the reduction and the matmul on the processor. */
  private double[] host() throws IOException, InterruptedException {
    Path program = folder.resolve("host");
    execute(
        List.of(
            toolchain.clang().toString(),
            "-std=c++17",
            "-O3",
            "-march=native",
            "-ffp-contract=fast",
            sources.resolve("host.cpp").toString(),
            "-o",
            program.toString()));
    String[] seconds =
        execute(List.of(program.toString(), Integer.toString(NUMBERS), Integer.toString(SIDE)))
            .strip()
            .split(" ", -1);
    return new double[] {Double.parseDouble(seconds[0]), Double.parseDouble(seconds[1])};
  }

  private static String execute(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(command.getFirst() + " failed:\n" + output);
    }
    return output;
  }
}
