package dev.rocport.cli.bench;

import dev.rocport.bench.Benchmark;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.JavaCommand;
import dev.rocport.cli.support.UsageException;
import dev.rocport.cli.toolchain.ToolchainCommand;
import dev.rocport.device.bench.DeviceBenchmark;
import dev.rocport.device.bench.FirstSecond;
import dev.rocport.device.check.Check;
import dev.rocport.device.check.Checks;
import dev.rocport.device.isa.Target;
import dev.rocport.device.nativecode.NativeEngine;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.provision.Toolchains;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** {@code rocport bench --device}: how fast kernels run on the device, and what checks cost. */
final class DeviceBench {
  private static final String MEAN = "geometric mean";

  private final Console console;
  private final List<Target> targets;

  /**
   * @param targets to measure, as {@code --target} has them
   */
  DeviceBench(Console console, List<String> targets) {
    this.console = console;
    this.targets = targets.stream().map(DeviceBench::target).distinct().toList();
  }

  private static Target target(String arch) {
    return Target.named(arch)
        .orElseThrow(
            () ->
                new UsageException(
                    "--target: unknown GPU '%s'; supported are %s"
                        .formatted(arch, Target.names(" and "))));
  }

  /**
   * Measures and prints.
   *
   * @param allSizes from 10^4 elements to 10^8
   * @param only the names of kernels to measure
   */
  void run(boolean allSizes, Predicate<String> only)
      throws IOException, InterruptedException, ToolchainException {
    Path folder = Files.createTempDirectory("rocport-bench");
    try {
      DeviceBenchmark benchmark = benchmark(folder, only);
      rates(benchmark, allSizes);
      if (!allSizes) {
        first(benchmark);
        workers(benchmark);
      }
    } finally {
      Benchmark.delete(folder);
    }
  }

  /**
   * Measures and prints the native code of the targets, relative to the first one.
   *
   * @param only the names of kernels to measure
   */
  void compare(Predicate<String> only)
      throws IOException, InterruptedException, ToolchainException {
    Path folder = Files.createTempDirectory("rocport-bench");
    try {
      compare(benchmark(folder, only));
    } finally {
      Benchmark.delete(folder);
    }
  }

  private void compare(DeviceBenchmark benchmark) throws IOException, InterruptedException {
    Map<Target, List<Double>> times = new EnumMap<>(Target.class);
    line("%-8s %-12s %13s %9s %8s", "gpu", "kernel", "instructions", "s", "times");
    benchmark.compareTargets(
        c -> {
          line(
              "%-8s %-12s %13d %9.4f %7.2fx",
              c.target().arch(), c.kernel(), c.instructions(), c.seconds(), c.times());
          times.computeIfAbsent(c.target(), _ -> new ArrayList<>()).add(c.times());
        });
    times.forEach((target, all) -> line("%-8s %s %.2fx", target.arch(), MEAN, mean(all)));
    line(
        "native code, one worker, processor time of the best run, relative to %s",
        targets.getFirst().arch());
    line("");
  }

  private static double mean(List<Double> times) {
    return Math.exp(times.stream().mapToDouble(Math::log).average().orElse(0));
  }

  /**
   * Measures and prints what checks cost.
   *
   * @param only the names of kernels to measure
   */
  List<DeviceBenchmark.Cost> costs(Predicate<String> only)
      throws IOException, InterruptedException, ToolchainException {
    Path folder = Files.createTempDirectory("rocport-bench");
    try {
      return costs(benchmark(folder, only));
    } finally {
      Benchmark.delete(folder);
    }
  }

  private DeviceBenchmark benchmark(Path folder, Predicate<String> only)
      throws IOException, InterruptedException, ToolchainException {
    Path sources = HipRuntime.installation().resolve("hip-runtime").resolve("bench");
    Toolchain compiles =
        ToolchainCommand.require(
            targets.stream().map(Target::arch).toList(), ToolchainCommand.progress(console, false));
    return new DeviceBenchmark(compiles, toolchain().clang(), targets, sources, folder, only);
  }

  private void rates(DeviceBenchmark benchmark, boolean allSizes)
      throws IOException, InterruptedException {
    line(
        "%-8s %-12s %-12s %10s %9s %13s %9s %9s %12s %8s",
        "gpu",
        "engine",
        "kernel",
        "elements",
        "waves",
        "instructions",
        "s",
        "M/s/core",
        "processor s",
        "slower");
    if (allSizes) {
      benchmark.runSizes(
          this::row,
          l ->
              line(
                  "%-8s %-12s %10d skipped: one run would take about %.0f s",
                  l.target().arch(), l.kernel(), l.elements(), l.seconds()));
    } else {
      benchmark.run(this::row);
    }
    line("one worker; instructions of 64-lane waves; CPU: the same work at -O3 on one core;");
    line("an element of a product or of attention is a multiply-add; all results match the CPU");
    line("");
  }

  private void first(DeviceBenchmark benchmark) throws IOException, InterruptedException {
    line("%-8s %-12s %14s %14s", "gpu", "kernel", "M/s, cold", "M/s, kept code");
    List<String> self = new ArrayList<>(JavaCommand.self());
    self.addAll(List.of("bench", BenchCommand.FIRST_SECOND));
    benchmark.runFirst(
        self,
        f -> line("%-8s %-12s %14.1f %14.1f", f.target().arch(), f.kernel(), f.cold(), f.kept()));
    line(
        "the first second of a process with --engine auto and one worker, once the code object is");
    line("loaded: first without native code from earlier processes, then with it");
    line("");
  }

  private void workers(DeviceBenchmark benchmark) throws IOException, InterruptedException {
    line("%-8s %-12s %8s %8s", "gpu", "kernel", "workers", "faster");
    benchmark.runWorkers(
        Runtime.getRuntime().availableProcessors(),
        w -> line("%-8s %-12s %8d %7.2fx", w.target().arch(), w.kernel(), w.workers(), w.times()));
    line("faster: speed relative to one worker, from start to end, with native code");
    line("");
  }

  /** Measures in this process, which another one has started for it, and prints the rate. */
  void firstSecond(String what) throws IOException, InterruptedException, ToolchainException {
    FirstSecond first;
    try {
      first = FirstSecond.parse(what);
    } catch (IllegalArgumentException e) {
      throw new UsageException(BenchCommand.FIRST_SECOND + ": " + e.getMessage());
    }
    line("%.3f", first.run(toolchain().clang()));
  }

  private Toolchain toolchain() throws IOException, InterruptedException, ToolchainException {
    return Toolchains.require(
        ToolchainCommand.request(), ToolchainCommand.progress(console, false));
  }

  private void row(DeviceBenchmark.Row r) {
    line(
        "%-8s %-12s %-12s %10d %9d %13d %9.4f %9.1f %12.6f %7.0fx",
        r.target().arch(),
        r.engine() == NativeEngine.NONE ? "interpreter" : "native",
        r.kernel(),
        r.elements(),
        r.waves(),
        r.instructions(),
        r.seconds(),
        r.rate(),
        r.hostSeconds(),
        r.slower());
  }

  /** What each check costs against the plain run, which has the memory checks. */
  private List<DeviceBenchmark.Cost> costs(DeviceBenchmark benchmark)
      throws IOException, InterruptedException {
    List<DeviceBenchmark.Cost> all = new ArrayList<>();
    List<Checks> kinds = new ArrayList<>();
    for (Check check : Check.ALL) {
      kinds.add(only(Set.of(check)));
    }
    kinds.add(only(Check.ALL));
    line(
        "%-8s %-12s %8s %8s %8s %8s %8s",
        "gpu", "kernel", "uninit", "race", "sync", "order", "all");
    List<DeviceBenchmark.Cost> row = new ArrayList<>();
    benchmark.runCosts(
        kinds,
        cost -> {
          all.add(cost);
          row.add(cost);
          if (row.size() == kinds.size()) {
            line(
                "%-8s %-12s%s",
                cost.target().arch(),
                cost.kernel(),
                row.stream()
                    .map(c -> String.format(Locale.ROOT, " %7.2fx", c.times()))
                    .collect(Collectors.joining()));
            row.stream()
                .filter(c -> c.findings() > 0)
                .forEach(c -> line("  %s: %d findings", c.checks().text(), c.findings()));
            row.clear();
          }
        });
    line(
        "CPU time relative to the plain run in the interpreter, which also checks memory accesses");
    line("");
    return all;
  }

  private static Checks only(Set<Check> on) {
    return new Checks(on, on.contains(Check.ORDER) ? OptionalLong.of(1) : OptionalLong.empty());
  }

  @SuppressWarnings("AnnotateFormatMethod") // the formats are constants of this class
  private void line(String format, Object... parts) {
    console.out().println(String.format(Locale.ROOT, format, parts));
    console.out().flush();
  }
}
