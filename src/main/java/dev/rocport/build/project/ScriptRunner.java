package dev.rocport.build.project;

import dev.rocport.build.plan.PlanException;
import dev.rocport.build.run.PlanRunner;
import dev.rocport.io.process.Exec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Runs the build script of a project that has no other build files, in a copy of the tree, with
 * front ends instead of compilers.
 */
final class ScriptRunner extends ProjectRunner {
  private static final List<String> NAMES =
      List.of("build.sh", "compile.sh", "make.sh", "build.bash", "compile.bash");

  /** A build script calls hipcc. */
  private static final Pattern BUILDS =
      Pattern.compile("(?m)^[^#\\n]*(?:\\bhipcc\\b|\\$\\{?HIPCC\\b)");

  /** Commands that affect the machine outside the tree, or use the network. */
  private static final Pattern BEYOND =
      Pattern.compile(
          "(?m)^[^#\\n"
              + "]*\\b(?:(?:sudo|su|apt|apt-get|yum|dnf|pip3?|conda|docker|podman|ssh|scp|rsync|curl|wget|git|sbatch|srun|qsub|systemctl|modprobe|mount|dd)(?![\\w-])|rm"
              + " -rf [/~$])");

  ScriptRunner(ProjectTools project) {
    super(project);
  }

  /** Returns the build script of a folder; empty unless exactly one script qualifies. */
  static Optional<Path> script(Path folder) throws IOException {
    for (String name : NAMES) {
      Path file = folder.resolve(name);
      if (Files.isRegularFile(file)) {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        Path twin = folder.resolve(name.replaceFirst("\\.", ".rocm."));
        if (Files.isRegularFile(twin)) {
          text += Files.readString(twin, StandardCharsets.ISO_8859_1);
        }
        return BUILDS.matcher(text).find() && !BEYOND.matcher(text).find()
            ? Optional.of(file)
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  @Override
  public PlanRunner.Outcome run() throws IOException, InterruptedException, PlanException {
    Map<String, String> environment = project.environment();
    // Empty variables would override those of the script.
    List.of("CC", "CXX", "CPP", "CXXCPP", "LD").forEach(environment::remove);
    environment.put("ROCM_PATH", mirror.frontEnds() + "");
    environment.put("USE_ROCM", "1");
    mirror.create(options.out());
    String name = script(mirror.folder()).map(f -> f.getFileName() + "").orElse(NAMES.getFirst());
    try (FrontEnds _ = project.frontEnds(mirror.compilers(), environment)) {
      List<String> command = new ArrayList<>(List.of("bash", "./" + name));
      command.addAll(options.makeArguments());
      Exec.Outcome run = project.exec(command, environment);
      project.log("build.log", run);
      return project.built(name, name, run);
    } finally {
      project.clear();
    }
  }
}
