package dev.rocport.cli.bench;

import dev.rocport.bench.Benchmark;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.toolchain.ToolchainCommand;
import dev.rocport.device.bench.DeviceBenchmark;
import dev.rocport.device.check.Check;
import dev.rocport.device.check.Checks;
import dev.rocport.device.nativecode.NativeEngine;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.provision.Toolchains;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** {@code rocport bench --device}: how fast kernels run on the device, and what checks cost. */
final class DeviceBench {
  private final Console console;

  DeviceBench(Console console) {
    this.console = console;
  }

  /**
   * Measures and prints.
   *
   * @param allSizes from 10^4 elements to 10^8
   * @param costs what checks cost, too
   * @param only the names of kernels to measure
   */
  void run(boolean allSizes, boolean costs, Predicate<String> only)
      throws IOException, InterruptedException, ToolchainException {
    Path folder = Files.createTempDirectory("rocport-bench");
    try {
      Toolchain toolchain =
          Toolchains.require(ToolchainCommand.request(), ToolchainCommand.progress(console, false));
      Path sources = HipRuntime.installation().resolve("hip-runtime").resolve("bench");
      DeviceBenchmark benchmark = new DeviceBenchmark(toolchain, sources, folder, only);
      rates(benchmark, allSizes);
      if (costs) {
        costs(benchmark);
      }
    } finally {
      Benchmark.delete(folder);
    }
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
    line(
        "elements of products and attention are multiply-adds; all results equal those of the CPU");
    line("");
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
  private void costs(DeviceBenchmark benchmark) throws IOException, InterruptedException {
    List<Checks> kinds = new ArrayList<>();
    for (Check check : Check.values()) {
      kinds.add(only(EnumSet.of(check)));
    }
    kinds.add(only(EnumSet.allOf(Check.class)));
    line("%-8s %-12s %-28s %9s %9s", "gpu", "kernel", "checks", "times", "findings");
    benchmark.runCosts(
        kinds,
        c ->
            line(
                "%-8s %-12s %-28s %8.2fx %9d",
                c.target().arch(), c.kernel(), c.checks().text(), c.times(), c.findings()));
    line("times: CPU time relative to the plain run, which also checks memory");
    line("");
  }

  private static Checks only(EnumSet<Check> on) {
    return new Checks(on, on.contains(Check.ORDER) ? OptionalLong.of(1) : OptionalLong.empty());
  }

  @SuppressWarnings("AnnotateFormatMethod") // the formats are constants of this class
  private void line(String format, Object... parts) {
    console.out().println(String.format(Locale.ROOT, format, parts));
    console.out().flush();
  }
}
