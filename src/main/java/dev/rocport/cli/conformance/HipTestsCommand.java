package dev.rocport.cli.conformance;

import dev.rocport.build.project.ProjectSystems;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.UsageException;
import dev.rocport.cli.toolchain.ToolchainCommand;
import dev.rocport.conformance.HipTests;
import dev.rocport.conformance.Selection;
import dev.rocport.conformance.SuiteResult;
import dev.rocport.io.TemporaryFolder;
import dev.rocport.toolchain.GfxTarget;
import dev.rocport.toolchain.GpuTargets;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.Extra;
import dev.rocport.toolchain.provision.ExtraTools;
import dev.rocport.toolchain.provision.Extras;
import dev.rocport.toolchain.provision.Toolchains;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rocport conformance hip-tests}: AMD's unit tests of HIP on the device. */
@Command(
    name = HipTests.NAME,
    mixinStandardHelpOptions = true,
    description = {
      "Compiles the unit tests of a checkout of ROCm/hip-tests, and runs those that",
      "AMD enables for the target on the rocport device.",
      "Exits with 1 for a source that does not compile, or for a failure that is not in the",
      "list of known failures. Exits with 3 if the tests cannot be built."
    },
    footer = {
      "",
      "Examples:",
      "  rocport conformance hip-tests ../hip-tests --work target/hip-tests",
      "  rocport conformance hip-tests ../hip-tests --quick --target gfx90a --report out"
    })
final class HipTestsCommand implements Callable<Integer> {
  private static final String TARGET = "gfx942";
  private static final String CMAKE = "cmake";
  private static final long SECONDS = 60;

  private final Console console;

  @Parameters(paramLabel = "DIR", description = "The checkout of ROCm/hip-tests.")
  private Path checkout = Path.of("");

  @Option(
      names = "--target",
      defaultValue = TARGET,
      paramLabel = "ARCH",
      description = "GPU to compile the tests for and run them on (default ${DEFAULT-VALUE}).")
  private String target = TARGET;

  @Option(
      names = "--gpus",
      defaultValue = "1",
      paramLabel = "N",
      description = "Number of GPUs that the tests see (default ${DEFAULT-VALUE}).")
  private int gpus;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description =
          "Build in this folder and keep it: the next run compiles only what changed (default: a"
              + " temporary folder).")
  private @Nullable Path work;

  @Option(
      names = "--folders",
      split = ",",
      paramLabel = "NAMES",
      description = "Only the tests in these folders of catch/unit, such as event,stream.")
  private List<String> folders = List.of();

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description = "Number of parallel compilers (default: the number of processors).")
  private int jobs;

  @Option(
      names = "--quick",
      description = "Run a sample: every Nth test of the sorted list. All tests are compiled.")
  private boolean quick;

  @Option(
      names = "--shard",
      paramLabel = "I/N",
      description =
          "Run only shard I of N. N runs with different I have each test once; their"
              + " conformance.tsv can be concatenated.")
  private @Nullable String shard;

  @Option(
      names = "--tests",
      paramLabel = "REGEX",
      description = "Run only tests in whose names this regular expression is found.")
  private @Nullable String tests;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "Stop a test after this time (default " + SECONDS + ").")
  private long timeout;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Also write conformance.md, and conformance.tsv with a line for each test.")
  private @Nullable Path report;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no progress.")
  private boolean quiet;

  HipTestsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException, ToolchainException {
    if (timeout < 0 || jobs < 0) {
      throw new UsageException("--timeout and --jobs must not be negative");
    }
    if (gpus < 1) {
      throw new UsageException("--gpus must be at least 1");
    }
    if (!GpuTargets.REQUIRED.contains(new GfxTarget(target))) {
      throw new UsageException(
          "--target accepts %s: the device runs no other code"
              .formatted(GpuTargets.DEFAULT.replace(",", " and ")));
    }
    Selection selection = ConformanceOutput.selection(quick, shard, tests);
    HipTests.requireCheckout(checkout);
    if (work == null) {
      try (TemporaryFolder folder = TemporaryFolder.create("rocport-hip-tests-build")) {
        return run(folder.path(), selection);
      }
    }
    return run(Files.createDirectories(work), selection);
  }

  private int run(Path folder, Selection selection)
      throws IOException, InterruptedException, ToolchainException {
    ToolchainRequest request = ToolchainCommand.request();
    Consumer<String> progress = ToolchainCommand.progress(console, quiet);
    Toolchain toolchain = Toolchains.require(request, progress);
    Extra extra = ProjectSystems.extra(CMAKE).orElseThrow();
    ExtraTools cmake = Extras.require(extra, request, progress);
    HipTests.Options options =
        new HipTests.Options(
            target,
            gpus,
            selection,
            Duration.ofSeconds(timeout > 0 ? timeout : SECONDS),
            Set.copyOf(folders),
            jobs > 0 ? jobs : Runtime.getRuntime().availableProcessors());
    SuiteResult result =
        new HipTests(toolchain, HipRuntime.of(toolchain, progress), cmake, options, progress)
            .run(checkout, folder);
    return new ConformanceOutput(console, report)
        .write(
            List.of(result),
            "%s, %d GPU%s".formatted(target, gpus, gpus == 1 ? "" : "s"),
            selection,
            options.limit().toSeconds());
  }
}
