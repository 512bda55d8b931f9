package dev.rocport.device.bench;

import dev.rocport.device.check.Checks;
import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.SharedArena;
import dev.rocport.device.nativecode.NativeEngine;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Runs kernels on one worker and the same work compiled for the CPU, and checks that the results
 * are equal.
 */
public final class DeviceBenchmark {
  /** Bytes of the memory of all GPUs. */
  static final long ARENA = 2L << 30;

  /** Seconds of runs that do not count: the compiler of the virtual machine is at work in them. */
  private static final double WARM_UP = 4;

  /** The same where another size has been run. */
  private static final double WARM_AGAIN = 0.5;

  /** Seconds of runs before those in turns: native code has to be there. */
  private static final double WARM_TARGET = 3;

  /** Runs of each target in turns. */
  private static final int TURNS = 10;

  /** Parts of the arena begin at multiples of it. */
  private static final long PART = 1L << 21;

  /** Seconds: a size of which one run would take longer is left out. */
  private static final double MOST = 60;

  private static final int ROUNDS = 5;

  /** Seconds in which a process compiles and keeps the code of a kernel. */
  private static final int FILL = 8;

  /** Seconds after which no further round begins. */
  private static final double ENOUGH = 10;

  private static final List<Integer> SIZES =
      List.of(10_000, 100_000, 1_000_000, 10_000_000, 100_000_000);

  /**
   * A workload's figures, each the best of some rounds after a warm-up.
   *
   * @param engine that ran it
   * @param elements numbers, or multiply-adds of a matrix product
   * @param instructions of all its waves, each counted once for its 64 lanes
   * @param seconds processor time of the launches: the worker's, and of who starts them
   * @param hostSeconds the same work on one core of the processor, compiled at -O3 for it
   */
  public record Row(
      Target target,
      NativeEngine engine,
      String kernel,
      long elements,
      long waves,
      long instructions,
      double seconds,
      double hostSeconds) {
    /** Millions of wave-instructions a second and core. */
    public double rate() {
      return instructions / seconds / 1e6;
    }

    /** How many times the processor's seconds it takes. */
    public double slower() {
      return seconds / hostSeconds;
    }
  }

  /**
   * A workload's native code on one target and on the first one.
   *
   * @param instructions of all its waves
   * @param seconds processor time of the launches, the best of some rounds
   * @param times the processor time relative to that on the first target; for that target 1
   */
  public record Compared(
      Target target, String kernel, long instructions, double seconds, double times) {}

  private final Toolchain toolchain;
  private final Path clang;
  private final List<Target> targets;
  private final Path sources;
  private final Path folder;
  private final List<Workload> workloads;
  private final SharedArena arena = SharedArena.create(ARENA);

  /**
   * Prepares a benchmark.
   *
   * @param toolchain compiles the kernels for the targets
   * @param clang compiles native code
   * @param targets to measure, without repetitions
   * @param sources the folder with {@code kernels.hip} and {@code host.cpp}
   * @param folder an empty folder to compile in
   * @param only the names of kernels to measure
   */
  public DeviceBenchmark(
      Toolchain toolchain,
      Path clang,
      List<Target> targets,
      Path sources,
      Path folder,
      Predicate<String> only) {
    this.toolchain = toolchain;
    this.clang = clang;
    this.targets = List.copyOf(targets);
    this.sources = sources;
    this.folder = folder;
    this.workloads = Arrays.stream(Workload.values()).filter(w -> only.test(w.title())).toList();
  }

  /** Measures all kernels on all targets, each at its usual size. */
  public void run(Consumer<Row> rows) throws IOException, InterruptedException {
    for (Workload workload : workloads) {
      measure(workload, List.of(workload.usual()), rows, _ -> {});
    }
  }

  /**
   * A size that is left out.
   *
   * @param seconds that a run would take, going by the size before
   */
  public record LeftOut(Target target, String kernel, long elements, double seconds) {}

  /**
   * Measures all kernels on all targets from 10^4 elements to 10^8, but for sizes of which one run
   * would take more than a minute.
   */
  public void runSizes(Consumer<Row> rows, Consumer<LeftOut> leftOut)
      throws IOException, InterruptedException {
    for (Workload workload : workloads) {
      measure(workload, SIZES.stream().map(workload::size).toList(), rows, leftOut);
    }
  }

  /**
   * What checks cost: times of the plain run, side by side.
   *
   * @param findings what was found, which is wrong: these kernels are right
   */
  public record Cost(Target target, String kernel, Checks checks, double times, int findings) {}

  /** Measures all kernels on all targets, each at its usual size, under each of some checks. */
  public void runCosts(List<Checks> kinds, Consumer<Cost> costs)
      throws IOException, InterruptedException {
    compile();
    byte[] bundle = Files.readAllBytes(bundle());
    for (Workload workload : workloads) {
      for (Target target : targets(workload)) {
        double before = plain(workload, target, bundle);
        List<Warm> runs = new ArrayList<>();
        for (Checks checks : kinds) {
          runs.add(warm(workload, target, bundle, 1, checks, NativeEngine.NONE));
        }
        // The first kernels of a process run while Java still compiles the interpreter.
        double plain = Math.min(before, plain(workload, target, bundle));
        for (int i = 0; i < runs.size(); i++) {
          Warm w = runs.get(i);
          double times = w.run().seconds() / plain;
          costs.accept(new Cost(target, workload.title(), kinds.get(i), times, w.findings()));
        }
      }
    }
  }

  private double plain(Workload workload, Target target, byte[] bundle)
      throws InterruptedException {
    return warm(workload, target, bundle, 1, Checks.NONE, NativeEngine.NONE).run().seconds();
  }

  /**
   * What more workers bring.
   *
   * @param times by which a run on all of them ends earlier than on one
   */
  public record Workers(Target target, String kernel, int workers, double times) {}

  /** Measures the native code of all kernels on all targets, on one worker and on several. */
  public void runWorkers(int workers, Consumer<Workers> rows)
      throws IOException, InterruptedException {
    compile();
    byte[] bundle = Files.readAllBytes(bundle());
    for (Workload workload : workloads) {
      for (Target target : targets(workload)) {
        double one = warm(workload, target, bundle, 1, Checks.NONE, compiled()).run().elapsed();
        double all =
            warm(workload, target, bundle, workers, Checks.NONE, compiled()).run().elapsed();
        rows.accept(new Workers(target, workload.title(), workers, one / all));
      }
    }
  }

  private NativeEngine compiled() {
    return new NativeEngine.Native(clang, NativeEngine.HOT);
  }

  /**
   * How fast a kernel runs in the first second of a process, without its start, the load of the
   * code object and the input.
   *
   * @param cold millions of wave-instructions where nothing is kept of earlier processes
   * @param kept the same where native code is kept
   */
  public record First(Target target, String kernel, double cold, double kept) {}

  /**
   * Measures all kernels on all targets in processes of their own.
   *
   * @param self starts this program with the arguments that lead to {@link FirstSecond#run}, up to
   *     the last one, {@link FirstSecond#text}
   */
  public void runFirst(List<String> self, Consumer<First> rows)
      throws IOException, InterruptedException {
    compile();
    for (Workload workload : workloads) {
      for (Target target : targets(workload)) {
        Path cache = Files.createTempDirectory(folder, "cache");
        double cold = new FirstSecond(workload, target, bundle(), FILL).inProcess(self, cache);
        double kept = new FirstSecond(workload, target, bundle(), 1).inProcess(self, cache);
        rows.accept(new First(target, workload.title(), cold, kept));
      }
    }
  }

  /**
   * The best run of a workload of its usual size.
   *
   * @param findings what checks found
   */
  private record Warm(BenchDevice.Run run, int findings) {}

  private Warm warm(
      Workload workload,
      Target target,
      byte[] bundle,
      int workers,
      Checks checks,
      NativeEngine engine)
      throws InterruptedException {
    try (BenchDevice device = new BenchDevice(target, arena, bundle, workers, checks, engine);
        BenchDevice.Prepared prepared = device.new Prepared(workload, workload.usual())) {
      return new Warm(best(prepared, WARM_UP), prepared.findings());
    }
  }

  private void measure(
      Workload workload, List<Integer> sizes, Consumer<Row> rows, Consumer<LeftOut> leftOut)
      throws IOException, InterruptedException {
    compile();
    Map<Integer, Host> hosts = new HashMap<>();
    byte[] bundle = Files.readAllBytes(bundle());
    for (Target target : targets(workload)) {
      for (NativeEngine engine : List.of(NativeEngine.NONE, compiled())) {
        measure(workload, sizes, target, engine, bundle, hosts, rows, leftOut);
      }
    }
  }

  private void measure(
      Workload workload,
      List<Integer> sizes,
      Target target,
      NativeEngine engine,
      byte[] bundle,
      Map<Integer, Host> hosts,
      Consumer<Row> rows,
      Consumer<LeftOut> leftOut)
      throws IOException, InterruptedException {
    try (BenchDevice device = new BenchDevice(target, arena, bundle, 1, Checks.NONE, engine)) {
      double secondsOfWork = 0;
      for (int size : sizes) {
        double expected = secondsOfWork * workload.work(size);
        if (expected > MOST) {
          leftOut.accept(new LeftOut(target, workload.title(), workload.elements(size), expected));
          continue;
        }
        try (BenchDevice.Prepared prepared = device.new Prepared(workload, size)) {
          BenchDevice.Run best = best(prepared, secondsOfWork == 0 ? WARM_UP : WARM_AGAIN);
          secondsOfWork = best.seconds() / workload.work(size);
          if (!hosts.containsKey(size)) {
            hosts.put(size, host(workload, size));
          }
          Host host = hosts.get(size);
          compare(workload, target, prepared.result(), host.samples());
          rows.accept(
              new Row(
                  target,
                  engine,
                  workload.title(),
                  workload.elements(size),
                  best.waves(),
                  best.instructions(),
                  best.seconds(),
                  host.seconds()));
        }
      }
    }
  }

  /** The best of some rounds, after a warm-up of so many seconds. */
  private static BenchDevice.Run best(BenchDevice.Prepared prepared, double warmUp)
      throws InterruptedException {
    BenchDevice.Run best = prepared.run();
    double spent = best.seconds();
    for (int round = 0; round < ROUNDS && spent < ENOUGH; ) {
      boolean counts = spent >= warmUp;
      BenchDevice.Run run = prepared.run();
      spent += run.seconds();
      best = run.seconds() < best.seconds() ? run : best;
      round += counts ? 1 : 0;
    }
    return best;
  }

  /**
   * Measures the native code of all kernels on the targets in turns, so that other load on the
   * machine affects all of them alike.
   */
  public void compareTargets(Consumer<Compared> rows) throws IOException, InterruptedException {
    compile();
    byte[] bundle = Files.readAllBytes(bundle());
    for (Workload workload : workloads) {
      Deque<Runnable> open = new ArrayDeque<>();
      try {
        compareTargets(workload, bundle, open, rows);
      } finally {
        open.forEach(Runnable::run);
      }
    }
  }

  private void compareTargets(
      Workload workload, byte[] bundle, Deque<Runnable> open, Consumer<Compared> rows)
      throws InterruptedException {
    List<Target> all = targets(workload);
    List<BenchDevice.Prepared> prepared = new ArrayList<>();
    List<BenchDevice.Run> best = new ArrayList<>();
    // Each device has a part of the arena: they exist side by side.
    long part = arena.size() / Math.max(1, all.size()) & -PART;
    for (Target target : all) {
      SharedArena own = new SharedArena(arena.base() + prepared.size() * part, part, arena.fd());
      BenchDevice device = new BenchDevice(target, own, bundle, 1, Checks.NONE, compiled());
      open.push(device::close);
      BenchDevice.Prepared one = device.new Prepared(workload, workload.usual());
      open.push(one::close);
      prepared.add(one);
      best.add(best(one, WARM_TARGET));
    }
    for (int round = 0; round < TURNS; round++) {
      for (int i = 0; i < all.size(); i++) {
        BenchDevice.Run run = prepared.get(i).run();
        best.set(i, run.seconds() < best.get(i).seconds() ? run : best.get(i));
      }
    }
    for (int i = 0; i < all.size(); i++) {
      BenchDevice.Run run = best.get(i);
      rows.accept(
          new Compared(
              all.get(i),
              workload.title(),
              run.instructions(),
              run.seconds(),
              run.seconds() / best.getFirst().seconds()));
    }
  }

  private List<Target> targets(Workload workload) {
    return targets.stream().filter(t -> t.lanes() >= workload.lanes()).toList();
  }

  private static void compare(Workload workload, Target target, double[] own, double[] host) {
    if (own.length != host.length) {
      throw new IllegalStateException(workload + " has a different number of results");
    }
    for (int i = 0; i < own.length; i++) {
      if (!(Math.abs(own[i] - host[i]) <= workload.tolerance() * Math.abs(host[i]))) {
        throw new IllegalStateException(
            "%s on %s: sample %d is %s, on the CPU %s"
                .formatted(workload, target, i, own[i], host[i]));
      }
    }
  }

  private Path bundle() {
    return folder.resolve("kernels.hipfb");
  }

  private void compile() throws IOException, InterruptedException {
    Path kernels = bundle();
    if (Files.exists(kernels)) {
      return;
    }
    execute(
        List.of(
            toolchain.clang().toString(),
            "-std=c++17",
            "-O3",
            "-march=native",
            "-ffp-contract=fast",
            sources.resolve("host.cpp").toString(),
            "-o",
            folder.resolve("host").toString()));
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    command.addAll(toolchain.hipCompile(targets.stream().map(Target::arch).toList()));
    command.addAll(List.of("-O3", "--cuda-device-only", "-o", kernels.toString()));
    command.add(sources.resolve("kernels.hip").toString());
    execute(command);
  }

  /** What the processor took, and samples of what it came to. */
  private record Host(double seconds, double[] samples) {}

  private Host host(Workload workload, int size) throws IOException, InterruptedException {
    String output =
        execute(
            List.of(folder.resolve("host").toString(), workload.title(), Integer.toString(size)));
    double[] numbers = output.lines().mapToDouble(Double::parseDouble).toArray();
    return new Host(numbers[0], Arrays.copyOfRange(numbers, 1, numbers.length));
  }

  private static String execute(List<String> command) throws IOException, InterruptedException {
    Exec.Outcome run = Exec.of(command).merged().run();
    if (!run.ok()) {
      throw new IOException(command.getFirst() + " failed:\n" + run.stdout());
    }
    return run.stdout();
  }
}
