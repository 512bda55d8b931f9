package dev.rocport.build.project;

import dev.rocport.build.plan.PlanException;
import dev.rocport.build.run.PlanRunner;
import dev.rocport.io.process.Exec;
import dev.rocport.packaging.Pyproject;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.Extras;
import dev.rocport.toolchain.provision.Mpi;
import dev.rocport.toolchain.runtime.CMakePackages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Configures and builds a project with CMake in a copy of the tree, with front ends instead of
 * compilers. Compiles during configuration are not reported.
 */
final class CMakeRunner extends ProjectRunner {
  static final String LISTS = "CMakeLists.txt";
  private static final Pattern USES_MPI = Pattern.compile("(?i)find_package\\s*\\(\\s*MPI\\b");

  private static final SortedMap<String, String> COMPILERS =
      new TreeMap<>(Map.of("C", "clang", "CXX", "clang++", "HIP", "clang++"));

  /** Variables with the GPU targets of the compiler and of hip::device. */
  private static final List<String> ARCHITECTURES =
      List.of("CMAKE_HIP_ARCHITECTURES", "GPU_TARGETS", "AMDGPU_TARGETS");

  /** An error message of CMake; the indented text follows. */
  private static final Pattern ERROR =
      Pattern.compile(
          "(?m)^CMake Error(?: at (\\S+?):(\\d+) \\((\\w+)\\))?.*:\\n((?:\\n?  .*\\n)*)");

  /** Errors of a project that enables the language CUDA, or requires the toolkit. */
  private static final Pattern NEEDS_CUDA =
      Pattern.compile(
          "^\\S*(?:CMakeDetermineCUDACompiler|FindCUDA|FindCUDAToolkit)\\.cmake:"
              + "|Could NOT find CUDA(?:Toolkit)? ");

  CMakeRunner(ProjectTools project) {
    super(project);
  }

  static boolean isProject(Path root) {
    return Files.isRegularFile(root.resolve(LISTS));
  }

  @Override
  public PlanRunner.Outcome run()
      throws IOException, InterruptedException, PlanException, ToolchainException {
    ToolchainRequest request = project.request();
    Map<String, String> environment = project.environment();
    Extras.require(CMakeProject.TOOLS, request, project::step).into(environment);
    mirror.create(options.out());
    if (usesMpi()) {
      Mpi.require(request, project::step).into(environment);
    }
    Optional<Pyproject> wheel = Pyproject.of(mirror.folder());
    if (wheel.isPresent()) {
      Extras.require(PythonProject.TOOLS, request, project::step).into(environment);
    }
    try (FrontEnds programs = project.frontEnds(List.of(), environment)) {
      if (!Files.exists(mirror.frontEnds().resolve("lib/cmake"))) {
        CMakePackages.write(project.toolchain(), mirror.frontEnds());
      }
      environment.put("ROCM_PATH", mirror.frontEnds().toString());
      Exec.Outcome configured = configure(programs, wheel, environment);
      if (!configured.ok()) {
        return failed(configured);
      }
      environment.putIfAbsent("CMAKE_TOOLCHAIN_FILE", inner(programs.bin()).toString());
      Exec.Outcome made = project.exec(build(), environment);
      project.log("build.log", made);
      if (made.ok() && wheel.isPresent()) {
        Exec.Outcome installed = project.exec(install(wheel.get()), environment);
        project.log("install.log", installed);
        return project.built(LISTS, "cmake --install", installed);
      }
      return project.built(LISTS, "cmake --build", made);
    } finally {
      project.clear();
    }
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

  /** Returns the build folder in the copy, with a name that the tree does not use. */
  private Path folder() {
    Path usual = mirror.folder().resolve("build");
    boolean taken = Files.exists(mirror.original(usual));
    return taken ? mirror.folder().resolve("build-rocport") : usual;
  }

  private Exec.Outcome configure(
      FrontEnds programs, Optional<Pyproject> wheel, Map<String, String> environment)
      throws IOException, InterruptedException, PlanException {
    project.step("cmake");
    programs.probe(project.probes(programs));
    project.tools().record(false);
    try {
      Exec.Outcome run = project.exec(command(programs.bin(), wheel), environment);
      project.log("configure.log", run);
      return run;
    } finally {
      project.tools().record(true);
      programs.probed();
    }
  }

  /**
   * Returns the command that installs the modules next to the packages of the copy, so they can be
   * imported.
   */
  private List<String> install(Pyproject wheel) {
    return List.of("cmake", "--install", folder().toString(), "--prefix", site(wheel));
  }

  private String site(Pyproject wheel) {
    return mirror.folder().resolve(wheel.site()).toString();
  }

  /** Returns the arguments that scikit-build-core passes to cmake. */
  private List<String> arguments(Pyproject wheel) {
    List<String> arguments = new ArrayList<>(wheel.arguments());
    arguments.add("-DSKBUILD=2");
    arguments.add("-DSKBUILD_STATE=wheel");
    arguments.add("-DSKBUILD_PROJECT_NAME=" + wheel.name());
    arguments.add("-DSKBUILD_PROJECT_VERSION=" + wheel.version());
    arguments.add("-DSKBUILD_PLATLIB_DIR=" + site(wheel));
    return arguments;
  }

  private List<String> command(Path bin, Optional<Pyproject> wheel) {
    String targets = String.join(";", options.targets());
    List<String> command =
        new ArrayList<>(
            List.of(
                "cmake", "-G", "Ninja", "--no-warn-unused-cli", "-S", mirror.folder().toString()));
    command.addAll(List.of("-B", folder().toString()));
    wheel.ifPresent(w -> command.addAll(arguments(w)));
    COMPILERS.forEach(
        (language, program) ->
            command.add("-DCMAKE_%s_COMPILER=%s".formatted(language, bin.resolve(program))));
    command.add("-DCMAKE_HIP_COMPILER_ROCM_ROOT=" + mirror.frontEnds());
    command.add("-DCMAKE_PREFIX_PATH=" + mirror.frontEnds());
    for (String name : ARCHITECTURES) {
      command.add("-D" + name + "=" + targets);
    }
    command.add("-DROCM_PATH=" + mirror.frontEnds());
    command.add("-DUSE_ROCM=ON");
    command.addAll(options.configureArguments());
    return command;
  }

  /**
   * Writes the settings of the command line to a file for CMake processes that the build starts.
   */
  private Path inner(Path bin) throws IOException {
    String targets = String.join(";", options.targets());
    StringBuilder lines = new StringBuilder("# Written by rocport build.\n");
    COMPILERS.forEach(
        (language, program) ->
            lines.append(unlessSet("CMAKE_" + language + "_COMPILER", bin.resolve(program) + "")));
    lines.append(unlessSet("CMAKE_HIP_COMPILER_ROCM_ROOT", mirror.frontEnds().toString()));
    for (String name : ARCHITECTURES) {
      lines.append(unlessSet(name, targets));
    }
    lines.append("list(APPEND CMAKE_PREFIX_PATH \"%s\")%n".formatted(mirror.frontEnds()));
    lines.append("set(USE_ROCM ON CACHE BOOL \"\")\n");
    return Files.writeString(mirror.frontEnds().resolve("rocport.cmake"), lines);
  }

  private static String unlessSet(String name, String value) {
    return "if(NOT DEFINED %1$s)\n  set(%1$s \"%2$s\")\nendif()\n".formatted(name, value);
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

  /** Returns the advice for a build that needs CUDA; empty if HIP was asked for. */
  private Optional<String> needsCuda() throws IOException {
    HipBranch hip = HipBranch.of(options.root());
    if (!hip.exists()) {
      return Optional.of(
          "the CMake files need CUDA; port the tree with rocport port and build the ported tree");
    }
    String argument = hip.argument().orElse("");
    if (hip.always().isPresent()) {
      String option = argument.isEmpty() ? "the project's option for HIP" : argument;
      return Optional.of(
          "the project has a branch for HIP, which a port leaves unchanged, but %s asks for CUDA with %s, too; ask for CUDA there only without this option, and then configure with it"
              .formatted(hip.always().get(), option));
    }
    if (options.configureArguments().contains(argument)) {
      return Optional.empty();
    }
    String program = options.syntaxOnly() ? "rocport port --check" : "rocport build";
    String command =
        argument.isEmpty()
            ? "pass the project's option for HIP to %s with --configure-arg".formatted(program)
            : options.syntaxOnly()
                ? "check it with %s --configure-arg=%s".formatted(program, argument)
                : "build the ported tree with %s --configure-arg=%s".formatted(program, argument);
    return Optional.of(
        "the project chose its branch for CUDA, which needs the CUDA toolkit, but it also has a"
            + " branch for HIP, which a port leaves unchanged; "
            + command);
  }

  /** Reports the first error of CMake at its location. */
  private PlanRunner.Outcome failed(Exec.Outcome run) throws IOException {
    Matcher m = ERROR.matcher(run.stderr() + "\n");
    String file = LISTS;
    String message = run.timedOut() ? "it exceeded the time limit" : ToolOutcome.tail(run);
    if (m.find()) {
      message = m.group(4).strip().replaceAll("\\s+", " ");
      if (m.group(1) != null) {
        message = "%s:%s: %s(): %s".formatted(m.group(1), m.group(2), m.group(3), message);
        boolean own =
            !m.group(1).startsWith("/") && Files.isRegularFile(mirror.folder().resolve(m.group(1)));
        if (NEEDS_CUDA.matcher(message).find()) {
          message = needsCuda().orElse(message);
        }
        file = own ? m.group(1) : LISTS;
      }
    }
    return project.failed(file, "cmake failed with exit code " + run.code() + ": " + message);
  }
}
