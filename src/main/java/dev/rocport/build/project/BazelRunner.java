package dev.rocport.build.project;

import dev.rocport.build.plan.PlanException;
import dev.rocport.build.run.PlanRunner;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Builds a project with Bazel in a copy of the tree, with front ends instead of compilers. Bazel
 * runs without a server, sandbox and network, and writes below the copy. Compiler calls during the
 * analysis phase are not reported.
 */
final class BazelRunner extends ProjectRunner {
  private static final List<String> ROOTS = List.of("MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE");

  /** Output folder of Bazel, below the copy. */
  private static final String OUTPUT = ".rocport-bazel";

  private static final Pattern ERROR =
      Pattern.compile("(?m)^ERROR: (?:(/\\S+?):(\\d+):\\d+: )?(.*)$");

  /** Script that makes the ROCm workspace of a single-source tree. */
  private static final String TWINS = "rocm/workspace.sh";

  /** Folder in which Bazel actions run: links to sources, and outputs. */
  private static final Pattern RUN =
      Pattern.compile(Pattern.quote(OUTPUT) + "/\\w+/execroot/[^/]+/(bazel-out/[^/]+/bin/)?(?=.)");

  BazelRunner(ProjectTools project) {
    super(project);
  }

  static boolean isProject(Path root) {
    return ROOTS.stream().anyMatch(name -> Files.isRegularFile(root.resolve(name)));
  }

  /**
   * Returns a path in the copy as reports show it: relative to the root, or below {@code
   * bazel-bin}.
   */
  static String shown(String path) {
    Matcher m = RUN.matcher(path);
    return m.lookingAt()
        ? (m.group(1) == null ? "" : "bazel-bin/") + path.substring(m.end())
        : path;
  }

  @Override
  public PlanRunner.Outcome run()
      throws IOException, InterruptedException, PlanException, ToolchainException {
    Map<String, String> environment = prepare(BazelProject.TOOLS);
    Files.writeString(
        mirror.folder().resolve(".bazelignore"),
        "\n" + OUTPUT + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    try (FrontEnds programs = project.frontEnds(List.of(), environment)) {
      environment.put("ROCM_PATH", mirror.frontEnds().toString());
      if (Files.isRegularFile(mirror.folder().resolve(TWINS))) {
        project.exec(
            List.of("sh", mirror.folder().resolve(TWINS).toString(), workspace().toString()),
            environment);
      }
      environment.put("CC", programs.bin().resolve("clang").toString());
      Exec.Outcome analysis = analyse(programs, environment);
      if (!analysis.ok()) {
        return failed(analysis);
      }
      Exec.Outcome made = project.exec(command(List.of()), environment);
      project.log("build.log", made);
      return project.built(root(), "bazel build", made);
    } finally {
      project.clear();
    }
  }

  private String root() {
    return ROOTS.stream()
        .filter(name -> Files.isRegularFile(mirror.folder().resolve(name)))
        .findFirst()
        .orElse("WORKSPACE");
  }

  /** Loads and analyses all targets, which runs repository rules that call compilers. */
  private Exec.Outcome analyse(FrontEnds programs, Map<String, String> environment)
      throws IOException, InterruptedException, PlanException {
    project.step("bazel build --nobuild");
    programs.probe(project.probes(programs));
    project.tools().record(false);
    try {
      Exec.Outcome run = project.exec(command(List.of("--nobuild")), environment);
      project.log("configure.log", run);
      return run;
    } finally {
      project.tools().record(true);
      programs.probed();
    }
  }

  /** Returns the folder where Bazel runs: the copy, or the ROCm workspace that links to it. */
  private Path workspace() {
    return Files.isRegularFile(mirror.folder().resolve(TWINS))
        ? mirror.folder().resolve(".rocport-workspace")
        : mirror.folder();
  }

  private List<String> command(List<String> more) {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "cd \"$0\" && exec \"$@\""));
    command.addAll(List.of(workspace().toString(), "bazel", "--batch", "--nohome_rc"));
    command.add("--output_user_root=" + mirror.folder().resolve(OUTPUT));
    command.addAll(List.of("build", "--color=no", "--curses=no", "--keep_going"));
    command.addAll(List.of("--spawn_strategy=local", "--genrule_strategy=local"));
    command.addAll(List.of("--action_env=PATH", "--action_env=ROCM_PATH"));
    command.add("--jobs=" + options.jobs());
    command.add("--symlink_prefix=" + mirror.folder().resolve("bazel-"));
    command.addAll(more);
    command.addAll(options.configureArguments());
    command.add("--");
    command.addAll(options.makeArguments().isEmpty() ? List.of("//...") : options.makeArguments());
    return command;
  }

  /** Reports the first error of Bazel at its location. */
  private PlanRunner.Outcome failed(Exec.Outcome run) throws IOException {
    Matcher m = ERROR.matcher(run.stderr());
    String file = root();
    String message = run.timedOut() ? "it exceeded the time limit" : ToolOutcome.tail(run);
    if (m.find()) {
      message = m.group(3);
      String path = m.group(1) == null ? "" : m.group(1);
      String copy = mirror.folder() + "/";
      if (path.startsWith(copy) && Files.isRegularFile(Path.of(path))) {
        file = path.substring(copy.length());
        message = file + ":" + m.group(2) + ": " + message;
      }
    }
    return project.failed(file, "bazel failed with exit code " + run.code() + ": " + message);
  }
}
