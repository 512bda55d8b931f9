package dev.rocport.conformance;

import dev.rocport.core.source.Globs;
import dev.rocport.io.Folders;
import dev.rocport.io.TemporaryFolder;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.packages.Deb;
import dev.rocport.toolchain.packages.PackageFolder;
import dev.rocport.toolchain.packages.PackageLock;
import dev.rocport.toolchain.packages.PackageStore;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Fetches suites, runs their tests on the device, and deletes them.
 *
 * @param lock the packages that suites consist of
 * @param store where they come from
 * @param home folder where suites are unpacked
 * @param environment of the test programs, beyond that of a suite
 * @param preloaded libraries that programs load before their own
 * @param options what is run
 * @param progress receives one line for each step that takes time
 */
public record Conformance(
    PackageLock lock,
    PackageStore store,
    Path home,
    Map<String, String> environment,
    List<Path> preloaded,
    Conformance.Options options,
    Consumer<String> progress) {
  /** What would change what programs of other distributions load. */
  static final List<String> HOST_VARIABLES = List.of("LD_LIBRARY_PATH", "LD_PRELOAD");

  /** Entries of a table for each test of a sample: some entries are tests that do not run here. */
  private static final int ENTRIES = 4;

  /**
   * What is run.
   *
   * @param selection which tests of each suite run
   * @param limit the most time for a test
   * @param keep whether suites stay on disk
   */
  public record Options(Selection selection, Duration limit, boolean keep) {}

  /** With rocport's runtime, whose libraries the programs load in the place of those of ROCm. */
  public static Conformance on(
      HipRuntime runtime,
      String gpu,
      PackageLock lock,
      PackageStore store,
      Path home,
      Options options,
      Consumer<String> progress)
      throws ToolchainException {
    Map<String, String> environment = new TreeMap<>();
    runtime.locations(environment);
    environment.put("ROCPORT_GPU", gpu);
    return new Conformance(
        lock, store, home, environment, runtime.preloads(progress), options, progress);
  }

  /**
   * Runs a suite. What goes wrong with it is in its result, so that others can follow.
   *
   * @throws InterruptedException if rocport is to end
   */
  public SuiteResult run(Suite suite) throws InterruptedException {
    long start = System.nanoTime();
    List<TestResult> results = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    Optional<String> failure = suite.obstacle();
    String version = "";
    int tests = 0;
    if (failure.isEmpty()) {
      try (PackageFolder folder =
              PackageFolder.of(suite.set(), lock, store, home, options.keep(), progress);
          TemporaryFolder scratch = TemporaryFolder.create("rocport-" + suite.name())) {
        version = version(suite, folder);
        notes.addAll(lock.differences(folder.debs()));
        Path work = scratch.path();
        SortedMap<String, Path> programs = programs(suite, folder, work);
        if (programs.isEmpty()) {
          throw new ToolchainException(
              "the packages of "
                  + suite.name()
                  + " have none of its programs: "
                  + suite.programs());
        }
        List<String> arguments = arguments(suite, folder.root(), work, notes);
        Starter starter = starter(suite, arguments, folder, programs, work);
        ProgramTests runs = new ProgramTests(suite.form(), starter, options.limit(), work);
        List<TestCase> all = new ArrayList<>();
        for (String program : programs.keySet()) {
          all.addAll(runs.list(program));
        }
        tests = all.size();
        new SuiteTests(suite, runs, progress).run(all, options.selection(), results::add);
      } catch (IOException e) {
        failure = Optional.of("cannot run " + suite.name() + ": " + e);
      } catch (ToolchainException e) {
        failure = Optional.of(String.valueOf(e.getMessage()));
      }
    }
    Duration time = Duration.ofNanos(System.nanoTime() - start);
    return new SuiteResult(suite, version, tests, results, notes, failure, time);
  }

  /** The version of the tested library. */
  private static String version(Suite suite, PackageFolder folder) {
    return folder.debs().stream()
        .filter(d -> d.name().equals(suite.packages().getFirst()))
        .map(Deb::version)
        .findFirst()
        .orElse("");
  }

  /** The test programs by file name. */
  private SortedMap<String, Path> programs(Suite suite, PackageFolder folder, Path work)
      throws IOException, ToolchainException {
    Path root = folder.root();
    Globs patterns = Globs.of(suite.programs());
    SortedMap<String, Path> found = new TreeMap<>();
    for (String name : suite.programs()) {
      if (name.endsWith(OwnProgram.SOURCE)) {
        OwnProgram own = new OwnProgram(HipRuntime.installation().resolve(name), suite.name());
        Path program = own.compile(runtime(), folder.libraries(), work);
        found.put(String.valueOf(program.getFileName()), program);
      }
    }
    for (Path file : Folders.files(root)) {
      if (Files.isExecutable(file) && patterns.matches(root.relativize(file).toString())) {
        found.put(String.valueOf(file.getFileName()), file);
      }
    }
    return found;
  }

  /** The arguments of programs. A sample needs no more than a sample of the table of tests. */
  private List<String> arguments(Suite suite, Path root, Path work, List<String> notes)
      throws IOException {
    List<String> arguments = new ArrayList<>();
    for (String argument : suite.arguments()) {
      String value = argument.replace("@", root.toString());
      Path file = Path.of(value);
      if (options.selection().quick() && argument.startsWith("@/") && Files.isRegularFile(file)) {
        Optional<TestTable> table = TestTable.of(file);
        if (table.isPresent()) {
          Path sample = work.resolve(String.valueOf(file.getFileName()));
          long step = table.get().sample((long) ENTRIES * suite.sample().tests(), sample);
          notes.add(
              "the programs read one of every %d entries of their table of tests, which has %d"
                  .formatted(step, table.get().entries()));
          value = sample.toString();
        }
      }
      arguments.add(value);
    }
    return arguments;
  }

  /** The folder of the HIP runtime. */
  private Path runtime() {
    return Path.of(environment.getOrDefault("ROCM_PATH", ""));
  }

  private Starter starter(
      Suite suite, List<String> own, PackageFolder folder, Map<String, Path> programs, Path work)
      throws IOException {
    String root = folder.root().toString();
    List<Path> first = new ArrayList<>(preloaded);
    suite.preloads().forEach(p -> first.add(runtime().resolve(p)));
    List<String> before = loading(folder, first);
    return (program, arguments) -> {
      List<String> command = new ArrayList<>(before);
      command.add(String.valueOf(programs.get(program)));
      command.addAll(own);
      command.addAll(arguments);
      Exec exec =
          Exec.of(command)
              .in(suite.start().map(folder.root()::resolve).orElse(work))
              .with(environment);
      suite.variables().forEach((k, v) -> exec.environment().put(k, v.replace("@", root)));
      HOST_VARIABLES.forEach(exec.environment()::remove);
      return exec;
    };
  }

  /** How programs of the packages start: with their own loader, if they have one. */
  static List<String> loading(PackageFolder folder, List<Path> preloaded) throws IOException {
    List<String> before = new ArrayList<>();
    if (folder.loader().isPresent()) {
      before.add(folder.loader().get().toString());
      if (!preloaded.isEmpty()) {
        before.add("--preload");
        before.add(joined(preloaded));
      }
      before.add("--library-path");
      before.add(joined(folder.libraries()));
    }
    return before;
  }

  private static String joined(List<Path> paths) {
    return String.join(":", paths.stream().map(Path::toString).toList());
  }
}
