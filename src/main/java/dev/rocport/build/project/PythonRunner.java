package dev.rocport.build.project;

import dev.rocport.build.plan.PlanException;
import dev.rocport.build.run.PlanRunner;
import dev.rocport.core.result.Finding;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Builds a project with setuptools in a copy of the tree, with front ends instead of compilers.
 * Modules are placed next to the sources of the copy, as {@code build_ext --inplace} does, so
 * programs of the copy can import them.
 */
final class PythonRunner extends ProjectRunner {
  private static final String SETUP = "setup.py";
  private static final String PROJECT = "pyproject.toml";
  private static final String LIBRARY = "build/lib";
  private static final Pattern GPU = Pattern.compile("nvcc|hipcc|(?i:cuda)|\\.cup?\\b|\\.hip\\b");
  private static final Pattern BACKEND =
      Pattern.compile("(?m)^\\s*build-backend\\s*=\\s*[\"']setuptools[.\\w:]*[\"']");
  private static final Pattern TORCH =
      Pattern.compile("(?m)^\\s*(?:import torch\\b|from torch\\b)");
  private static final Pattern TORCH_HEADER =
      Pattern.compile("(?m)^\\s*#\\s*include\\s*[<\"](?:torch|ATen|c10)/");

  PythonRunner(ProjectTools project) {
    super(project);
  }

  /** Returns true for a folder whose setup.py refers to GPUs. */
  static boolean isProject(Path root) throws IOException {
    return file(root, SETUP).map(t -> GPU.matcher(t).find()).findFirst().orElse(false)
        || file(root, PROJECT)
            .anyMatch(t -> BACKEND.matcher(t).find() && t.contains("ext-modules"));
  }

  private static Stream<String> file(Path root, String name) throws IOException {
    Path file = root.resolve(name);
    return Files.isRegularFile(file)
        ? Stream.of(Files.readString(file, StandardCharsets.ISO_8859_1))
        : Stream.empty();
  }

  @Override
  public PlanRunner.Outcome run()
      throws IOException, InterruptedException, PlanException, ToolchainException {
    Map<String, String> environment = prepare(PythonProject.TOOLS);
    boolean setup = Files.isRegularFile(mirror.folder().resolve(SETUP));
    try (FrontEnds programs = project.frontEnds(mirror.compilers(), environment)) {
      environment.put("CC", programs.bin().resolve("gcc").toString());
      environment.put("CXX", programs.bin().resolve("g++").toString());
      environment.put("USE_ROCM", "1");
      for (String home : List.of("ROCM_PATH", "ROCM_HOME", "HIP_PATH")) {
        environment.put(home, mirror.frontEnds().toString());
      }
      environment.put("PYTORCH_ROCM_ARCH", String.join(";", options.targets()));
      environment.put("PYTHONDONTWRITEBYTECODE", "1");
      if (HipRuntime.needed(project.toolchain())) {
        // Builds may load modules that they have just built.
        String libraries = HipRuntime.of(project.toolchain(), project::step).libraries().toString();
        environment.merge(
            "LD_LIBRARY_PATH", libraries, (old, own) -> old.isEmpty() ? own : own + ":" + old);
      }
      if (setup && needsTorch() && !hasTorch(environment)) {
        return withoutTorch(environment);
      }
      project.step("python3 setup.py build");
      List<String> command = new ArrayList<>(command(mirror.folder()));
      command.addAll(options.makeArguments());
      Exec.Outcome made = project.exec(command, environment);
      project.log("setup.log", made);
      if (made.ok()) {
        inPlace();
      }
      return project.built(setup ? SETUP : PROJECT, "python3 setup.py build", made);
    } finally {
      project.clear();
    }
  }

  /** Returns the command that builds a tree, run in its root. */
  static List<String> command(Path root) {
    boolean setup = Files.isRegularFile(root.resolve(SETUP));
    List<String> command = new ArrayList<>(List.of("python3"));
    command.addAll(setup ? List.of(SETUP) : List.of("-c", "import setuptools; setuptools.setup()"));
    command.add("--no-user-cfg");
    command.addAll(List.of("build", "--build-lib", LIBRARY));
    command.addAll(List.of("build_ext", "--inplace"));
    return command;
  }

  /** Returns the folder with the files to install. */
  private Path library() {
    return mirror.folder().resolve(LIBRARY);
  }

  /** Copies built modules next to the sources, where programs of the tree find them. */
  private void inPlace() throws IOException {
    if (!Files.isDirectory(library())) {
      return;
    }
    Path source = mirror.folder().resolve("src");
    try (Stream<Path> all = Files.walk(library())) {
      for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
        Path name = library().relativize(file);
        boolean inSource = Files.isDirectory(source.resolve(name.getName(0)));
        Path at = (inSource ? source : mirror.folder()).resolve(name);
        if (!Files.exists(at) && !name.toString().endsWith(".o")) {
          Files.createDirectories(at.resolveSibling(""));
          Files.copy(file, at);
        }
      }
    }
  }

  // ---- PyTorch's extensions

  private boolean needsTorch() throws IOException {
    return file(mirror.folder(), SETUP).anyMatch(t -> TORCH.matcher(t).find());
  }

  private boolean hasTorch(Map<String, String> environment)
      throws IOException, InterruptedException, PlanException {
    return project
        .exec(
            List.of("python3", "-c", "import torch; raise SystemExit(torch.version.hip is None)"),
            environment)
        .ok();
  }

  /** Compiles the sources that do not include PyTorch headers. */
  private PlanRunner.Outcome withoutTorch(Map<String, String> environment)
      throws IOException, InterruptedException, PlanException {
    List<Path> sources;
    try (Stream<Path> all = Files.walk(mirror.folder())) {
      sources =
          all.filter(Files::isRegularFile)
              .filter(f -> f.toString().endsWith(".cu"))
              .sorted()
              .toList();
    }
    List<String> left = new ArrayList<>();
    Exec.Outcome last = new Exec.Outcome(0, false, "", "");
    for (Path source : sources) {
      String name = mirror.folder().relativize(source).toString();
      String text = Files.readString(source, StandardCharsets.ISO_8859_1);
      if (TORCH_HEADER.matcher(text).find()) {
        left.add(name);
      } else {
        List<String> words = List.of("hipcc", "-fPIC", "-O2", "-c", name, "-o", name + ".o");
        last = project.exec(words, environment);
      }
    }
    String message =
        "this project needs PyTorch for ROCm, which python3 does not have; install it, or put a"
            + " python3 that has it first in PATH";
    String rest =
        left.isEmpty()
            ? "; its sources were compiled but not linked"
            : "; these sources include PyTorch headers and were not compiled: "
                + String.join(", ", left);
    PlanRunner.Outcome compiled =
        last.ok() && left.size() == sources.size()
            ? new PlanRunner.Outcome(List.of(), List.of(), List.of(), List.of())
            : project.built(SETUP, "hipcc", last);
    List<Finding> found = new ArrayList<>(project.failed(SETUP, message + rest).findings());
    found.addAll(compiled.findings());
    return new PlanRunner.Outcome(compiled.units(), compiled.links(), found, compiled.notes());
  }
}
