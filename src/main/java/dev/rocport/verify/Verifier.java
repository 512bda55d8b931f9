package dev.rocport.verify;

import dev.rocport.build.Artifact;
import dev.rocport.build.BuildResult;
import dev.rocport.build.LinkResult;
import dev.rocport.build.UnitResult;
import dev.rocport.report.FileResult;
import dev.rocport.report.Finding;
import dev.rocport.report.Severity;
import dev.rocport.report.VerifyInfo;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.verify.compare.Profiles;
import dev.rocport.verify.compare.TensorComparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Ports, builds, runs and compares. */
public final class Verifier {
  /** What the runtime says of a function of which it has only the name. */
  private static final String NO_BODY = " is not implemented";

  /** A program of which nothing is known: it takes no arguments and ends with 0. */
  private static final RunSpec UNRECORDED =
      new RunSpec(
          "",
          "",
          List.of(),
          List.of(),
          1,
          new TreeMap<>(),
          Optional.empty(),
          0,
          Optional.empty(),
          List.of(),
          false,
          false,
          "exact",
          Map.of(),
          Map.of(),
          Duration.ofMinutes(5),
          List.of(),
          false);

  private final RuleCatalog catalog;
  private final VerifyOptions options;
  private final Platform platform;
  private final Workshop workshop;
  private final Consumer<String> progress;
  private final Profiles profiles = Profiles.ofHome();
  private final Findings findings;
  private final List<VerifyInfo.Case> cases = new ArrayList<>();
  private final List<VerifyInfo.Tensor> tensors = new ArrayList<>();
  private final CellTable cells = new CellTable();
  private final List<VerifyInfo.Fault> faults = new ArrayList<>();
  private int scratches;

  private Verifier(
      RuleCatalog catalog,
      VerifyOptions options,
      Platform platform,
      Workshop workshop,
      Consumer<String> progress) {
    this.catalog = catalog;
    this.options = options;
    this.platform = platform;
    this.workshop = workshop;
    this.progress = progress;
    this.findings = new Findings(catalog);
  }

  /**
   * Verifies fixtures, or folders without a description.
   *
   * @param faults the faults to put in, one after the other; empty for none
   * @param progress receives a line for each step
   * @throws ToolchainException where there is nothing to build or to run with
   * @throws VerifyException where a fixture cannot be used
   */
  public static Verification verify(
      List<Path> folders,
      Faults faults,
      VerifyOptions options,
      RuleCatalog catalog,
      PortOptions port,
      Toolchain toolchain,
      ToolchainRequest request,
      Consumer<String> progress)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    // The sources and every word of the description first, before anything takes its time.
    List<Fixture> fixtures = new ArrayList<>();
    for (Path folder : folders) {
      if (Files.exists(folder.resolve(Fixture.FILE))) {
        fixtures.add(FixtureReader.read(folder));
      }
    }
    for (Fixture fixture : fixtures) {
      Optional<Path> list = faults.of(fixture);
      if (list.isPresent()) {
        Fault.read(list.get());
      }
    }
    Profiles profiles = Profiles.ofHome();
    options.profile().ifPresent(profiles::get);
    fixtures.forEach(f -> f.runs().forEach(r -> requireProfiles(r, profiles)));
    requireRuns(folders, fixtures, options);
    try (Platform platform = Platform.of(options, toolchain, request, progress)) {
      Workshop workshop = new Workshop(catalog, port, toolchain, options);
      Verifier verifier = new Verifier(catalog, options, platform, workshop, progress);
      for (Path folder : folders) {
        Optional<Fixture> fixture =
            fixtures.stream().filter(f -> f.folder().equals(folder)).findFirst();
        if (fixture.isPresent()) {
          verifier.fixture(fixture.get(), faults);
        } else {
          verifier.folder(folder);
        }
      }
      return verifier.result();
    }
  }

  private static void requireProfiles(RunSpec run, Profiles profiles) {
    profiles.get(run.profile());
    run.profiles().values().forEach(profiles::get);
  }

  /** A verification that runs nothing, or not what was asked for, must not end well. */
  private static void requireRuns(List<Path> folders, List<Fixture> fixtures, VerifyOptions options)
      throws VerifyException {
    for (String name : options.only()) {
      if (fixtures.stream().flatMap(f -> f.runs().stream()).noneMatch(r -> r.name().equals(name))) {
        throw new VerifyException("--run: no fixture has a run '" + name + "'");
      }
    }
    boolean none =
        fixtures.size() == folders.size()
            && fixtures.stream()
                .noneMatch(
                    f ->
                        options.targets().stream().anyMatch(t -> !chosen(f, t, options).isEmpty()));
    if (none) {
      throw new VerifyException(
          "nothing to run: no run is for %s%s"
              .formatted(
                  String.join(", ", options.targets()), options.full() ? "" : " without --full"));
    }
  }

  private Verification result() {
    return new Verification(
        findings.files(),
        new VerifyInfo(platform.name(), platform.note(), cases, tensors, cells.cells(), faults));
  }

  /** A tree that was ported and built. */
  private record Built(Path tree, BuildResult build, boolean ok) {}

  private Built make(Fixture fixture)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    String name = fixture.name();
    progress.accept(name + ": port");
    Path tree = options.work().resolve("trees").resolve(name);
    for (FileResult f : workshop.port(fixture.folder(), tree)) {
      findings.addAll(name, f.findings());
      if (f.status() == FileResult.Status.FAILED) {
        findings.add(name + "/" + f.path(), "", new Problem(Problem.RUN, f.message()));
      }
    }
    progress.accept(name + ": build");
    BuildResult build = build(fixture, tree);
    boolean ok =
        build.count(UnitResult.Status.FAILED) == 0
            && build.count(LinkResult.Status.FAILED) == 0
            && build.findings().stream().noneMatch(f -> f.severity() == Severity.ERROR);
    findings.addAll(name, build.allFindings());
    return new Built(tree, build, ok);
  }

  private BuildResult build(Fixture fixture, Path tree)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Optional<String> standard =
        fixture.build().equals("plain") ? Optional.of(fixture.standard()) : Optional.empty();
    return workshop.build(tree, standard, fixture.configure(), fixture.goals());
  }

  private void fixture(Fixture fixture, Faults wanted)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Built built = make(fixture);
    Golden golden = new Golden(fixture);
    golden.problems().forEach(p -> findings.add(fixture.name() + "/" + Fixture.FILE, "", p));
    for (String target : platform.targets()) {
      if (fixture.warp().equals(Optional.of(Fixture.Warp.FLAGGED))) {
        // May well hang: the port has to say that it is not done.
        String why = "nothing that a port can make right: its findings count";
        add(fixture.name(), "", target, 0, "not-run", Map.of(), why);
        continue;
      }
      for (RunSpec run : chosen(fixture, target, options)) {
        for (int ranks : run.ranks().isEmpty() ? List.of(0) : run.ranks()) {
          one(fixture, built, golden, run, target, ranks);
        }
      }
    }
    Optional<Path> file = wanted.of(fixture);
    if (file.isPresent() && built.ok()) {
      faults(fixture, built, golden, Fault.read(file.get()));
    }
  }

  private static List<RunSpec> chosen(Fixture fixture, String target, VerifyOptions options) {
    return fixture.runs().stream()
        .filter(r -> r.targets().isEmpty() || r.targets().contains(target))
        .filter(
            r ->
                options.only().isEmpty()
                    ? options.full() || !r.full()
                    : options.only().contains(r.name()))
        .toList();
  }

  private void one(
      Fixture fixture, Built built, Golden golden, RunSpec run, String target, int ranks)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Judge judge = new Judge(golden, run, ranks, profiles, options.profile());
    String path = fixture.name() + "/" + run.program();
    String where =
        Stream.of(run.name(), target, ranks == 0 ? "" : "np " + ranks)
            .filter(s -> !s.isEmpty())
            .reduce((a, b) -> a + " " + b)
            .orElse("");
    Optional<Path> program =
        built.ok() ? new Programs(built.tree()).find(run.program()) : Optional.empty();
    if (program.isEmpty()) {
      String why = built.ok() ? "the build made no " + run.program() : "does not build";
      findings.add(path, where, new Problem(Problem.RUN, why));
      add(fixture.name(), run.name(), target, ranks, "failed", Map.of(), why);
      return;
    }
    progress.accept(fixture.name() + ": run " + where);
    Observed first = observe(built, program.get(), run, target, ranks, OptionalLong.empty());
    String missing = missing(first.run());
    if (!missing.isEmpty()) {
      findings.add(path, where, new Problem(Problem.LIBRARY, missing));
      add(fixture.name(), run.name(), target, ranks, "not-run", Map.of(), missing);
      return;
    }
    judge.judge(first);
    for (int i = 1; i < options.runs() && !first.run().timedOut(); i++) {
      OptionalLong seed = platform.hasOrders() ? OptionalLong.of(i) : OptionalLong.empty();
      Observed later = observe(built, program.get(), run, target, ranks, seed);
      judge.same(first, later, seed.isPresent() ? "order " + i : "run " + (i + 1));
      if (later.wrong() > 0) {
        judge.problem(
            Problem.CHECKS,
            later.wrong() + " elements of its own checks are wrong in run " + (i + 1));
      }
    }
    boolean failed =
        judge.problems().stream()
            .anyMatch(p -> catalog.require(p.rule()).severity() == Severity.ERROR);
    judge.problems().forEach(p -> findings.add(path, where, p));
    cells.add(fixture.name(), target, first.rows());
    String label = fixture.name() + " " + where;
    judge.tensors().forEach(t -> tensors.add(tensor(label, t)));
    add(
        fixture.name(),
        run.name(),
        target,
        ranks,
        failed ? "failed" : "ok",
        judge.checks(),
        judge.compared() ? "" : "nothing recorded to compare with");
  }

  private void add(
      String fixture,
      String run,
      String target,
      int ranks,
      String status,
      Map<String, String> checks,
      String message) {
    cases.add(new VerifyInfo.Case(fixture, run, target, ranks, status, checks, message));
    progress.accept(
        "%s: %s %s%s%s"
            .formatted(
                fixture,
                run.isEmpty() ? target : run + " " + target,
                ranks == 0 ? "" : "np " + ranks + " ",
                status,
                message.isEmpty() ? "" : ": " + message));
  }

  /** The function that the runtime has no body for; empty where the program ended otherwise. */
  private static String missing(ProgramRun run) {
    return run.code() == 0
        ? ""
        : run.stderr()
            .lines()
            .filter(l -> l.startsWith("rocport: ") && l.endsWith(NO_BODY))
            .map(l -> l.substring("rocport: ".length()))
            .findFirst()
            .orElse("");
  }

  private Observed observe(
      Built built, Path program, RunSpec run, String target, int ranks, OptionalLong seed)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Path scratch = options.work().resolve("runs").resolve(String.valueOf(scratches++));
    Files.createDirectories(scratch);
    Path golden = scratch.resolve("tensors");
    Path rows = Files.createDirectories(scratch.resolve("checks")).resolve(Golden.CHECKS);
    Map<String, String> variables = new TreeMap<>(run.environment());
    variables.put("ROCPORT_CHECKS", rows.toString());
    if (run.tensors()) {
      variables.put("ROCPORT_GOLDEN_OUT", golden.toString());
    }
    Optional<Path> preload = Optional.empty();
    if (run.preload().isPresent()) {
      preload = new Programs(built.tree()).library(run.preload().get());
      if (preload.isEmpty()) {
        throw new VerifyException("the build made no " + run.preload().get());
      }
    }
    for (String file : run.files()) {
      Files.deleteIfExists(built.tree().resolve(file));
    }
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    run.args().forEach(a -> command.add(a.replace("{np}", Integer.toString(ranks))));
    Duration limit = options.limit().orElse(run.limit());
    ProgramRun ended =
        platform.run(
            command,
            built.tree(),
            target,
            ranks,
            run.gpus(),
            preload,
            variables,
            seed,
            limit,
            scratch);
    SortedMap<String, Optional<byte[]>> files = new TreeMap<>();
    for (String file : run.files()) {
      Path at = built.tree().resolve(file);
      files.put(
          file, Files.isRegularFile(at) ? Optional.of(Files.readAllBytes(at)) : Optional.empty());
    }
    return new Observed(
        ended, files, Golden.tensors(golden), Golden.rows(scratch.resolve("checks")));
  }

  /** A folder without a description: every program that it builds, by its own word. */
  private void folder(Path folder)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    String name = String.valueOf(folder.toAbsolutePath().normalize().getFileName());
    Fixture none =
        new Fixture(
            name,
            folder,
            "plain",
            "c++17",
            List.of(),
            List.of(),
            List.of(),
            name,
            List.of(UNRECORDED),
            Optional.empty(),
            Optional.empty());
    Built built = make(none);
    findings.add(
        name,
        "",
        new Problem(
            Problem.NO_GOLDEN,
            "has no fixture.yaml: no golden vectors were compared, only what the programs say"));
    List<LinkResult> programs =
        built.build().links().stream().filter(l -> l.kind() == Artifact.Kind.EXECUTABLE).toList();
    if (programs.isEmpty()) {
      findings.add(name, "", new Problem(Problem.RUN, "builds no program"));
    }
    for (String target : platform.targets()) {
      for (LinkResult program : programs) {
        unrecorded(none, built, program, target);
      }
    }
  }

  private void unrecorded(Fixture fixture, Built built, LinkResult program, String target)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    String name = fixture.name();
    if (program.status() != LinkResult.Status.LINKED) {
      add(name, program.name(), target, 0, "failed", Map.of(), "not linked");
      return;
    }
    RunSpec run = UNRECORDED;
    Judge judge = new Judge(new Golden(fixture), run, 0, profiles, Optional.empty());
    progress.accept(name + ": run " + program.name() + " " + target);
    Observed first = observe(built, program.output(), run, target, 0, OptionalLong.empty());
    String missing = missing(first.run());
    if (!missing.isEmpty()) {
      findings.add(name, program.name() + " " + target, new Problem(Problem.LIBRARY, missing));
      add(name, program.name(), target, 0, "not-run", Map.of(), missing);
      return;
    }
    judge.judge(first);
    String said =
        first.run().text().lines().filter(l -> !l.isBlank()).reduce((a, b) -> b).orElse("");
    if (said.matches("(?i).*\\bFAIL(ED|URE)?\\b.*")) {
      judge.problem(Problem.OUTPUT, "says '" + said.strip() + "'");
    }
    judge.checks().put("says", said.matches("(?i).*\\bPASS(ED)?\\b.*") ? "PASS" : "nothing");
    for (int i = 1; i < options.runs() && !first.run().timedOut(); i++) {
      OptionalLong seed = platform.hasOrders() ? OptionalLong.of(i) : OptionalLong.empty();
      Observed later = observe(built, program.output(), run, target, 0, seed);
      judge.same(first, later, seed.isPresent() ? "order " + i : "run " + (i + 1));
    }
    boolean failed =
        judge.problems().stream()
            .anyMatch(p -> catalog.require(p.rule()).severity() == Severity.ERROR);
    judge.problems().forEach(p -> findings.add(name, program.name() + " " + target, p));
    cells.add(name, target, first.rows());
    add(
        name,
        program.name(),
        target,
        0,
        failed ? "failed" : "ok",
        judge.checks(),
        "no golden vectors were compared");
  }

  /** Puts each fault into the ported tree, builds, runs, and takes it out again. */
  private void faults(Fixture fixture, Built built, Golden golden, List<Fault> list)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    for (Fault fault : list) {
      progress.accept(fixture.name() + ": fault '" + fault.name() + "'");
      String by;
      Fault.Applied applied = fault.apply(built.tree());
      try {
        by = noticed(fixture, built, golden, fault);
      } finally {
        applied.undo();
      }
      faults.add(new VerifyInfo.Fault(fixture.name(), fault.name(), !by.isEmpty(), by));
      progress.accept(
          "%s: fault '%s' %s"
              .formatted(
                  fixture.name(), fault.name(), by.isEmpty() ? "NOT caught" : "caught: " + by));
      if (by.isEmpty()) {
        findings.add(
            fixture.name() + "/" + fault.file(),
            "",
            new Problem(Problem.FAULT, "the fault '" + fault.name() + "' is not noticed"));
      }
    }
  }

  /** What notices a fault: the first problem of the first run that has one. */
  private String noticed(Fixture fixture, Built built, Golden golden, Fault fault)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    BuildResult build = build(fixture, built.tree());
    if (build.count(UnitResult.Status.FAILED) + build.count(LinkResult.Status.FAILED) > 0) {
      String said = build.allFindings().stream().map(Finding::message).findFirst().orElse("");
      throw new VerifyException(
          "the fault '%s' does not compile, which proves nothing: %s"
              .formatted(fault.name(), said));
    }
    for (String target : fault.targets(platform.targets())) {
      for (RunSpec run : chosen(fixture, target, options)) {
        if (!fault.tries(run.name())) {
          continue;
        }
        for (int ranks : run.ranks().isEmpty() ? List.of(0) : run.ranks()) {
          Path program =
              new Programs(built.tree())
                  .find(run.program())
                  .orElseThrow(() -> new VerifyException("the build made no " + run.program()));
          Judge judge = new Judge(golden, run, ranks, profiles, options.profile());
          judge.judge(observe(built, program, run, target, ranks, OptionalLong.empty()));
          Optional<Problem> first =
              judge.problems().stream()
                  .filter(p -> !p.rule().equals(Problem.NO_GOLDEN))
                  .findFirst();
          if (first.isPresent()) {
            String name = run.name().isEmpty() ? "" : run.name() + " ";
            String np = ranks == 0 ? "" : " np " + ranks;
            return name + target + np + ": " + first.get().message();
          }
        }
      }
    }
    return "";
  }

  /** A comparison as reports have it. */
  public static VerifyInfo.Tensor tensor(String where, TensorComparison t) {
    return new VerifyInfo.Tensor(
        where,
        t.name(),
        t.type(),
        t.outcome().name().toLowerCase(Locale.ROOT),
        t.count(),
        t.wrong(),
        t.maxUlp(),
        t.p99Ulp(),
        new LinkedHashMap<>(t.histogram()),
        t.maxAbs(),
        t.maxAbsAt(),
        t.maxRel(),
        t.maxRelAt(),
        t.cosine(),
        t.relativeL2(),
        t.rule(),
        t.message());
  }
}
