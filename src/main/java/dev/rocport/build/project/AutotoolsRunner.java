package dev.rocport.build.project;

import dev.rocport.build.plan.PlanException;
import dev.rocport.build.run.PlanRunner;
import dev.rocport.build.run.UnitResult;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.ExtraTools;
import dev.rocport.toolchain.provision.Extras;
import dev.rocport.toolchain.provision.Mpi;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs a project's autoreconf, configure and make in a copy of the tree, with front ends instead of
 * compilers. Compiles by configure go directly to the compiler and are not reported.
 */
final class AutotoolsRunner extends ProjectRunner {
  private static final Pattern USES_MPI =
      Pattern.compile("(?i)mpi(cc|run|cxx)|\\b(ac?x_)?\\w*_mpi\\b");
  private static final Pattern LOGGED =
      Pattern.compile("configure:\\d+: (?:error|result|checking|\\$\\?).*|\\|.*|configure: exit.*");
  private static final int REASON = 5;

  /** Targets that {@code check} builds and {@code all} does not. */
  private static final String CHECK_GOAL = "rocport-check-programs";

  private static final String CHECK_MAKEFILE =
      """
      %s: $(check_PROGRAMS) $(check_LTLIBRARIES) $(check_LIBRARIES)
      """
          .formatted(CHECK_GOAL);

  AutotoolsRunner(ProjectTools project) {
    super(project);
  }

  /** Returns whether a tree needs configure before make. */
  static boolean isProject(Path root) {
    return source(root).isPresent()
        || (Files.isRegularFile(root.resolve("configure"))
            && Files.isRegularFile(root.resolve("Makefile.in")));
  }

  /** Returns whether configure generated a makefile. */
  static boolean made(Path makefile) throws IOException {
    String text = new String(Files.readAllBytes(makefile), StandardCharsets.ISO_8859_1);
    return text.lines().limit(5).anyMatch(l -> l.contains("Makefile.in"));
  }

  private static Optional<Path> source(Path root) {
    return Stream.of("configure.ac", "configure.in")
        .map(root::resolve)
        .filter(Files::isRegularFile)
        .findFirst();
  }

  /** A failed step of the project's build, with a message. */
  private record Failure(String file, String message) {}

  @Override
  public PlanRunner.Outcome run()
      throws IOException, InterruptedException, PlanException, ToolchainException {
    Map<String, String> environment = environment();
    try (FrontEnds programs = project.frontEnds(List.of(), environment)) {
      Configured configured = new Configured(mirror, options.root(), options.out());
      String key = configured.key(decisions(environment));
      if (configured.refresh(key)) {
        project.step("already configured");
        // Cleans, so the report lists all objects. They come from the cache.
        project.exec(List.of("make", "clean"), environment);
      } else {
        configured.forget();
        Optional<Failure> failure = configure(programs, environment);
        if (failure.isPresent()) {
          return project.failed(failure.get().file(), failure.get().message());
        }
        configured.keep(key);
      }
      Exec.Outcome made = make(environment);
      String file = source(mirror.folder()).map(f -> f.getFileName() + "").orElse("configure");
      return once(project.built(file, "make", made));
    } finally {
      project.clear();
    }
  }

  /** Returns the environment of all programs, with MPI variables if the project uses MPI. */
  private Map<String, String> environment() throws IOException, ToolchainException {
    ToolchainRequest request = project.request();
    Map<String, String> environment = project.environment();
    ExtraTools autotools = Extras.require(AutotoolsProject.TOOLS, request, project::step);
    autotools.into(environment);
    if (usesMpi()) {
      Mpi mpi = Mpi.require(request, project::step);
      mpi.into(environment);
      environment.put("MPICC", mpi.bin().resolve("mpicc").toString());
      environment.put("MPICXX", mpi.bin().resolve("mpicxx").toString());
      environment.put("OMPI_CC", "gcc");
      environment.put("OMPI_CXX", "g++");
    }
    return environment;
  }

  private boolean usesMpi() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String name : List.of("configure.ac", "configure.in", "configure", "acinclude.m4")) {
      files.add(options.root().resolve(name));
    }
    Path macros = options.root().resolve("m4");
    if (Files.isDirectory(macros)) {
      try (Stream<Path> all = Files.list(macros)) {
        all.sorted().forEach(files::add);
      }
    }
    for (Path file : files) {
      if (Files.isRegularFile(file)
          && USES_MPI.matcher(Files.readString(file, StandardCharsets.ISO_8859_1)).find()) {
        return true;
      }
    }
    return false;
  }

  /** Returns everything except the files of the tree that affects the configuration. */
  private List<String> decisions(Map<String, String> environment) {
    List<String> all = new ArrayList<>(options.configureArguments());
    all.add(String.join(",", options.targets()));
    all.add(project.toolchain().fingerprint());
    all.add(project.toolchain().clang().toString());
    environment.forEach((k, v) -> all.add(k + "=" + v));
    return all;
  }

  private Optional<Failure> configure(FrontEnds programs, Map<String, String> environment)
      throws IOException, InterruptedException, PlanException {
    mirror.create(options.out());
    programs.probe(project.probes(programs));
    project.tools().record(false);
    try {
      Path configure = mirror.folder().resolve("configure");
      Optional<Path> source = source(mirror.folder());
      if (source.isPresent() && isOld(configure)) {
        project.step("autoreconf");
        List<String> command = new ArrayList<>(List.of("autoreconf", "--install"));
        if (Files.exists(configure)) {
          command.add("--force");
        }
        Exec.Outcome reconf = project.exec(command, environment);
        project.log("autoreconf.log", reconf);
        if (!reconf.ok() || !Files.isRegularFile(configure)) {
          String message = reconf.timedOut() ? "it exceeded the time limit" : errors(reconf);
          return Optional.of(
              new Failure(source.get().getFileName() + "", "autoreconf failed: " + message));
        }
      }
      project.step("configure");
      List<String> command = new ArrayList<>(List.of("/bin/sh", "./configure"));
      Exec.Outcome help = project.exec(List.of("/bin/sh", "./configure", "--help"), environment);
      command.addAll(arguments(help.stdout()));
      command.addAll(options.configureArguments());
      Exec.Outcome run = project.exec(command, environment);
      project.log("configure.log", run);
      if (!run.ok()) {
        String file = source.orElse(configure).getFileName() + "";
        String message = run.timedOut() ? "it exceeded the time limit" : reason(run);
        return Optional.of(
            new Failure(file, "configure failed with exit code " + run.code() + ": " + message));
      }
      if (Files.exists(options.root().resolve("config.status"))) {
        project.exec(List.of("make", "clean"), environment); // removes objects for CUDA
      }
      return Optional.empty();
    } finally {
      project.tools().record(true);
      programs.probed();
    }
  }

  /** Returns whether configure is missing or older than its inputs. */
  private boolean isOld(Path configure) throws IOException {
    if (!Files.isRegularFile(configure)) {
      return true;
    }
    FileTime made = Files.getLastModifiedTime(configure);
    try (Stream<Path> all = Files.walk(mirror.folder())) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName() + "";
        boolean input = name.matches("configure\\.(ac|in)|.*\\.(m4|am)");
        if (input && Files.getLastModifiedTime(file).compareTo(made) > 0) {
          return true;
        }
        if (name.equals("Makefile.am") && !Files.exists(file.resolveSibling("Makefile.in"))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns the options of configure for the ROCm folder and the GPUs. */
  List<String> arguments(String help) {
    List<String> arguments = new ArrayList<>();
    boolean rocm = offers(help, "rocm");
    if (rocm) {
      arguments.add("--with-rocm=" + mirror.frontEnds());
    } else if (offers(help, "hip")) {
      arguments.add("--with-hip=" + mirror.frontEnds());
    }
    if (offers(help, "rocm-arch")) {
      arguments.add("--with-rocm-arch=" + String.join(",", options.targets()));
    }
    if (offers(help, "cuda")) {
      arguments.add(rocm ? "--without-cuda" : "--with-cuda=" + mirror.frontEnds());
    }
    return arguments;
  }

  private static boolean offers(String help, String option) {
    return Pattern.compile("--with-" + option + "(?![\\w-])").matcher(help).find();
  }

  private Exec.Outcome make(Map<String, String> environment)
      throws IOException, InterruptedException, PlanException {
    Exec.Outcome made =
        project.make(
            jobs -> {
              List<String> command = new ArrayList<>(List.of("make", "--keep-going", "-j" + jobs));
              command.addAll(options.makeArguments());
              return command;
            },
            environment);
    project.log("make.log", made);
    if (!options.makeArguments().isEmpty()) {
      return made;
    }
    Path more = options.out().resolve("check.mk");
    Files.writeString(more, CHECK_MAKEFILE);
    for (Path makefile : checks()) {
      Exec.Outcome checked =
          project.make(
              jobs ->
                  List.of(
                      "make",
                      "--keep-going",
                      "-j" + jobs,
                      "-C",
                      makefile.getParent() + "",
                      "-f",
                      makefile.getFileName() + "",
                      "-f",
                      more.toString(),
                      CHECK_GOAL),
              environment);
      made = made.ok() ? checked : made;
    }
    return made;
  }

  /** Returns the makefiles with programs that only tests need, in order. */
  private List<Path> checks() throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> all = Files.walk(mirror.folder())) {
      for (Path file : all.filter(f -> f.endsWith("Makefile")).sorted().toList()) {
        if (Files.isRegularFile(file)
            && Files.readString(file, StandardCharsets.ISO_8859_1)
                .lines()
                .anyMatch(l -> l.matches("check_(PROGRAMS|LTLIBRARIES|LIBRARIES) *=.*"))) {
          found.add(file);
        }
      }
    }
    return found;
  }

  /** Returns the error of configure, with the check before it from config.log. */
  private String reason(Exec.Outcome run) throws IOException {
    Path log = mirror.folder().resolve("config.log");
    String message = errors(run);
    if (!Files.isRegularFile(log)) {
      return message;
    }
    List<String> lines = Files.readString(log, StandardCharsets.ISO_8859_1).lines().toList();
    int end = 0;
    while (end < lines.size() && !lines.get(end).matches("configure:\\d+: error: .*")) {
      end++;
    }
    List<String> before = new ArrayList<>();
    for (int i = end - 1; i >= 0 && before.size() < REASON; i--) {
      if (lines.get(i).matches("configure:\\d+: checking .*")) {
        break;
      }
      if (!LOGGED.matcher(lines.get(i)).matches() && !lines.get(i).isBlank()) {
        before.addFirst(lines.get(i).strip());
      }
    }
    return before.isEmpty()
        ? message
        : message + " (config.log: " + String.join("; ", before) + ")";
  }

  private static String errors(Exec.Outcome run) {
    List<String> errors =
        run.stderr()
            .lines()
            .filter(l -> l.contains("error: ") || l.contains("error:\t"))
            .map(l -> l.replaceFirst("^configure: error: ", ""))
            .distinct()
            .limit(REASON)
            .toList();
    return errors.isEmpty() ? ToolOutcome.tail(run) : String.join("; ", errors);
  }

  /**
   * Merges results, because libtool compiles most sources twice, for a library and for programs.
   */
  private static PlanRunner.Outcome once(PlanRunner.Outcome all) {
    Map<String, UnitResult> units = new LinkedHashMap<>();
    for (UnitResult u : all.units()) {
      units.merge(u.path(), u, (first, second) -> first.ok() ? second : first);
    }
    List<UnitResult> sorted =
        units.values().stream().sorted(Comparator.comparing(UnitResult::path)).toList();
    return new PlanRunner.Outcome(sorted, all.links(), all.findings(), all.notes());
  }
}
