package dev.rocport.build.project;

import dev.rocport.build.plan.PlanException;
import dev.rocport.build.run.PlanRunner;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.provision.Extras;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs make in a copy of the tree, with front ends instead of compilers. */
final class MakeRunner extends ProjectRunner {
  MakeRunner(ProjectTools project) {
    super(project);
  }

  /** Returns the makefile of a folder, unless CMake generated it. */
  static Optional<Path> makefile(Path folder) throws IOException {
    for (String name : List.of("GNUmakefile", "makefile", "Makefile")) {
      Path file = folder.resolve(name);
      if (Files.isRegularFile(file)) {
        String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        return text.startsWith("# CMAKE generated file") ? Optional.empty() : Optional.of(file);
      }
    }
    return Optional.empty();
  }

  @Override
  public PlanRunner.Outcome run()
      throws IOException, InterruptedException, PlanException, ToolchainException {
    Path frontEnds = mirror.frontEnds();
    Map<String, String> environment = project.environment();
    if (ProjectTools.named(List.of("make"), environment).getFirst().equals("make")) {
      // the autotools extra provides make
      Extras.require(AutotoolsProject.TOOLS, project.request(), project::step).into(environment);
    }
    // An empty variable would override the default compiler of make.
    List.of("CC", "CXX", "CPP", "CXXCPP", "LD").forEach(environment::remove);
    environment.put("ROCM_PATH", frontEnds.toString());
    mirror.create(options.out());
    project.mpi(environment);
    try (FrontEnds _ = project.frontEnds(mirror.compilers(), environment)) {
      Exec.Outcome make = project.make(this::command, environment);
      project.log("make.log", make);
      Optional<Path> file = makefile(mirror.folder());
      return project.built(file.map(f -> f.getFileName() + "").orElse("Makefile"), "make", make);
    } finally {
      project.clear();
    }
  }

  private List<String> command(int jobs) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("make", "--keep-going", "-j" + jobs, "USE_ROCM=1"));
    mirror.variables().forEach(v -> command.add(v + "=" + mirror.frontEnds()));
    command.addAll(options.makeArguments());
    return command;
  }
}
