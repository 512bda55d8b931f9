package dev.rocport.cli.bench;

import dev.rocport.bench.Benchmark;
import dev.rocport.bench.Benchmark.Measured;
import dev.rocport.bench.FileClass;
import dev.rocport.bench.PtxSpeed;
import dev.rocport.bench.PublicCode;
import dev.rocport.bench.PythonSpeed;
import dev.rocport.bench.ReportSpeed;
import dev.rocport.bench.SyntheticFleet;
import dev.rocport.bench.TreeSpeed;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.device.bench.DeviceBenchmark;
import dev.rocport.device.check.Checks;
import dev.rocport.io.TemporaryFolder;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.runtime.HipRuntime;
import dev.rocport.verify.VerifyException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rocport bench}: measures how fast this machine ports a synthetic tree. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description =
        "Ports a synthetic tree (always the same) and prints the throughput for each class of"
            + " files.",
    footer = {
      "",
      "Examples:",
      "  rocport bench",
      "  rocport bench --device",
      "  rocport bench --device --compare --target gfx942,gfx1100"
    })
public final class BenchCommand implements Callable<Integer> {
  /** What {@code --device} gives the processes that it starts. */
  static final String FIRST_SECOND = "--first-second";

  private static final Duration PROJECT_LIMIT = Duration.ofMinutes(15);

  private final Console console;

  @Option(
      names = "--size",
      split = ",",
      paramLabel = "MB",
      description = "Sizes of the trees (default: 50; 5,50,500 shows how time and memory scale).")
  private List<Integer> sizes = new ArrayList<>(List.of(50));

  @Option(
      names = {"-j", "--jobs"},
      paramLabel = "N",
      description = "Threads (default: 1, which gives the throughput of one core).")
  private int jobs = 1;

  @Option(
      names = "--device",
      description =
          "Measure the device instead: kernels in both engines, the same work on the CPU, the first"
              + " second of a process, and the gain from more workers.")
  private boolean device;

  @Option(names = FIRST_SECOND, hidden = true)
  private String firstSecond = "";

  @Option(
      names = "--sizes",
      description =
          "With --device: run sizes from 10^4 to 10^8 elements, which takes many minutes.")
  private boolean allSizes;

  @Option(
      names = "--compare",
      description =
          "With --device: only compare the native code of the targets, which run in turns, with"
              + " that of the first.")
  private boolean compare;

  @Option(
      names = "--warp",
      description = {
        "Run programs written for 32-lane warps instead: their ports on both targets, and the "
            + "results without the warp rules; print the decisions and the speed of the analysis."
      })
  private boolean warp;

  @Option(
      names = "--checks",
      description = {
        "Run programs with planted bugs instead, on each target under --check all, and the same"
            + " programs with the bug fixed, which must have no findings. With --device, first"
            + " measure the cost of each check for the kernels of --device."
      })
  private boolean checks;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description =
          "With --checks or --device: run only the programs or kernels whose names match.")
  private String only = "";

  @Option(
      names = "--check",
      paramLabel = "LIST",
      description = "With --checks: checks to run, as for rocport run (default: all=1).")
  private String checkList = "all=1";

  @Option(
      names = "--target",
      split = ",",
      paramLabel = "GFX",
      description =
          "With --checks or --device: targets to build for and GPUs to run on (default:"
              + " gfx90a,gfx942).")
  private List<String> targets = List.of("gfx90a", "gfx942");

  @Option(
      names = "--tree",
      paramLabel = "DIR",
      description =
          "Port a folder in new processes instead: the first run after the installation, a later"
              + " one, and one in which nothing changed.")
  private @Nullable Path tree;

  @Option(
      names = "--public-code",
      paramLabel = "LIST",
      hidden = true,
      description =
          "Port the projects of a list with --check instead, and print how many of their units"
              + " compile. With --only: the projects to port, by draw and number such as first/7.")
  private @Nullable Path publicCode;

  @Option(
      names = "--checkouts",
      paramLabel = "DIR",
      hidden = true,
      description = "With --public-code: folder with a folder OWNER+NAME for each repository.")
  private Path checkouts = Path.of(".");

  @Option(
      names = "--nvcc",
      paramLabel = "FILE",
      hidden = true,
      description = "With --public-code: the nvcc for port --check.")
  private @Nullable Path nvcc;

  @Option(
      names = "--python",
      paramLabel = "DIR",
      description = "Port the Python files of a folder in memory, and print the throughput.")
  private @Nullable Path python;

  @Option(
      names = "--ptx",
      paramLabel = "DIR",
      description = "Only search a folder for PTX, and print the throughput.")
  private @Nullable Path ptx;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      hidden = true,
      description = "With --public-code: keep the reports of the ports.")
  private @Nullable Path reportFolder;

  @Option(
      names = "--reports",
      description =
          "Write a synthetic result of 20,000 findings in every format; if Chromium is installed,"
              + " also measure how long the page takes to be ready.")
  private boolean reports;

  @Option(
      names = "--fixtures",
      paramLabel = "DIR",
      description =
          "With --warp and --checks: folder with the programs (default: rocport's own folder).")
  private @Nullable Path fixtures;

  @Option(
      names = "--write-fleet",
      paramLabel = "DIR",
      hidden = true,
      description =
          "Write repositories into a folder instead, for measurements of fleets; with --size: MB of"
              + " all of them.")
  private @Nullable Path fleet;

  @Option(
      names = "--repositories",
      paramLabel = "N",
      hidden = true,
      description = "With --write-fleet: their number.")
  private int repositories = 100;

  public BenchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call()
      throws IOException, InterruptedException, ToolchainException, VerifyException {
    if (!firstSecond.isEmpty()) {
      new DeviceBench(console, targets).firstSecond(firstSecond);
      return ExitCode.OK.code();
    }
    if (device || checks) {
      return deviceAndChecks();
    }
    if (tree != null) {
      return tree(tree);
    }
    if (publicCode != null) {
      return publicCode(publicCode);
    }
    if (fleet != null) {
      int files = new SyntheticFleet(fleet).write(repositories, sizes.getFirst() * 1_000_000L);
      line("%d repositories with %d files", repositories, files);
      return ExitCode.OK.code();
    }
    if (python != null) {
      return python(python);
    }
    if (ptx != null) {
      return ptx(ptx);
    }
    if (reports) {
      return reports();
    }
    if (warp) {
      Path own = HipRuntime.installation().resolve("fixtures/warp");
      int cores = Runtime.getRuntime().availableProcessors();
      return new WarpBench(console, cores).run(fixtures == null ? own : fixtures);
    }
    if (allSizes || compare) {
      throw new UsageException((compare ? "--compare" : "--sizes") + " requires --device");
    }
    if (fixtures != null) {
      throw new UsageException("--fixtures requires --warp or --checks");
    }
    if (jobs < 1 || sizes.stream().anyMatch(s -> s < 1)) {
      throw new UsageException("--size and --jobs must be 1 or more");
    }
    Path folder = Files.createTempDirectory("rocport-bench");
    try {
      Benchmark benchmark = new Benchmark(folder, jobs);
      console.err().println("warming up ...");
      benchmark.warmUp();
      line(
          "%-28s %6s %7s %7s %8s %10s %9s %8s",
          "", "files", "MB", "s", "MB/s", "MB/s/core", "findings", "heap MB");
      for (int size : sizes) {
        console.err().println("writing a tree of " + size + " MB ...");
        Path tree = benchmark.generate(size);
        if (size == sizes.getFirst()) {
          for (FileClass kind : FileClass.values()) {
            row(kind.title(), benchmark.only(tree, kind));
          }
        }
        row("the whole tree of " + size + " MB", benchmark.whole(tree));
        Benchmark.delete(tree);
      }
      line(
          "%d thread%s; MB/s/core is based on CPU time, so other load on the machine does not"
              + " affect it",
          jobs, jobs == 1 ? "" : "s");
    } finally {
      Benchmark.delete(folder);
    }
    return ExitCode.OK.code();
  }

  private int deviceAndChecks()
      throws IOException, InterruptedException, ToolchainException, VerifyException {
    Checks list = chosenChecks();
    Predicate<String> chosen = Pattern.compile(only).asPredicate();
    if (compare && (checks || !device)) {
      throw new UsageException("--compare requires --device without --checks");
    }
    if (!checks) {
      DeviceBench bench = new DeviceBench(console, targets);
      if (compare) {
        bench.compare(chosen);
      } else {
        bench.run(allSizes, chosen);
      }
      return ExitCode.OK.code();
    }
    List<DeviceBenchmark.Cost> costs =
        device ? new DeviceBench(console, targets).costs(chosen) : List.of();
    Path own = HipRuntime.installation().resolve("fixtures/checks");
    return new CheckBench(console, Runtime.getRuntime().availableProcessors(), list, targets, costs)
        .run(fixtures == null ? own : fixtures, chosen);
  }

  private Checks chosenChecks() {
    try {
      return Checks.parse(checkList, 1);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private int tree(Path folder) throws IOException, InterruptedException {
    try (TemporaryFolder scratch = TemporaryFolder.create("rocport-bench")) {
      Path launcher = HipRuntime.installation().resolve("rocport");
      TreeSpeed speed = new TreeSpeed(launcher, folder.toRealPath(), scratch.path());
      double mb = speed.bytes() / 1e6;
      line("%.1f MB of CUDA, C and C++", mb);
      line("%-24s %8s %8s %8s %11s", "", "s", "cpu s", "MB/s", "MB/s of cpu");
      for (TreeSpeed.Measured m : speed.run()) {
        line(
            "%-24s %8.2f %8.2f %8.2f %11.2f",
            m.title(), m.wall(), m.processor(), mb / m.wall(), mb / m.processor());
        line("  %s", m.phases());
      }
    }
    return ExitCode.OK.code();
  }

  private int publicCode(Path list) throws IOException, InterruptedException {
    Path launcher = HipRuntime.installation().resolve("rocport");
    PublicCode ports =
        new PublicCode(launcher, checkouts.toRealPath(), Optional.ofNullable(nvcc), PROJECT_LIMIT);
    try (TemporaryFolder scratch = TemporaryFolder.create("rocport-bench")) {
      Path kept = reportFolder == null ? scratch.path() : reportFolder.toAbsolutePath();
      return new PublicCodeBench(console, ports)
          .run(list, Pattern.compile(only).asPredicate(), kept);
    }
  }

  private int python(Path folder) throws IOException {
    PythonSpeed.Measured m = new PythonSpeed(folder).run();
    line(
        "%d Python files, %.2f MB, of which %.2f MB mention CUDA or PyTorch: %d edits, %d files not"
            + " proven",
        m.files(), m.bytes() / 1e6, m.concerned() / 1e6, m.edits(), m.unproven());
    line("MB/s per core: %.1f cold, %.1f warm", m.cold(), m.warm());
    return ExitCode.OK.code();
  }

  private int ptx(Path folder) throws IOException {
    PtxSpeed.Measured m = new PtxSpeed(folder).run();
    line("%d files, %.2f MB, %d places with PTX", m.files(), m.bytes() / 1e6, m.findings());
    line("MB/s per core: %.1f cold, %.1f warm", m.cold(), m.warm());
    return ExitCode.OK.code();
  }

  private int reports() throws IOException, InterruptedException {
    ReportSpeed speed = new ReportSpeed();
    Path folder = Files.createTempDirectory("rocport-bench");
    try {
      long nanos = 0;
      long processor = 0;
      line("%-8s %8s %8s %8s", "form", "s", "cpu s", "MB");
      for (ReportSpeed.Written w : speed.write(folder)) {
        String form = w.form().name().toLowerCase(Locale.ROOT);
        line("%-8s %8.2f %8.2f %8.2f", form, w.nanos() / 1e9, w.processor() / 1e9, w.bytes() / 1e6);
        nanos += w.nanos();
        processor += w.processor();
      }
      line(
          "%d findings in all formats: %.2f s, %.2f s of CPU time",
          speed.findings(), nanos / 1e9, processor / 1e9);
      Optional<Path> browser = ReportSpeed.browser();
      if (browser.isPresent()) {
        OptionalInt ready = ReportSpeed.ready(browser.get(), folder);
        line(
            "page in a browser: %s",
            ready.isPresent()
                ? ready.getAsInt() + " ms until it accepts input"
                : "it did not open");
      }
    } finally {
      Benchmark.delete(folder);
    }
    return ExitCode.OK.code();
  }

  private void row(String title, Measured m) {
    line(
        "%-28s %6d %7.1f %7.2f %8.1f %10.1f %9d %8d",
        title,
        m.files(),
        m.bytes() / 1e6,
        m.nanos() / 1e9,
        m.rate(),
        m.ratePerCore(),
        m.findings(),
        m.peakHeap() / 1_000_000);
  }

  @SuppressWarnings("AnnotateFormatMethod") // the formats are constants of this class
  private void line(String format, Object... parts) {
    console.out().println(String.format(Locale.ROOT, format, parts));
    console.out().flush();
  }
}
