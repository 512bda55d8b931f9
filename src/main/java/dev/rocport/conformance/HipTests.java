package dev.rocport.conformance;

import dev.rocport.io.TemporaryFolder;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.provision.ExtraTools;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * AMD's unit tests of HIP, compiled from a checkout and run on the device.
 *
 * @param toolchain the compiler
 * @param runtime what the tests are of
 * @param cmake CMake and Ninja
 * @param options what is run
 * @param progress receives one line for each step that takes time
 */
public record HipTests(
    Toolchain toolchain,
    HipRuntime runtime,
    ExtraTools cmake,
    HipTests.Options options,
    Consumer<String> progress) {
  /** The name of the suite. */
  public static final String NAME = "hip-tests";

  /** The program of results of sources that do not compile. */
  private static final String BUILD = "build";

  private static final int SAMPLE = 60;

  /**
   * Tests of mathematical functions with random numbers run with so many of them: the 2^32 that
   * AMD's tests use by default would take days.
   */
  private static final List<String> ARGUMENTS =
      List.of("--accuracy-iterations", "2000", "--accuracy-max-memory", "1");

  /**
   * What is run.
   *
   * @param target of the compiler and the device
   * @param gpus how many GPUs the tests see
   * @param selection which tests run
   * @param limit the most time for a test
   * @param folders of unit tests; none for all
   * @param jobs how many compiles run at a time
   */
  public record Options(
      String target, int gpus, Selection selection, Duration limit, Set<String> folders, int jobs) {
    public Options {
      folders = Set.copyOf(folders);
    }
  }

  /** The suite, as the lists of known failures name it. */
  static Suite suite() {
    return new Suite(
        NAME,
        "HIP unit tests",
        Form.CATCH,
        List.of(),
        List.of(),
        List.of(),
        ARGUMENTS,
        Map.of(),
        Optional.empty(),
        Sample.of(SAMPLE),
        Optional.empty());
  }

  /**
   * Refuses folders that are no checkout of the tests.
   *
   * @throws IOException if it is none, with the reason
   */
  public static void requireCheckout(Path folder) throws IOException {
    Checkout.of(folder);
  }

  /**
   * Builds and runs the tests of a checkout.
   *
   * @param checkout the folder of the checkout
   * @param folder an existing folder for the build; with that of an earlier run, only what changed
   *     is compiled
   * @throws IOException also if the folder holds no checkout
   * @throws InterruptedException if rocport is to end
   */
  public SuiteResult run(Path checkout, Path folder) throws IOException, InterruptedException {
    long start = System.nanoTime();
    Suite suite = suite();
    Checkout tests = Checkout.of(checkout);
    List<TestResult> results = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    Optional<String> failure = Optional.empty();
    int count = 0;
    String version = tests.version();
    try (TemporaryFolder scratch = TemporaryFolder.create("rocport-" + NAME)) {
      runtime.compile(List.of(Library.HIPRTC, Library.ROCTX), progress);
      HipTestsBuild.Built built =
          new HipTestsBuild(
                  tests,
                  options.target(),
                  runtime,
                  cmake,
                  folder.toRealPath(),
                  options.folders(),
                  options.jobs(),
                  progress)
              .make();
      for (NinjaLog.Failure f : built.failures()) {
        results.add(
            new TestResult(
                new TestCase(BUILD, f.source()),
                Verdict.FAILED,
                "does not compile: " + shortened(f.message(), tests),
                Duration.ZERO));
      }
      Path list = folder.toRealPath().resolve("disabled.json");
      DisabledTests disabled = DisabledTests.of(tests, toolchain, options.target(), list);
      ProgramTests runs =
          new ProgramTests(
              Form.CATCH, starter(built.programs(), list), options.limit(), scratch.path());
      List<TestCase> all = new ArrayList<>();
      for (String program : built.programs().keySet()) {
        try {
          all.addAll(runs.list(program));
        } catch (ToolchainException e) {
          results.add(
              new TestResult(
                  new TestCase(program, "list"),
                  Verdict.FAILED,
                  shortened(e.getMessage() + "", tests).replaceAll("\\s+", " "),
                  Duration.ZERO));
        }
      }
      List<TestCase> enabled = all.stream().filter(t -> !disabled.contains(t.name())).toList();
      notes.add(
          "AMD's list for %s disables %d of %d tests"
              .formatted(options.target(), all.size() - enabled.size(), all.size()));
      if (!built.left().isEmpty()) {
        notes.add("sources that AMD's CMake files do not build here: " + left(built.left()));
      }
      count = enabled.size() + results.size();
      new SuiteTests(suite, runs, progress)
          .run(enabled, options.selection(), r -> results.add(shortened(r, tests)));
    } catch (ToolchainException e) {
      failure = Optional.of(String.valueOf(e.getMessage()));
    }
    Duration time = Duration.ofNanos(System.nanoTime() - start);
    return new SuiteResult(suite, version, count, results, notes, failure, time);
  }

  private static String left(SortedMap<String, Integer> folders) {
    return folders.entrySet().stream()
        .map(e -> "%s %d".formatted(e.getKey(), e.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** As ctest starts them: in the folder of the program. */
  private Starter starter(SortedMap<String, Path> programs, Path disabled) {
    Map<String, String> environment = new TreeMap<>();
    environment.put("ROCPORT_GPU", options.target());
    environment.put("ROCPORT_GPUS", Integer.toString(options.gpus()));
    environment.put("HIP_PATH", runtime.root().toString());
    environment.put("HIP_CATCH_EXCLUDE_FILE", disabled.toString());
    return (program, arguments) -> {
      Path file = programs.get(program);
      List<String> command = new ArrayList<>(List.of(String.valueOf(file)));
      command.addAll(arguments);
      command.addAll(ARGUMENTS);
      Exec exec = Exec.of(command).with(environment);
      Path parent = file == null ? null : file.getParent();
      if (parent != null) {
        exec.in(parent);
      }
      runtime.into(exec.environment());
      exec.environment()
          .merge("PATH", runtime.programs().toString(), (path, own) -> own + ":" + path);
      return exec;
    };
  }

  private static TestResult shortened(TestResult result, Checkout tests) {
    return new TestResult(
        result.test(), result.verdict(), shortened(result.message(), tests), result.time());
  }

  /** Paths in messages relative to the tests. */
  private static String shortened(String message, Checkout tests) {
    return message.replace(tests.tests() + "/", "");
  }
}
