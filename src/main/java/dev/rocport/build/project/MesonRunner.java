package dev.rocport.build.project;

import dev.rocport.build.plan.PlanException;
import dev.rocport.build.run.PlanRunner;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Configures a project with Meson in a copy of the tree, with front ends instead of compilers, and
 * builds it with ninja. Compiles during configuration are not reported.
 */
final class MesonRunner extends ProjectRunner {
  static final String FILE = "meson.build";

  /** Folders for the Meson files of a single-source port. */
  private static final List<String> TWINS = List.of("rocm", "meson-rocm", "rocport-meson");

  /** The final error of Meson, with the location if it has one. */
  private static final Pattern ERROR =
      Pattern.compile("(?m)^(?:(\\S+?):(\\d+):\\d+: )?ERROR: (.*)$");

  private static final Pattern PROJECT = Pattern.compile("(?m)^\\s*project\\s*\\(");

  MesonRunner(ProjectTools project) {
    super(project);
  }

  static boolean isProject(Path root) throws IOException {
    Path file = root.resolve(FILE);
    return Files.isRegularFile(file)
        && PROJECT.matcher(Files.readString(file, StandardCharsets.ISO_8859_1)).find();
  }

  @Override
  public PlanRunner.Outcome run()
      throws IOException, InterruptedException, PlanException, ToolchainException {
    Map<String, String> environment = prepare(MesonProject.TOOLS);
    try (FrontEnds programs = project.frontEnds(List.of(), environment)) {
      environment.put("ROCM_PATH", mirror.frontEnds().toString());
      // Empty variables would name no compiler.
      Map<String, String> named = new TreeMap<>(environment);
      for (String compiler : List.of("CC", "CXX", "CPP", "CXXCPP", "LD")) {
        named.put(compiler, "");
      }
      Exec.Outcome configured = configure(programs, named);
      if (!configured.ok()) {
        return failed(configured);
      }
      Exec.Outcome made = project.exec(build(), named);
      project.log("build.log", made);
      return project.built(name(FILE), "ninja", made);
    } finally {
      project.clear();
    }
  }

  /** Returns a path in the source folder of Meson, relative to the root of the tree. */
  private String name(String path) {
    return twins().map(t -> t + "/" + path).orElse(path);
  }

  private Optional<String> twins() {
    return TWINS.stream()
        .filter(t -> Files.isRegularFile(mirror.folder().resolve(t).resolve("rocport/" + FILE)))
        .findFirst();
  }

  private Path source() {
    return twins().map(t -> mirror.folder().resolve(t)).orElse(mirror.folder());
  }

  /** Returns the build folder in the copy, with a name that the tree does not use. */
  private Path folder() {
    Path usual = mirror.folder().resolve("build");
    boolean taken = Files.exists(mirror.original(usual));
    return taken ? mirror.folder().resolve("build-rocport") : usual;
  }

  private Exec.Outcome configure(FrontEnds programs, Map<String, String> environment)
      throws IOException, InterruptedException, PlanException {
    project.step("meson setup");
    programs.probe(project.probes(programs));
    project.tools().record(false);
    try {
      Exec.Outcome run = project.exec(command(programs.bin()), environment);
      project.log("configure.log", run);
      return run;
    } finally {
      project.tools().record(true);
      programs.probed();
    }
  }

  private List<String> command(Path bin) throws IOException {
    Path compilers = mirror.frontEnds().resolve("compilers.ini");
    Files.writeString(
        compilers,
        "[binaries]%nc = '%s'%ncpp = '%s'%n"
            .formatted(bin.resolve("clang"), bin.resolve("clang++")));
    List<String> command =
        new ArrayList<>(List.of("meson", "setup", folder().toString(), source().toString()));
    command.addAll(List.of("--native-file", compilers.toString(), "--wrap-mode=nodownload"));
    String known = projectOptions();
    if (known.contains("'rocm_path'")) {
      command.add("-Drocm_path=" + mirror.frontEnds());
    }
    if (known.contains("'hip_archs'")) {
      command.add("-Dhip_archs=" + String.join(",", options.targets()));
    }
    command.addAll(options.configureArguments());
    return command;
  }

  /**
   * Returns the text of the option files, because Meson rejects options that the project does not
   * declare.
   */
  private String projectOptions() throws IOException {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files = Files.list(source())) {
      for (Path file : files.sorted().toList()) {
        if ((file.getFileName() + "").matches("meson_options\\.txt|meson\\.options")) {
          text.append(Files.readString(file, StandardCharsets.ISO_8859_1));
        }
      }
    }
    return text.toString();
  }

  private List<String> build() {
    List<String> command = new ArrayList<>(List.of("ninja", "-C", folder().toString()));
    command.addAll(List.of("-j" + options.jobs(), "-k", "0"));
    command.addAll(options.makeArguments());
    return command;
  }

  /** Reports the final error of Meson at its location. */
  private PlanRunner.Outcome failed(Exec.Outcome run) throws IOException {
    Matcher m = ERROR.matcher(run.stdout() + run.stderr());
    String file = name(FILE);
    String message = run.timedOut() ? "it exceeded the time limit" : ToolOutcome.tail(run);
    while (m.find()) {
      message = m.group(3);
      if (m.group(1) != null) {
        String path = source().resolve(m.group(1)).normalize().toString();
        String own =
            path.startsWith(mirror.folder() + "/")
                ? path.substring((mirror.folder() + "/").length())
                : "";
        boolean there = !own.isEmpty() && Files.isRegularFile(mirror.folder().resolve(own));
        file = there ? own : file;
        message = "%s:%s: %s".formatted(there ? own : m.group(1), m.group(2), message);
      }
      if (message.contains("[['nvcc']]") || message.contains("[[nvcc]]")) {
        message =
            "the Meson files need CUDA; port the tree with rocport port and build the ported tree";
      }
    }
    return project.failed(file, "meson failed with exit code " + run.code() + ": " + message);
  }
}
