package dev.rocport.verify;

import dev.rocport.build.BuildResult;
import dev.rocport.build.link.LinkResult;
import dev.rocport.build.unit.Artifact;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.verify.compare.Profiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Ports, builds, runs and compares. */
public final class Verifier {
  private final VerifyOptions options;
  private final Platform platform;
  private final Workshop workshop;
  private final Results results;
  private final Observer observer;
  private final RunTrial trial;
  private final CaptureTrial captures;

  private Verifier(
      RuleCatalog catalog,
      VerifyOptions options,
      Platform platform,
      Workshop workshop,
      Results results,
      Profiles profiles) {
    this.options = options;
    this.platform = platform;
    this.workshop = workshop;
    this.results = results;
    this.observer = new Observer(options, platform);
    this.trial = new RunTrial(observer, results, catalog, options, profiles);
    this.captures = new CaptureTrial(options, platform, workshop, results, profiles);
  }

  /**
   * Verifies fixtures, or folders without a description.
   *
   * @param faults the faults to plant, one at a time; empty for none
   * @param progress receives a line for each step
   * @throws ToolchainException if there is nothing to build or to run with
   * @throws VerifyException if a fixture cannot be used
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
    Requirements.check(folders, fixtures, options, profiles);
    try (Platform platform = Platform.of(options, toolchain, request, progress)) {
      Results results = new Results(catalog, progress);
      Workshop workshop = new Workshop(catalog, port, toolchain, options);
      Verifier verifier = new Verifier(catalog, options, platform, workshop, results, profiles);
      for (Path folder : folders) {
        Optional<Fixture> fixture =
            fixtures.stream().filter(f -> f.folder().equals(folder)).findFirst();
        if (fixture.isPresent()) {
          verifier.fixture(fixture.get(), faults);
        } else if (CaptureTrial.is(folder)) {
          verifier.captures.run(folder);
        } else {
          verifier.folder(folder);
        }
      }
      return results.verification(platform);
    }
  }

  /** A tree that was ported and built. */
  private record Built(Path tree, BuildResult build, boolean ok) {}

  private Built make(Fixture fixture)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Path tree = options.work().resolve("trees").resolve(fixture.name());
    Workshop.Made made = workshop.make(fixture, tree, results.findings(), results::progress);
    return new Built(tree, made.build(), made.ok());
  }

  private void fixture(Fixture fixture, Faults wanted)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Built built = make(fixture);
    results.golden(fixture);
    for (String target : platform.targets()) {
      for (RunCase c : RunCase.of(fixture, target, options)) {
        trial.described(c, built.tree(), built.ok(), 0);
      }
    }
    Optional<Path> file = wanted.of(fixture);
    if (file.isPresent() && built.ok()) {
      new FaultTrial(fixture, built.tree(), workshop, observer, trial, options)
          .run(Fault.read(file.get()), platform.targets(), results);
    }
  }

  /** A folder without a description: every program that it builds, judged by its own checks. */
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
            List.of(),
            Optional.empty(),
            Optional.empty());
    Built built = make(none);
    results
        .findings()
        .add(
            name,
            "",
            new Problem(
                Problem.NO_GOLDEN,
                "has no fixture.yaml: no golden vectors were compared, only exit codes and PASS or"
                    + " FAIL in the programs' output"));
    List<LinkResult> programs =
        built.build().links().stream().filter(l -> l.kind() == Artifact.Kind.EXECUTABLE).toList();
    if (programs.isEmpty()) {
      results.findings().add(name, "", new Problem(Problem.RUN, "builds no program"));
    }
    for (String target : platform.targets()) {
      for (LinkResult program : programs) {
        undescribed(new RunCase(none, undescribed(program.name()), target, 0), built, program);
      }
    }
  }

  private void undescribed(RunCase c, Built built, LinkResult program)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    if (program.status() == LinkResult.Status.LINKED) {
      trial.undescribed(c, built.tree(), program.output());
    } else {
      results.notJudged(c, "failed", "not linked");
    }
  }

  /** A program of which nothing is known: it takes no arguments and ends with 0. */
  private static RunSpec undescribed(String name) {
    return new RunSpec(
        name,
        name,
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
  }
}
