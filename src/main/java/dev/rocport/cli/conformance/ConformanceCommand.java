package dev.rocport.cli.conformance;

import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.cli.toolchain.ToolchainCommand;
import dev.rocport.conformance.Conformance;
import dev.rocport.conformance.HipTests;
import dev.rocport.conformance.Llama;
import dev.rocport.conformance.Selection;
import dev.rocport.conformance.Suite;
import dev.rocport.conformance.SuiteResult;
import dev.rocport.conformance.Suites;
import dev.rocport.io.TemporaryFolder;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.packages.ArchiveStore;
import dev.rocport.toolchain.packages.FolderStore;
import dev.rocport.toolchain.packages.PackageLock;
import dev.rocport.toolchain.packages.PackageSet;
import dev.rocport.toolchain.packages.PackageStore;
import dev.rocport.toolchain.packages.SharedPackages;
import dev.rocport.toolchain.provision.Toolchains;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rocport conformance}: AMD's own test suites on the device. */
@Command(
    name = "conformance",
    mixinStandardHelpOptions = true,
    description = {
      "Runs AMD's own libraries and their test programs, unmodified, from Debian packages, on the",
      "rocport device. Downloads, runs and deletes one suite at a time.",
      "Exits with 1 for a failure that is not in the list of known failures, and with 3 if a suite",
      "cannot run."
    },
    footer = {
      "",
      "Examples:",
      "  rocport conformance --list",
      "  rocport conformance --quick",
      "  rocport conformance rocrand rocsparse --report out"
    })
public final class ConformanceCommand implements Callable<Integer> {
  /** The only target that the packages have code for and the device runs. */
  static final String TARGET = PackageLock.TARGET;

  private static final String HIP_TESTS =
      "%-12s HIP unit tests, from a checkout: see 'rocport conformance %<s --help'"
          .formatted(HipTests.NAME);

  private static final String LLAMA =
      "%-12s llama.cpp with a random model: see 'rocport conformance %<s --help'"
          .formatted(Llama.NAME);

  static final String FOLDER = "conformance";
  private static final long QUICK_SECONDS = 20;
  private static final long SECONDS = 60;

  private final Console console;

  @Parameters(
      arity = "0..*",
      paramLabel = "SUITE",
      description = "The suites to run (default: all that can run; see --list).")
  private List<String> names = List.of();

  @Option(
      names = "--quick",
      description =
          "Run a sample: every Nth test of the sorted list of each suite, "
              + QUICK_SECONDS
              + " s each.")
  private boolean quick;

  @Option(
      names = "--sample",
      paramLabel = "N",
      description = "With --quick, about N tests of each suite.")
  private int sample;

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
      names = "--targets",
      defaultValue = TARGET,
      paramLabel = "ARCH",
      description = {
        "The GPU: gfx90a (default), or another one that the packages of the suite hold code for:",
        "gfx1100 for rocrand, hiprand, rocsparse and rocfft."
      })
  private String target;

  @Option(
      names = "--packages",
      paramLabel = "DIR",
      description =
          "Take the package files from this folder instead of the Debian archive; their SHA-256"
              + " must be the one listed in rules/conformance/packages.tsv.")
  private @Nullable Path packages;

  @Option(
      names = "--keep",
      description = "Keep the unpacked suites; later runs use them and download nothing.")
  private boolean keep;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Also write conformance.md, and conformance.tsv with a line for each test.")
  private @Nullable Path report;

  @Option(names = "--list", description = "List the suites with their sizes; run nothing.")
  private boolean list;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no progress.")
  private boolean quiet;

  /** The command with the suite that has options of its own. */
  public static CommandLine line(Console console) {
    return new CommandLine(new ConformanceCommand(console))
        .addSubcommand(new HipTestsCommand(console))
        .addSubcommand(new LlamaCommand(console));
  }

  private ConformanceCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException, ToolchainException {
    PackageLock lock = PackageLock.builtIn();
    List<Suite> suites = chosen(Suites.builtIn());
    if (list) {
      suites.forEach(s -> console.out().println(line(s, lock)));
      if (names.isEmpty()) {
        console.out().println(HIP_TESTS);
        console.out().println(LLAMA);
      }
      return ExitCode.OK.code();
    }
    if (timeout < 0 || sample < 0) {
      throw new UsageException("--timeout and --sample must not be negative");
    }
    if (sample > 0 && !quick) {
      throw new UsageException("--sample needs --quick");
    }
    suites = on(target, suites);
    Selection selection = ConformanceOutput.selection(quick, shard, tests);
    try (TemporaryFolder scratch = TemporaryFolder.create("rocport-conformance")) {
      List<Suite> sampled =
          sample == 0 ? suites : suites.stream().map(s -> s.withSample(sample)).toList();
      return run(sampled, selection, lock, scratch.path());
    }
  }

  private int run(List<Suite> suites, Selection selection, PackageLock lock, Path scratch)
      throws IOException, InterruptedException, ToolchainException {
    ToolchainRequest request = ToolchainCommand.request();
    Consumer<String> progress = ToolchainCommand.progress(console, quiet);
    HipRuntime runtime = HipRuntime.of(Toolchains.require(request, progress), progress);
    List<PackageSet> sets = suites.stream().map(Suite::set).toList();
    PackageStore origin =
        packages == null
            ? new ArchiveStore(sets, request.environment(), scratch, progress)
            : new FolderStore(packages, lock);
    Path home = request.home().resolve(FOLDER);
    long seconds = timeout > 0 ? timeout : quick ? QUICK_SECONDS : SECONDS;
    List<SuiteResult> results = new ArrayList<>();
    try (SharedPackages store = new SharedPackages(origin, sets, home)) {
      Conformance conformance =
          Conformance.on(
              runtime,
              target,
              lock,
              store,
              home,
              new Conformance.Options(selection, Duration.ofSeconds(seconds), keep),
              progress);
      for (Suite suite : suites) {
        results.add(conformance.run(suite));
      }
    }
    return new ConformanceOutput(console, report).write(results, target, selection, seconds);
  }

  private List<Suite> chosen(List<Suite> all) {
    List<Suite> chosen = new ArrayList<>();
    for (String name : names) {
      Suite suite =
          all.stream()
              .filter(s -> s.name().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new UsageException(
                          "no such suite: %s; the suites are %s"
                              .formatted(
                                  name,
                                  all.stream()
                                      .map(Suite::name)
                                      .collect(Collectors.joining(", ")))));
      if (suite.obstacle().isPresent() && !list) {
        throw new UsageException(name + " cannot run: " + suite.obstacle().get());
      }
      chosen.add(suite);
    }
    return names.isEmpty() ? all : chosen;
  }

  /** The suites that run on a GPU: all that were named have to. */
  private List<Suite> on(String gpu, List<Suite> suites) {
    List<Suite> able = suites.stream().filter(s -> s.runsOn(gpu)).toList();
    if (able.isEmpty() || (!names.isEmpty() && able.size() < suites.size())) {
      throw new UsageException(
          "--targets %s: the Debian packages of %s hold no code for it"
              .formatted(
                  gpu,
                  suites.stream()
                      .filter(s -> !s.runsOn(gpu))
                      .map(Suite::name)
                      .collect(Collectors.joining(", "))));
    }
    return able;
  }

  private static String line(Suite suite, PackageLock lock) {
    return suite
        .obstacle()
        .map(o -> "%-12s cannot run: %s".formatted(suite.name(), o))
        .orElseGet(
            () ->
                "%-12s %s: %d MB to download, %d MB on disk"
                    .formatted(
                        suite.name(),
                        suite.title(),
                        PackageLock.megabytes(lock.download(suite.set())),
                        PackageLock.megabytes(lock.room(suite.set()))));
  }
}
