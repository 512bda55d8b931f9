package dev.rocport.verify;

import dev.rocport.build.BuildResult;
import dev.rocport.build.link.LinkResult;
import dev.rocport.build.run.UnitResult;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.device.check.Checks;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.RuleFilter;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Runs warp programs: the port for each target, and two ports as people make them by hand, which
 * must fail for the program to prove anything.
 */
public final class WarpTrials {
  /** The target of the ports by hand: what is wrong on one with 64 lanes is so on all. */
  private static final String BY_HAND = "gfx942";

  /** These programs take less than a second; what takes this long does not end. */
  private static final Duration LIMIT_BY_HAND = Duration.ofSeconds(12);

  private static final RuleFilter NAMES_ALONE = new RuleFilter(List.of(), List.of("W64*"));
  private static final String NAIVE = "naive.h";

  /** Exit codes above are those of programs that a signal ended. */
  private static final int FIRST_SIGNAL = 128;

  /** The device's message about waves that wait forever. */
  private static final String NO_PROGRESS = "has made no progress";

  private final VerifyOptions options;
  private final Platform platform;
  private final Workshop port;
  private final Workshop names;
  private final Consumer<String> progress;
  private final AtomicInteger scratches = new AtomicInteger();

  /** One port by hand at a time: a kernel that hangs takes the device from all others. */
  private final Object device = new Object();

  private WarpTrials(
      VerifyOptions options,
      Platform platform,
      RuleCatalog catalog,
      Toolchain toolchain,
      Consumer<String> progress) {
    this.options = options;
    this.platform = platform;
    this.port = new Workshop(catalog, PortOptions.DEFAULT, toolchain, options.alone());
    this.names =
        new Workshop(
            catalog,
            PortOptions.DEFAULT.with(NAMES_ALONE),
            toolchain,
            options.alone().with(List.of(BY_HAND)));
    this.progress = progress;
  }

  /**
   * Tries all fixtures, several at a time; the results are in their order. Without {@code
   * options.full()} the names alone are tried only where what people write by hand is right.
   *
   * @param folders fixtures with {@code warp} in their description
   * @throws ToolchainException where there is nothing to build or to run with
   * @throws VerifyException where one of them says nothing about its warps
   */
  public static List<WarpTrial> run(
      List<Path> folders,
      VerifyOptions options,
      RuleCatalog catalog,
      Toolchain toolchain,
      ToolchainRequest request,
      Consumer<String> progress)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    List<Fixture> fixtures = new ArrayList<>();
    for (Path folder : folders) {
      Fixture fixture = FixtureReader.read(folder);
      if (fixture.warp().isEmpty()) {
        throw new VerifyException(
            folder + ": fixture.yaml has no field 'warp', the expected decision");
      }
      fixtures.add(fixture);
    }
    try (Platform platform = Platform.of(options, toolchain, request, progress)) {
      WarpTrials trials = new WarpTrials(options, platform, catalog, toolchain, progress);
      List<Callable<WarpTrial>> all = new ArrayList<>();
      fixtures.forEach(f -> all.add(() -> trials.trial(f)));
      return Trials.all(all, options.jobs());
    }
  }

  private WarpTrial trial(Fixture fixture)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Path trees = options.work().resolve("warp").resolve(fixture.name());
    Path tree = trees.resolve("port");
    List<FileResult> files = port.port(fixture.folder(), tree);
    boolean stable = isStable(tree, trees.resolve("again"));
    SortedMap<String, WarpOutcome> runs = new TreeMap<>();
    Fixture.Warp kind = fixture.warp().orElseThrow();
    if (kind != Fixture.Warp.FLAGGED) {
      Optional<WarpOutcome> failed = failure(port, fixture, tree, List.of());
      for (String target : platform.targets()) {
        runs.put(
            target,
            failed.isPresent() ? failed.get() : ended(fixture, tree, target, Optional.empty()));
      }
    }
    WarpOutcome byHand = byHand(fixture, trees.resolve("by-hand"));
    WarpOutcome names =
        !options.full() && byHand.isWrong()
            ? new WarpOutcome(WarpOutcome.Kind.NOT_RUN, "")
            : names(fixture, trees.resolve("names"));
    boolean recorded = Files.exists(fixture.golden().resolve("stdout.txt"));
    WarpTrial trial =
        new WarpTrial(fixture.name(), kind, recorded, files, stable, runs, names, byHand);
    progress.accept(
        "%s: %s, the port is %s".formatted(trial.name(), lower(kind), lower(trial.verdict())));
    return trial;
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** Whether porting a port changes nothing; rocport's own headers are not part of it. */
  private boolean isStable(Path tree, Path again) throws IOException, VerifyException {
    return port.port(tree, again).stream()
        .filter(f -> !f.path().startsWith("rocport/"))
        .allMatch(f -> f.editCount() == 0);
  }

  private WarpOutcome names(Fixture fixture, Path tree)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    names.port(fixture.folder(), tree);
    return byHand(fixture, tree, List.of("HIP_ENABLE_WARP_SYNC_BUILTINS"));
  }

  private WarpOutcome byHand(Fixture fixture, Path tree)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    names.port(fixture.folder(), tree);
    Path header = HipRuntime.installation().resolve("fixtures/warp").resolve(NAIVE);
    List<Path> sources;
    try (Stream<Path> all = Files.walk(tree)) {
      sources = all.filter(f -> f.toString().endsWith(".cu")).sorted().toList();
    }
    for (Path source : sources) {
      Files.copy(header, source.resolveSibling(NAIVE), StandardCopyOption.REPLACE_EXISTING);
      String text = Files.readString(source);
      Files.writeString(source, "#include \"" + NAIVE + "\"\n" + text);
    }
    return byHand(fixture, tree, List.of());
  }

  private WarpOutcome byHand(Fixture fixture, Path tree, List<String> defines)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Optional<WarpOutcome> failed = failure(names, fixture, tree, defines);
    if (failed.isPresent()) {
      return failed.get();
    }
    synchronized (device) {
      return ended(fixture, tree, BY_HAND, Optional.of(LIMIT_BY_HAND));
    }
  }

  /** Builds a tree; what went wrong, if anything. */
  private static Optional<WarpOutcome> failure(
      Workshop workshop, Fixture fixture, Path tree, List<String> defines)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    BuildResult build =
        workshop.build(tree, Optional.of(fixture.standard()), List.of(), List.of(), defines);
    List<Finding> errors =
        build.allFindings().stream().filter(f -> f.severity() == Severity.ERROR).toList();
    boolean failed =
        build.units().stream().anyMatch(u -> !u.ok())
            || build.count(LinkResult.Status.FAILED) > 0
            || !errors.isEmpty();
    return failed
        ? Optional.of(new WarpOutcome(WarpOutcome.Kind.NOT_BUILT, reason(build, errors)))
        : Optional.empty();
  }

  private static String reason(BuildResult build, List<Finding> errors) {
    return Stream.of(
            errors.stream().map(f -> f.path() + ":" + f.line() + ": " + f.message()),
            build.units().stream().filter(u -> !u.ok()).map(UnitResult::message),
            build.links().stream().map(LinkResult::message))
        .flatMap(s -> s)
        .filter(s -> !s.isBlank())
        .findFirst()
        .orElse("does not build");
  }

  /** Makes all runs of a program; the first that goes wrong counts. */
  private WarpOutcome ended(Fixture fixture, Path tree, String target, Optional<Duration> limit)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    for (RunSpec run : fixture.runs()) {
      Optional<Path> program = new Programs(tree).find(fixture, run);
      if (program.isEmpty()) {
        return new WarpOutcome(
            WarpOutcome.Kind.NOT_BUILT, "the build did not produce " + run.program());
      }
      String number = "warp" + scratches.getAndIncrement();
      Path scratch = Files.createDirectories(options.work().resolve("runs").resolve(number));
      List<String> command = new ArrayList<>(List.of(program.get().toString()));
      command.addAll(run.args());
      ProgramRun ended =
          platform.run(
              command,
              tree,
              target,
              0,
              1,
              Optional.empty(),
              run.environment(),
              Checks.NONE,
              limit.orElse(options.limit().orElse(run.limit())),
              scratch);
      WarpOutcome outcome = outcome(ended, run, new Golden(fixture).stdout(run, 0));
      if (!outcome.isRight()) {
        return outcome;
      }
    }
    return WarpOutcome.RIGHT;
  }

  private static WarpOutcome outcome(ProgramRun ended, RunSpec run, Optional<byte[]> golden) {
    String last = ended.lastWords();
    if (ended.timedOut()) {
      return new WarpOutcome(WarpOutcome.Kind.HANGS, "did not finish within its time limit");
    }
    if (ended.stderr().contains(NO_PROGRESS)) {
      return new WarpOutcome(WarpOutcome.Kind.HANGS, last);
    }
    if (ended.code() > FIRST_SIGNAL) {
      return new WarpOutcome(WarpOutcome.Kind.STOPPED, last);
    }
    if (golden.isPresent() && !Arrays.equals(golden.get(), ended.stdout())) {
      String expected = new String(golden.get(), StandardCharsets.UTF_8);
      return new WarpOutcome(WarpOutcome.Kind.WRONG, difference(expected, ended.text()));
    }
    boolean passed = golden.isPresent() || ended.text().stripTrailing().endsWith("PASS");
    return ended.code() == run.exit() && passed
        ? WarpOutcome.RIGHT
        : new WarpOutcome(WarpOutcome.Kind.WRONG, "exited with " + ended.code() + ": " + last);
  }

  /** The first line that is another one. */
  private static String difference(String expected, String actual) {
    Iterator<String> lines = actual.lines().iterator();
    int number = 1;
    for (String wanted : expected.lines().toList()) {
      String line = lines.hasNext() ? lines.next() : "nothing";
      if (!line.equals(wanted)) {
        return "line %d: '%s', where the original printed '%s'".formatted(number, line, wanted);
      }
      number++;
    }
    return "more lines than the original printed";
  }
}
