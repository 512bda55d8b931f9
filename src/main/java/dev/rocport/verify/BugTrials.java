package dev.rocport.verify;

import dev.rocport.build.BuildResult;
import dev.rocport.build.Builder;
import dev.rocport.build.link.LinkResult;
import dev.rocport.build.plan.BuildOptions;
import dev.rocport.build.plan.PlanException;
import dev.rocport.build.run.BuildListener;
import dev.rocport.build.run.UnitResult;
import dev.rocport.device.check.Checks;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.Mpi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs programs with planted bugs under all checks, and the same programs without the bugs, which
 * must have no findings.
 */
public final class BugTrials {
  private static final Duration COMPILER = Duration.ofMinutes(15);
  private static final Duration RUN = Duration.ofSeconds(60);
  private static final String PASS = "PASS";

  /** The exit code of a program for which the machine has not enough GPUs. */
  private static final int SKIPPED = 77;

  private final VerifyOptions options;
  private final Checks checks;
  private final Toolchain toolchain;
  private final RuleCatalog catalog;
  private final Platform platform;

  private BugTrials(
      VerifyOptions options,
      Checks checks,
      Toolchain toolchain,
      RuleCatalog catalog,
      Platform platform) {
    this.options = options;
    this.checks = checks;
    this.toolchain = toolchain;
    this.catalog = catalog;
    this.platform = platform;
  }

  /**
   * Runs the programs of a folder that has a subfolder for each check, on each target whose waves
   * they are written for.
   *
   * @param chosen selects programs by name
   * @param checks the enabled checks
   * @throws ToolchainException if there is nothing to build or to run with
   * @throws VerifyException if a program has no marks, or does not build
   */
  public static List<BugTrial> run(
      Path folder,
      Predicate<String> chosen,
      Checks checks,
      VerifyOptions options,
      RuleCatalog catalog,
      Toolchain toolchain,
      ToolchainRequest request,
      Consumer<String> progress)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    List<PlantedBug> bugs =
        PlantedBug.all(folder.toRealPath()).stream().filter(b -> chosen.test(b.name())).toList();
    try (Platform platform = Platform.of(options, toolchain, request, progress)) {
      BugTrials trials = new BugTrials(options, checks, toolchain, catalog, platform);
      Path root = folder.toRealPath();
      Mpi mpi = bugs.stream().anyMatch(b -> b.ranks() > 0) ? Mpi.require(request, progress) : null;
      List<Callable<BugTrial>> all = new ArrayList<>();
      for (Map.Entry<List<String>, List<PlantedBug>> same : byTargets(bugs, options.targets())) {
        Map<Path, Path> planted =
            trials.build(root, same.getValue(), same.getKey(), mpi, List.of(), "planted");
        Map<Path, Path> mended =
            trials.build(root, same.getValue(), same.getKey(), mpi, List.of("MENDED"), "mended");
        for (PlantedBug bug : same.getValue()) {
          for (String target : platform.targets()) {
            if (!bug.runsOn(target)) {
              progress.accept(
                  "%s/%s, %s: not run, because it is for waves of %d lanes"
                      .formatted(bug.check().word(), bug.name(), target, bug.lanes()));
              continue;
            }
            all.add(
                () -> {
                  BugTrial trial =
                      trials.trial(bug, target, program(planted, bug), program(mended, bug));
                  progress.accept(words(trial));
                  return trial;
                });
          }
        }
      }
      List<BugTrial> results = Trials.all(all, options.jobs());
      results.sort(
          Comparator.comparing(BugTrial::check)
              .thenComparing(BugTrial::name)
              .thenComparing(BugTrial::target));
      return results;
    }
  }

  /** The programs by those of the targets that they are built for. */
  private static Set<Map.Entry<List<String>, List<PlantedBug>>> byTargets(
      List<PlantedBug> bugs, List<String> targets) {
    Map<List<String>, List<PlantedBug>> groups = new LinkedHashMap<>();
    for (PlantedBug bug : bugs) {
      List<String> on = targets.stream().filter(bug::runsOn).toList();
      groups.computeIfAbsent(on, t -> new ArrayList<>()).add(bug);
    }
    return groups.entrySet();
  }

  private static Path program(Map<Path, Path> programs, PlantedBug bug) throws VerifyException {
    Path program = programs.get(bug.source());
    if (program == null) {
      throw new VerifyException("the build produced no program from " + bug.source());
    }
    return program;
  }

  private static String words(BugTrial t) {
    return "%s/%s, %s: %s%s"
        .formatted(
            t.check().word(),
            t.name(),
            t.target(),
            !t.ran() ? "ERROR: " + t.unrun() : t.isFound() ? "found" : "NOT FOUND",
            !t.ran() || t.isClean() ? "" : ", but not clean when fixed");
  }

  /** Builds the programs; what was made, by the names of the sources. */
  private Map<Path, Path> build(
      Path folder,
      List<PlantedBug> bugs,
      List<String> targets,
      @Nullable Mpi mpi,
      List<String> defines,
      String name)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    if (targets.isEmpty()) {
      return Map.of();
    }
    Path work = options.work().resolve(name).resolve(String.join("-", targets));
    Path tree = Files.createDirectories(work).toRealPath();
    copy(folder, tree, bugs);
    BuildOptions build =
        new BuildOptions(
            tree,
            tree.resolve(Programs.BUILD),
            targets,
            options.jobs(),
            true,
            Optional.empty(),
            mpi == null ? List.of() : mpi.includes(),
            defines,
            mpi == null ? List.of() : List.of(mpi.library().toString()),
            false,
            true,
            List.of(),
            List.of(),
            COMPILER,
            options.cache(),
            Map.of(),
            false);
    BuildResult result;
    try {
      result =
          Builder.of(build, toolchain, catalog, Optional.empty(), BuildListener.SILENT).build();
    } catch (PlanException e) {
      throw new VerifyException(String.valueOf(e.getMessage()));
    }
    for (UnitResult unit : result.units()) {
      if (!unit.ok()) {
        throw new VerifyException(unit.path() + " does not compile: " + unit.message());
      }
    }
    Map<Path, Path> programs = new HashMap<>();
    for (LinkResult link : result.links()) {
      if (link.status() != LinkResult.Status.LINKED) {
        throw new VerifyException(link.name() + " does not link: " + link.message());
      }
      link.inputs().forEach(input -> programs.put(folder.resolve(input), link.output()));
    }
    return programs;
  }

  private static void copy(Path folder, Path tree, List<PlantedBug> bugs) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> list = Files.list(folder)) {
      list.filter(f -> f.toString().endsWith(".h")).forEach(files::add);
    }
    bugs.forEach(b -> files.add(b.source()));
    for (Path file : files) {
      Path to = tree.resolve(folder.relativize(file));
      Files.createDirectories(to.getParent());
      Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private BugTrial trial(PlantedBug bug, String target, Path planted, Path mended)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    List<String> found = new ArrayList<>();
    List<String> elsewhere = new ArrayList<>();
    Run withBug = findings(bug, planted, target, "planted");
    for (SeenFinding finding : withBug.list()) {
      if (!finding.check().equals(bug.check().word())) {
        continue;
      }
      if (bug.isAt(finding.place()) || bug.isAt(finding.other())) {
        found.add(finding.title());
      } else {
        elsewhere.add(finding.toString());
      }
    }
    Run clean = findings(bug, mended, target, "mended");
    return new BugTrial(
        bug.name(),
        bug.blind(),
        bug.check(),
        target,
        found,
        elsewhere,
        clean.list().stream().map(SeenFinding::toString).toList(),
        clean.ended().text().contains(PASS)
            ? ""
            : "the fixed program exited with %d and %s: %s"
                .formatted(
                    clean.ended().code(), clean.ended().text().strip(), clean.ended().lastWords()),
        Stream.of(withBug.unrun("with"), clean.unrun("without"))
            .filter(why -> !why.isEmpty())
            .findFirst()
            .orElse(""));
  }

  /**
   * A run and its findings.
   *
   * @param toItsEnd whether the device has written what the checks had looked at until then
   */
  private record Run(ProgramRun ended, List<SeenFinding> list, boolean toItsEnd) {
    /** Why it says nothing about the checks; empty where it does. */
    String unrun(String which) {
      if (!list.isEmpty() || (toItsEnd && ended.code() != SKIPPED)) {
        return "";
      }
      return "the program %s the bug did not run to its end on the device: exit code %d%s"
          .formatted(
              which,
              ended.code(),
              Stream.of(ended.isCut() ? "stopped at a limit" : "", lastLine(), ended.lastWords())
                  .filter(w -> !w.isEmpty())
                  .map(w -> "; " + w)
                  .collect(Collectors.joining()));
    }

    private String lastLine() {
      return ended.text().lines().reduce((_, last) -> last).orElse("");
    }
  }

  private Run findings(PlantedBug bug, Path program, String target, String kind)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Path scratch =
        Files.createDirectories(
            options.work().resolve("runs").resolve(bug.name() + "-" + target + "-" + kind));
    Path file = scratch.resolve("findings.jsonl");
    ProgramRun ended =
        platform.run(
            List.of(program.toString()),
            scratch,
            target,
            bug.ranks(),
            bug.gpus(),
            Optional.empty(),
            Map.of(RunFindings.VARIABLE, file.toString()),
            checks,
            options.limit().orElse(RUN),
            scratch);
    return new Run(ended, SeenFinding.defects(file), Covered.isIn(file));
  }
}
