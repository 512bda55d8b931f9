package dev.rocport.device.bench;

import dev.rocport.device.bench.Workload.Buffers;
import dev.rocport.device.bench.Workload.Element;
import dev.rocport.device.bench.Workload.Step;
import dev.rocport.device.check.Checker;
import dev.rocport.device.check.Checks;
import dev.rocport.device.check.DelayedPlaces;
import dev.rocport.device.check.Findings;
import dev.rocport.device.check.race.Races;
import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.codeobject.FatBinary;
import dev.rocport.device.dispatch.DispatchOptions;
import dev.rocport.device.dispatch.Gpu;
import dev.rocport.device.dispatch.HostServices;
import dev.rocport.device.dispatch.KernelFault;
import dev.rocport.device.dispatch.KnownCode;
import dev.rocport.device.dispatch.Launch;
import dev.rocport.device.dispatch.LaunchRequest;
import dev.rocport.device.dispatch.LoadedCode;
import dev.rocport.device.dispatch.Scheduler;
import dev.rocport.device.dispatch.Trace;
import dev.rocport.device.dispatch.TurnOrder;
import dev.rocport.device.dispatch.Watching;
import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.memory.Ranges;
import dev.rocport.device.memory.SharedArena;
import dev.rocport.device.nativecode.NativeEngine;
import dev.rocport.device.server.Checkers;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A GPU with the benchmark's kernels, and room for a workload. */
final class BenchDevice implements AutoCloseable {
  private static final int PAGE = 4096;

  /** What a workload is given for its numbers, beyond their bytes. */
  private static final int SPARE = 1 << 16;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

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
   * What a run of a workload took.
   *
   * @param seconds processor time
   * @param elapsed seconds from its start to its end
   */
  record Run(double seconds, double elapsed, long instructions, long waves) {}

  private final Gpu gpu;
  private final Findings findings = new Findings();
  private final AddressSpace memory = new AddressSpace();
  private final Ranges ranges;
  private final LoadedCode code;
  private final DispatchOptions options;
  private final List<Checker> checkers;
  private final Scheduler scheduler;

  /**
   * @param bundle the kernels' fat binary
   * @param threads workers
   * @param checks what is looked for in all runs
   * @param engine runs kernels
   */
  BenchDevice(
      Target target,
      SharedArena arena,
      byte[] bundle,
      int threads,
      Checks checks,
      NativeEngine engine) {
    this.options =
        new DispatchOptions(Duration.ZERO, checks, Trace.NONE, engine, TurnOrder.ASCENDING);
    this.checkers = Checkers.of(checks, findings, new DelayedPlaces(checks.delays()), new Races());
    this.ranges = new Ranges(arena.base(), arena.size());
    this.gpu = new Gpu(0, target, 104, arena.base(), arena.size(), ranges);
    CodeObject object = CodeObject.read(FatBinary.select(bundle, target).orElseThrow());
    this.code =
        LoadedCode.load(
            object,
            allocate(object.loadedSize(), Allocation.Kind.CODE).base(),
            checkers,
            new KnownCode(engine));
    this.scheduler = new Scheduler(threads);
  }

  private Allocation allocate(long size, Allocation.Kind kind) {
    long at = ranges.take(size, PAGE).orElseThrow();
    Allocation allocation = new Allocation(at, size, kind, "benchmark");
    memory.add(allocation);
    if (kind == Allocation.Kind.DEVICE) {
      checkers.forEach(c -> c.allocated(allocation, gpu.index()));
    }
    Memory.fill(at, size, (byte) 0);
    return allocation;
  }

  private void release(Allocation allocation) {
    memory.remove(allocation);
    checkers.forEach(c -> c.freed(allocation));
    ranges.give(allocation.base());
  }

  /** The inputs and the output of a workload. */
  final class Prepared implements AutoCloseable {
    private final Workload workload;
    private final int size;
    private final Allocation in;
    private final Allocation other;
    private final Allocation out;

    Prepared(Workload workload, int size) {
      this.workload = workload;
      this.size = size;
      long numbers = workload.inputs(size);
      this.in = filled(numbers, 0);
      this.other = filled(numbers, (int) numbers);
      this.out = allocate(4 * numbers + SPARE, Allocation.Kind.DEVICE);
    }

    private Allocation filled(long numbers, int first) {
      Allocation allocation = allocate(4 * numbers + SPARE, Allocation.Kind.DEVICE);
      for (int i = 0; i < numbers; i++) {
        int word = bits(first + i);
        Memory.storeInt(
            allocation.base() + 4L * i,
            workload.element() == Element.FLOAT
                ? Float.floatToRawIntBits((word >>> 8) * 0x1p-24f)
                : word);
      }
      checkers.forEach(c -> c.hostWrote(allocation.base(), allocation.size()));
      return allocation;
    }

    /** Runs the workload once. */
    Run run() throws InterruptedException {
      Memory.fill(out.base(), SPARE, (byte) 0);
      checkers.forEach(c -> c.hostWrote(out.base(), SPARE));
      Watching watching = checkers.isEmpty() ? Watching.NOTHING : new Watching(checkers);
      long instructions = 0;
      long waves = 0;
      long start = System.nanoTime();
      Map<Long, Long> before = processorTimes();
      for (Step step : workload.steps(size)) {
        Launch launch = new Launch(request(step), gpu, memory, NONE, options, watching);
        scheduler.start(launch);
        launch.await();
        KernelFault fault = launch.fault();
        if (fault != null) {
          throw new IllegalStateException(fault.message());
        }
        instructions += launch.instructions();
        waves += launch.waves();
      }
      double elapsed = (System.nanoTime() - start) / 1e9;
      return new Run(secondsSince(before), elapsed, instructions, waves);
    }

    private LaunchRequest request(Step step) {
      ByteBuffer arguments = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
      if (step.buffers() != Buffers.OUT) {
        arguments.putLong(in.base());
      }
      if (step.buffers() == Buffers.ALL) {
        arguments.putLong(other.base());
      }
      arguments.putLong(out.base());
      step.numbers().forEach(arguments::putInt);
      CodeObject object = code.object();
      return new LaunchRequest(
          code,
          object.kernels().indexOf(object.kernel(step.kernel()).orElseThrow()),
          step.grid(),
          step.block(),
          0,
          false,
          null,
          null,
          List.of(),
          Arrays.copyOf(arguments.array(), arguments.position()));
    }

    /** How many different findings there are; these kernels are right. */
    int findings() {
      return findings.count();
    }

    /** What the last run left, as {@link Workload#result} has it. */
    double[] result() {
      return workload.result(size, out.base());
    }

    @Override
    public void close() {
      release(in);
      release(other);
      release(out);
    }
  }

  /** The function of {@code host.cpp}. */
  private static int bits(int index) {
    int i = index * 0x9e3779b1;
    i ^= i >>> 15;
    i *= 0x85ebca77;
    return i ^ i >>> 13;
  }

  /** Of all threads of Java: those of the virtual machine's own compiler are none. */
  private static Map<Long, Long> processorTimes() {
    Map<Long, Long> times = new HashMap<>();
    for (long id : THREADS.getAllThreadIds()) {
      times.put(id, Math.max(0, THREADS.getThreadCpuTime(id)));
    }
    return times;
  }

  /** What the threads that live took since; one that has ended meanwhile is none that worked. */
  private static double secondsSince(Map<Long, Long> before) {
    long nanos = 0;
    for (Map.Entry<Long, Long> now : processorTimes().entrySet()) {
      nanos += now.getValue() - before.getOrDefault(now.getKey(), 0L);
    }
    return nanos / 1e9;
  }

  @Override
  public void close() {
    scheduler.close();
  }
}
