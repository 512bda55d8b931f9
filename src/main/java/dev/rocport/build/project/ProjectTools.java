package dev.rocport.build.project;

import dev.rocport.build.compile.Compilation;
import dev.rocport.build.link.Linker;
import dev.rocport.build.link.MpiFlags;
import dev.rocport.build.plan.BuildOptions;
import dev.rocport.build.plan.PlanException;
import dev.rocport.build.run.BuildFindings;
import dev.rocport.build.run.BuildListener;
import dev.rocport.build.run.PlanRunner;
import dev.rocport.buildsystem.shared.BuildFileNames;
import dev.rocport.core.result.Finding;
import dev.rocport.io.Folders;
import dev.rocport.io.process.Exec;
import dev.rocport.io.process.SearchPath;
import dev.rocport.toolchain.OpenMp;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.Mpi;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Environment of a project's own build: variables, a ROCm folder, binutils, compilers, and handling
 * of messages. All project runners use it.
 */
public final class ProjectTools {
  private static final Pattern NAMES_MPI =
      Pattern.compile(
          "\\bmpi(?:cc|cxx|c\\+\\+|CC)\\b|-lmpi\\b|\\b\\w*MPI_?(?:HOME|ROOT|PATH|DIR|INC)\\w*");
  private static final Duration LIMIT = Duration.ofHours(12);

  private final BuildOptions options;
  private final Toolchain toolchain;
  private final Mirror mirror;
  private final ToolRunner tools;
  private final BuildFindings findings;
  private final BuildListener listener;

  public ProjectTools(
      BuildOptions options,
      Toolchain toolchain,
      Mirror mirror,
      ToolRunner tools,
      BuildFindings findings,
      BuildListener listener) {
    this.options = options;
    this.toolchain = toolchain;
    this.mirror = mirror;
    this.tools = tools;
    this.findings = findings;
    this.listener = listener;
  }

  BuildOptions options() {
    return options;
  }

  Toolchain toolchain() {
    return toolchain;
  }

  Mirror mirror() {
    return mirror;
  }

  ToolRunner tools() {
    return tools;
  }

  /** Reports the current step. */
  void step(String what) {
    listener.step(0, 0, what);
  }

  /**
   * Starts the front ends in a folder with the layout of ROCm, and puts them first in PATH. Close
   * them before {@link #clear} deletes the folder.
   *
   * @param more compiler names in addition to the default ones
   */
  FrontEnds frontEnds(Collection<String> more, Map<String, String> environment)
      throws IOException, InterruptedException {
    FrontEnds programs = new FrontEnds(mirror.frontEnds(), more, tools);
    rocm();
    binutils(programs, environment);
    environment.merge("PATH", programs.bin() + "", (path, bin) -> bin + ":" + path);
    return programs;
  }

  /** Deletes the folder of the front ends, which do not work without this process. */
  void clear() throws IOException {
    Folders.delete(mirror.frontEnds());
  }

  /** Returns the result of a project's build. */
  PlanRunner.Outcome built(String file, String tool, Exec.Outcome made) throws IOException {
    return new ToolOutcome(options, mirror, tools, findings).of(file, tool, made);
  }

  /** Whether all that the build has compiled has no errors, and no flag was unknown. */
  private boolean hasOnlyCompiled() {
    return tools.problems().isEmpty() && tools.compilations().stream().allMatch(Compilation::ok);
  }

  /**
   * Returns the result of a project that could not be configured.
   *
   * @param file its build file, relative to the root of the tree
   */
  PlanRunner.Outcome failed(String file, String message) throws IOException {
    List<Finding> found = new ArrayList<>(List.of(findings.project(file, message)));
    mirror.left().forEach(l -> found.add(findings.project(l.file(), l.message())));
    return new PlanRunner.Outcome(List.of(), List.of(), found, tools.notes());
  }

  ToolchainRequest request() {
    return options.toolchainRequest();
  }

  /**
   * Returns the environment of the project's programs; variables that would override the front ends
   * are empty.
   */
  Map<String, String> environment() {
    Map<String, String> all = new HashMap<>(System.getenv());
    all.putAll(options.environment());
    Map<String, String> environment = new TreeMap<>(options.environment());
    environment.put("PATH", all.getOrDefault("PATH", "/usr/bin:/bin"));
    environment.put("LD_LIBRARY_PATH", all.getOrDefault("LD_LIBRARY_PATH", ""));
    Stream.of("CC", "CXX", "CPP", "CXXCPP", "LD").forEach(v -> environment.put(v, ""));
    environment.putAll(Map.of("MAKEFLAGS", "", "MAKELEVEL", "0"));
    return environment;
  }

  /**
   * Provides Open MPI to a build whose makefiles name MPI, which may be in folders of another
   * machine. Without one, the build runs as it is.
   */
  void mpi(Map<String, String> environment) throws IOException {
    if (!namesMpi()) {
      return;
    }
    try {
      Mpi mpi = Mpi.require(request(), this::step);
      tools.mpi(MpiFlags.of(mpi));
      mpi.into(environment);
      environment.put("OMPI_CC", "gcc");
      environment.put("OMPI_CXX", "g++");
    } catch (ToolchainException e) {
      step("MPI is not available for this build: " + e.getMessage());
    }
  }

  private boolean namesMpi() throws IOException {
    try (Stream<Path> all = Files.walk(mirror.folder())) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        if (BuildFileNames.isMakefile(file.getFileName() + "")
            && NAMES_MPI.matcher(Files.readString(file, StandardCharsets.ISO_8859_1)).find()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Gives the folder of the front ends the layout of a ROCm installation. */
  private void rocm() throws IOException {
    for (Map.Entry<String, Path> e :
        Map.of("include", toolchain.include(), "lib", toolchain.lib()).entrySet()) {
      try (Stream<Path> files = Files.list(e.getValue())) {
        for (Path file : files.sorted().toList()) {
          Path at = mirror.frontEnds().resolve(e.getKey()).resolve(file.getFileName());
          Files.createSymbolicLink(at, file);
        }
      }
    }
  }

  /** Provides the binutils that libtool calls, if the machine has none. */
  private void binutils(FrontEnds programs, Map<String, String> environment)
      throws IOException, InterruptedException {
    Linker linker = new Linker(toolchain, List.of(), options.root(), options.timeout(), Map.of());
    for (String name : List.of("ar", "nm", "objcopy", "objdump", "ranlib", "readelf", "strip")) {
      alias(programs, environment, name, linker.tool("llvm-" + name));
    }
    alias(programs, environment, "ld", linker.tool("ld.lld"));
  }

  private static void alias(
      FrontEnds programs, Map<String, String> environment, String name, String instead)
      throws IOException {
    boolean there =
        SearchPath.folders(environment).stream().anyMatch(f -> Files.isExecutable(f.resolve(name)));
    if (!there && instead.startsWith("/")) {
      programs.alias(name, List.of(instead));
    }
  }

  /** Returns the compiler command for each host front end, with the flags for HIP. */
  Map<String, List<String>> probes(FrontEnds programs) throws IOException {
    List<String> flags =
        new ArrayList<>(
            List.of(
                "--rocm-path=" + toolchain.root(),
                "--hip-path=" + toolchain.root(),
                "--hip-version=" + toolchain.hip(),
                "--rocm-device-lib-path=" + toolchain.deviceLibs()));
    toolchain.sysroot().ifPresent(s -> flags.add("--sysroot=" + s));
    flags.addAll(List.of("-fuse-ld=lld", "-Wno-unused-command-line-argument"));
    OpenMp.of(toolchain).map(OpenMp::search).ifPresent(flags::addAll);
    Path cxx = toolchain.clang();
    Path c = cxx.resolveSibling((cxx.getFileName() + "").replace("clang++", "clang"));
    Map<String, List<String>> probes = new TreeMap<>();
    try (Stream<Path> files = Files.list(programs.bin())) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName() + "";
        if (name.matches("(gcc|cc|clang|g\\+\\+|c\\+\\+|clang\\+\\+)(-\\d+)?")) {
          List<String> command = new ArrayList<>();
          command.add((name.contains("++") ? cxx : c).toString());
          command.addAll(flags);
          probes.put(name, command);
        }
      }
    }
    return probes;
  }

  Exec.Outcome exec(List<String> command, Map<String, String> environment)
      throws IOException, InterruptedException, PlanException {
    try {
      return Exec.run(
          named(command, environment),
          mirror.folder(),
          environment,
          LIMIT,
          () -> tools.idle().compareTo(options.timeout()) > 0);
    } catch (IOException e) {
      throw new PlanException(command.getFirst() + " could not be started: " + e.getMessage());
    }
  }

  /**
   * Runs make. If it fails with several jobs, and no compiler reports an error, runs it again with
   * one job, because not all makefiles name everything that a target needs.
   *
   * @param command returns the command for a number of jobs
   */
  Exec.Outcome make(IntFunction<List<String>> command, Map<String, String> environment)
      throws IOException, InterruptedException, PlanException {
    Exec.Outcome made = exec(command.apply(options.jobs()), environment);
    if (!made.ok() && !made.timedOut() && options.jobs() > 1 && hasOnlyCompiled()) {
      step("make failed, but not a compiler: running make again with one job");
      return exec(command.apply(1), environment);
    }
    return made;
  }

  /** Resolves the program in the PATH of the new process, because Java searches its own PATH. */
  public static List<String> named(List<String> command, Map<String, String> environment) {
    List<String> named = new ArrayList<>(command);
    for (Path folder : SearchPath.folders(environment)) {
      Path file = folder.resolve(command.getFirst());
      if (Files.isExecutable(file)) {
        named.set(0, file.toString());
        return named;
      }
    }
    return named;
  }

  void log(String name, Exec.Outcome run) throws IOException {
    Files.writeString(options.out().resolve(name), run.stdout() + run.stderr());
  }
}
