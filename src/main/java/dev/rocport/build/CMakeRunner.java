package dev.rocport.build;

import dev.rocport.report.Finding;
import dev.rocport.toolchain.CMakePackages;
import dev.rocport.toolchain.Extra;
import dev.rocport.toolchain.Extras;
import dev.rocport.toolchain.Folders;
import dev.rocport.toolchain.Mpi;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Configures and builds a project with CMake itself, in a copy of the tree, with front ends in
 * place of its compilers. What CMake compiles while it configures is not reported.
 */
final class CMakeRunner {
  static final String LISTS = "CMakeLists.txt";
  private static final Pattern USES_MPI = Pattern.compile("(?i)find_package\\s*\\(\\s*MPI\\b");

  /** An error as CMake writes it; the message follows, indented. */
  private static final Pattern ERROR =
      Pattern.compile(
          "(?m)^CMake Error(?: at (\\S+?):(\\d+) \\((\\w+)\\))?.*:\\n((?:\\n?  .*\\n)*)");

  private final BuildOptions options;
  private final Toolchain toolchain;
  private final Mirror mirror;
  private final ToolRunner tools;
  private final BuildFindings findings;
  private final BuildListener listener;
  private final ProjectTools project;

  CMakeRunner(
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
    this.project = new ProjectTools(options, toolchain, mirror, tools);
  }

  static boolean isProject(Path root) {
    return Files.isRegularFile(root.resolve(LISTS));
  }

  PlanRunner.Outcome run()
      throws IOException, InterruptedException, PlanException, ToolchainException {
    ToolchainRequest request = project.request();
    Map<String, String> environment = project.environment();
    Extras.require(Extra.CMAKE, request, this::step).into(environment);
    mirror.create(options.out());
    if (usesMpi()) {
      Mpi.require(request, this::step).into(environment);
    }
    try (FrontEnds programs = new FrontEnds(mirror.frontEnds(), List.of(), tools)) {
      project.rocm();
      if (!Files.exists(mirror.frontEnds().resolve("lib/cmake"))) {
        CMakePackages.write(toolchain, mirror.frontEnds());
      }
      project.binutils(programs, environment);
      environment.merge("PATH", programs.bin() + "", (path, bin) -> bin + ":" + path);
      environment.put("ROCM_PATH", mirror.frontEnds().toString());
      Optional<Finding> failure = configure(programs, environment);
      if (failure.isPresent()) {
        return new PlanRunner.Outcome(List.of(), List.of(), List.of(failure.get()), tools.notes());
      }
      Exec.Outcome made = project.exec(build(), environment);
      project.log("build.log", made);
      return new ToolOutcome(options, mirror, tools, findings).of(LISTS, "cmake --build", made);
    } finally {
      Folders.delete(mirror.frontEnds()); // nothing in it serves without this process
    }
  }

  private void step(String what) {
    listener.step(0, 0, what);
  }

  private boolean usesMpi() throws IOException {
    try (Stream<Path> all = Files.walk(mirror.folder())) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName() + "";
        if ((name.equals(LISTS) || name.endsWith(".cmake"))
            && USES_MPI.matcher(Files.readString(file, StandardCharsets.ISO_8859_1)).find()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Where CMake builds: in the copy, under a name that the tree does not use. */
  private Path folder() {
    Path usual = mirror.folder().resolve("build");
    boolean taken = Files.exists(mirror.original(usual));
    return taken ? mirror.folder().resolve("build-rocport") : usual;
  }

  private Optional<Finding> configure(FrontEnds programs, Map<String, String> environment)
      throws IOException, InterruptedException, PlanException {
    step("cmake");
    programs.probe(project.probes(programs));
    tools.record(false);
    try {
      Exec.Outcome run = project.exec(command(programs.bin()), environment);
      project.log("configure.log", run);
      return run.ok() ? Optional.empty() : Optional.of(failure(run));
    } finally {
      tools.record(true);
      programs.probed();
    }
  }

  private List<String> command(Path bin) {
    String targets = String.join(";", options.targets());
    List<String> command =
        new ArrayList<>(
            List.of(
                "cmake", "-G", "Ninja", "--no-warn-unused-cli", "-S", mirror.folder().toString()));
    command.addAll(List.of("-B", folder().toString()));
    Map.of("C", "clang", "CXX", "clang++", "HIP", "clang++").entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            e ->
                command.add(
                    "-DCMAKE_%s_COMPILER=%s".formatted(e.getKey(), bin.resolve(e.getValue()))));
    command.add("-DCMAKE_HIP_COMPILER_ROCM_ROOT=" + mirror.frontEnds());
    command.add("-DCMAKE_PREFIX_PATH=" + mirror.frontEnds());
    // What the compiler is told to build for, and what hip::device takes.
    command.add("-DCMAKE_HIP_ARCHITECTURES=" + targets);
    command.add("-DGPU_TARGETS=" + targets);
    command.add("-DAMDGPU_TARGETS=" + targets);
    command.add("-DUSE_ROCM=ON");
    command.addAll(options.configureArguments());
    return command;
  }

  private List<String> build() {
    List<String> command = new ArrayList<>(List.of("cmake", "--build", folder().toString()));
    command.add("-j" + options.jobs());
    if (!options.makeArguments().isEmpty()) {
      command.add("--target");
      command.addAll(options.makeArguments());
    }
    command.addAll(List.of("--", "-k", "0"));
    return command;
  }

  /** The first error that CMake wrote, at its place. */
  private Finding failure(Exec.Outcome run) {
    Matcher m = ERROR.matcher(run.stderr() + "\n");
    String file = LISTS;
    String said = run.timedOut() ? "it took too long" : ToolOutcome.tail(run);
    if (m.find()) {
      said = m.group(4).strip().replaceAll("\\s+", " ");
      if (m.group(1) != null) {
        said = "%s:%s: %s(): %s".formatted(m.group(1), m.group(2), m.group(3), said);
        boolean own =
            !m.group(1).startsWith("/") && Files.isRegularFile(mirror.folder().resolve(m.group(1)));
        if (m.group(1).endsWith("CMakeDetermineCUDACompiler.cmake")) {
          said = "the lists ask for CUDA: port the tree first, then build what was ported";
        }
        file = own ? m.group(1) : LISTS;
      }
    }
    return findings.project(file, "cmake ended with " + run.code() + ": " + said);
  }
}
