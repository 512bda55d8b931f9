package dev.rocport.conformance;

import dev.rocport.io.process.Exec;
import dev.rocport.io.process.ProcessTree;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.provision.ExtraTools;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builds the unit tests of a checkout with its own CMake files, in a folder that can be reused. */
final class HipTestsBuild {
  /** What the objects and programs of all tests take. */
  private static final long ROOM = 3_000_000_000L;

  private static final Duration CONFIGURING = Duration.ofMinutes(20);
  private static final Duration WATCH = Duration.ofMillis(500);
  private static final Duration REPORTED = Duration.ofSeconds(30);
  private static final int TAIL = 6;
  private static final String NO_ROOM = "No space left on device";

  /** Like {@code hipcc} of ROCm, with warnings of AMD's compiler off: Debian's has others. */
  private static final String FLAGS = "-w -O3";

  private final Checkout checkout;
  private final String target;
  private final HipRuntime runtime;
  private final ExtraTools cmake;
  private final Path folder;
  private final Set<String> folders;
  private final int jobs;
  private final Consumer<String> progress;

  /**
   * A build.
   *
   * @param cmake CMake and Ninja
   * @param folder an existing folder, of its own
   * @param folders of unit tests; none for all
   * @param jobs how many compiles run at a time
   */
  HipTestsBuild(
      Checkout checkout,
      String target,
      HipRuntime runtime,
      ExtraTools cmake,
      Path folder,
      Set<String> folders,
      int jobs,
      Consumer<String> progress) {
    this.checkout = checkout;
    this.target = target;
    this.runtime = runtime;
    this.cmake = cmake;
    this.folder = folder;
    this.folders = Set.copyOf(folders);
    this.jobs = jobs;
    this.progress = progress;
  }

  /**
   * What a build came to.
   *
   * @param programs by name
   * @param failures what does not compile or link
   * @param left tests that the checkout's configuration does not build, by folder
   */
  record Built(
      SortedMap<String, Path> programs,
      List<NinjaLog.Failure> failures,
      SortedMap<String, Integer> left) {}

  /**
   * Builds all that can be built.
   *
   * @throws ToolchainException if the tests cannot be configured
   */
  Built make() throws IOException, InterruptedException, ToolchainException {
    requireRoom();
    HipTestsHeader header = new HipTestsHeader(folder.resolve("header"), target);
    // Commands name the same path with every version of the runtime, so that objects stay valid.
    Path rocm = folder.resolve("rocm");
    Files.deleteIfExists(rocm);
    Files.createSymbolicLink(rocm, runtime.root());
    configure(rocm, header.script());
    List<String> steps = Files.readAllLines(build().resolve("build.ninja"));
    List<String> targets = NinjaProgram.targets(steps.stream(), folders);
    List<NinjaProgram> programs =
        NinjaProgram.of(steps.stream()).stream().filter(p -> targets.contains(p.output())).toList();
    if (programs.isEmpty()) {
      throw new ToolchainException(
          "the CMake files of %s build no tests%s"
              .formatted(
                  checkout.tests(),
                  folders.isEmpty() ? "" : " of unit/" + String.join(", unit/", folders)));
    }
    header.make(command(programs.getFirst().testObject()), checkout, runtime.root(), this::exec);
    List<NinjaLog.Failure> failures = new ArrayList<>(ninja(targets));
    failures.addAll(linkWithout(failures, programs));
    SortedMap<String, Path> made = new TreeMap<>();
    for (NinjaProgram program : programs) {
      Path file = build().resolve(program.output());
      if (Files.isExecutable(file)) {
        made.put(program.name(), file);
      }
    }
    if (made.isEmpty()) {
      throw new ToolchainException(
          "no test of %s can be built: %s"
              .formatted(
                  checkout.tests(),
                  failures.isEmpty() ? "no message" : failures.getFirst().message()));
    }
    return new Built(made, failures, left());
  }

  private Path build() {
    return folder.resolve("build");
  }

  private void requireRoom() throws ToolchainException {
    long free = folder.toFile().getUsableSpace();
    if (free < ROOM && !Files.exists(build().resolve("build.ninja"))) {
      throw new ToolchainException(
          "the HIP tests need %d MB of disk space, but %s has only %d MB: free some space, or set --work to a folder on another disk"
              .formatted(ROOM / 1_000_000, folder, free / 1_000_000));
    }
  }

  private Exec exec(List<String> command) {
    Exec exec = Exec.of(command).in(folder.resolve("build"));
    Map<String, String> environment = exec.environment();
    List.of("CXXFLAGS", "CFLAGS", "LDFLAGS", "ROCPORT_PCH").forEach(environment::remove);
    cmake.into(environment);
    environment.put("ROCM_PATH", folder.resolve("rocm").toString());
    environment.put("HIP_PLATFORM", "amd");
    return exec;
  }

  private void configure(Path rocm, Path script)
      throws IOException, InterruptedException, ToolchainException {
    Files.createDirectories(build());
    progress.accept("hip-tests: configuring the tests for " + target);
    List<String> command = new ArrayList<>();
    command.addAll(List.of(cmake.program("cmake").toString(), "-G", "Ninja"));
    command.addAll(List.of("-S", checkout.tests().toString(), "-B", build().toString()));
    command.add("-DCMAKE_MAKE_PROGRAM=" + cmake.program("ninja"));
    command.addAll(List.of("-DHIP_PLATFORM=amd", "-DROCM_PATH=" + rocm, "-DHIP_PATH=" + rocm));
    command.add("-DOFFLOAD_ARCH_STR=--offload-arch=" + target);
    command.add("-DCMAKE_CXX_FLAGS=" + FLAGS);
    command.add("-DCMAKE_CXX_COMPILER_LAUNCHER=" + script);
    // The device has no OpenGL.
    command.add("-DCMAKE_DISABLE_FIND_PACKAGE_OpenGL=ON");
    Exec.Outcome made = exec(command).limit(CONFIGURING).run();
    if (!made.ok()) {
      List<String> lines = made.stderr().lines().filter(l -> !l.isBlank()).toList();
      throw new ToolchainException(
          "the tests cannot be configured (cmake: exit code %d):\n%s"
              .formatted(
                  made.code(),
                  lines.stream().limit(TAIL).collect(Collectors.joining("\n")).indent(2)));
    }
  }

  /** The last command that makes a file. */
  private String command(String output)
      throws IOException, InterruptedException, ToolchainException {
    Exec.Outcome commands =
        exec(List.of(cmake.program("ninja").toString(), "-t", "commands", output))
            .limit(CONFIGURING)
            .run();
    return commands
        .stdout()
        .lines()
        .reduce((before, last) -> last)
        .filter(l -> commands.ok())
        .orElseThrow(
            () -> new ToolchainException("ninja lists no commands: " + commands.stderr().strip()));
  }

  private List<NinjaLog.Failure> ninja(List<String> targets)
      throws IOException, InterruptedException, ToolchainException {
    progress.accept("hip-tests: compiling the tests, %d at a time".formatted(jobs));
    Path log = folder.resolve("build.log");
    List<String> command = new ArrayList<>(List.of(cmake.program("ninja").toString()));
    command.addAll(List.of("-k", "0", "-j", Integer.toString(jobs)));
    command.addAll(targets);
    int code;
    long last = System.nanoTime();
    try (ProcessTree tree = exec(command).merged().output(log).start()) {
      while (!tree.await(WATCH)) {
        if (System.nanoTime() - last > REPORTED.toNanos()) {
          last = System.nanoTime();
          step(log);
        }
      }
      code = tree.await();
    }
    try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      List<NinjaLog.Failure> failures = NinjaLog.failures(lines);
      if (failures.stream().anyMatch(f -> f.message().contains(NO_ROOM))) {
        throw new ToolchainException(
            "the disk with %s is full: free some space, or set --work to a folder on another disk"
                .formatted(folder));
      }
      if (code != 0 && failures.isEmpty()) {
        List<String> all = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
        throw new ToolchainException(
            "the tests cannot be built: "
                + String.join("; ", all.subList(Math.max(0, all.size() - TAIL), all.size())));
      }
      return failures;
    }
  }

  private void step(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      lines
          .flatMap(l -> NinjaLog.step(l).stream())
          .reduce((before, last) -> last)
          .ifPresent(s -> progress.accept("hip-tests: compiled %s".formatted(s)));
    }
  }

  /** Links programs without the objects that do not compile, so that their other tests run. */
  private List<NinjaLog.Failure> linkWithout(
      List<NinjaLog.Failure> failures, List<NinjaProgram> programs)
      throws IOException, InterruptedException, ToolchainException {
    Set<String> failed =
        failures.stream().map(NinjaLog.Failure::output).collect(Collectors.toSet());
    List<NinjaLog.Failure> more = new ArrayList<>();
    for (NinjaProgram program : programs) {
      Set<String> objects = new HashSet<>(program.objects());
      objects.retainAll(failed);
      if (objects.isEmpty()) {
        continue;
      }
      // One of an earlier build would run tests of sources that have changed.
      Files.deleteIfExists(build().resolve(program.output()));
      String link =
          Arrays.stream(command(program.output()).split(" "))
              .filter(word -> !objects.contains(word))
              .collect(Collectors.joining(" "));
      Exec.Outcome made = exec(List.of("/bin/sh", "-c", link)).limit(CONFIGURING).run();
      if (!made.ok()) {
        more.add(
            new NinjaLog.Failure(
                program.output(),
                "it cannot be linked without "
                    + String.join(", ", objects)
                    + ": "
                    + made.stderr().lines().findFirst().orElse("no message")));
      }
    }
    return more;
  }

  /** Counts sources of unit tests that no step compiles. */
  private SortedMap<String, Integer> left() throws IOException {
    String steps = Files.readString(build().resolve("build.ninja"));
    SortedMap<String, Integer> left = new TreeMap<>();
    Path unit = checkout.tests().resolve("unit");
    try (Stream<Path> files = Files.walk(unit)) {
      for (Path file : files.filter(f -> f.toString().matches(".*\\.(cc|cpp)")).toList()) {
        if (!steps.contains(file.toString())
            && (folders.isEmpty() || folders.contains(unit.relativize(file).getName(0).toString()))
            && Files.readString(file, StandardCharsets.ISO_8859_1).contains("TEST_CASE(")) {
          left.merge(unit.relativize(file.getParent()).toString(), 1, Integer::sum);
        }
      }
    }
    return left;
  }
}
