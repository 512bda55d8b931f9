package dev.rocport.verify;

import dev.rocport.core.result.Finding;
import dev.rocport.io.Folders;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.verify.compare.Profiles;
import dev.rocport.verify.matrix.MatrixCell;
import dev.rocport.verify.matrix.MatrixFolder;
import dev.rocport.verify.matrix.MatrixResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Runs the cells of a matrix, each alone. */
public final class MatrixRun {
  private final MatrixFolder folder;
  private final VerifyOptions options;
  private final RuleCatalog catalog;
  private final PortOptions port;
  private final Toolchain toolchain;
  private final ToolchainRequest request;
  private final Consumer<String> progress;
  private final Profiles profiles;
  private final FixtureKeys keys;
  private final String host;

  /**
   * A run.
   *
   * @param folder of the results and builds
   * @param options those of the matrix, with a folder for work that is empty
   * @param progress receives a line for each step
   */
  public MatrixRun(
      MatrixFolder folder,
      VerifyOptions options,
      RuleCatalog catalog,
      PortOptions port,
      Toolchain toolchain,
      ToolchainRequest request,
      Consumer<String> progress)
      throws IOException {
    this.folder = folder;
    // The other orders of waves are cells of their own.
    this.options = options.once();
    this.catalog = catalog;
    this.port = port;
    this.toolchain = toolchain;
    this.request = request;
    this.progress = progress;
    this.profiles = Profiles.ofHome();
    this.keys = new FixtureKeys(this.options, profiles, catalog, port, toolchain.fingerprint());
    this.host = HostName.of(System.getenv());
  }

  /**
   * The cells of fixtures: each run on each target with each number of ranks, in each order of
   * waves.
   *
   * @throws VerifyException if a folder has no runs that are known before it is built, names are
   *     not those of files, or two cells have the same one
   */
  public static List<MatrixCell> cells(List<Path> fixtures, VerifyOptions options)
      throws IOException, VerifyException {
    List<Fixture> all = new ArrayList<>();
    for (Path place : fixtures) {
      if (!Files.exists(place.resolve(Fixture.FILE))) {
        throw new VerifyException(
            place
                + ": has no "
                + Fixture.FILE
                + "; only the runs of fixtures are known in advance");
      }
      all.add(FixtureReader.read(place));
    }
    Requirements.check(fixtures, all, options, Profiles.ofHome());
    List<MatrixCell> cells = new ArrayList<>();
    Map<String, Path> names = new HashMap<>();
    for (Fixture fixture : all) {
      Path other = names.put(fixture.name(), fixture.folder());
      if (other != null) {
        throw new VerifyException(
            "%s and %s have the same name; cells need different ones"
                .formatted(other, fixture.folder()));
      }
      for (String target : options.gpus()) {
        for (RunCase c : RunCase.of(fixture, target, options)) {
          for (int seed = 0; seed < options.runs(); seed++) {
            cells.add(new MatrixCell(fixture.name(), c.run().name(), target, seed, c.ranks()));
          }
        }
      }
    }
    requireNames(cells);
    return cells;
  }

  /** Names of cells are names of files. */
  private static void requireNames(List<MatrixCell> cells) throws VerifyException {
    Map<String, MatrixCell> ids = new HashMap<>();
    for (MatrixCell cell : cells) {
      if (!cell.isFileName()) {
        throw new VerifyException(
            "'%s' cannot be the name of a file of results; rename the fixture"
                .formatted(cell.id()));
      }
      MatrixCell other = ids.put(cell.id(), cell);
      if (other != null) {
        throw new VerifyException(
            "runs of the fixtures %s and %s have the same name %s; rename one of them"
                .formatted(other.program(), cell.program(), cell.id()));
      }
    }
  }

  /**
   * Runs cells one after the other, those after one that cannot run, too. Why one has no result is
   * noted in the folder, and the first such failure is thrown at the end.
   *
   * @param fixtures the folders of their fixtures
   * @param done receives each result
   * @return whether a cell failed
   */
  public boolean all(List<Path> fixtures, List<MatrixCell> cells, Consumer<MatrixResult> done)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    boolean failed = false;
    List<Exception> failures = new ArrayList<>();
    for (MatrixCell cell : cells) {
      try {
        MatrixResult result = run(place(fixtures, cell), cell);
        failed |= result.row().status().equals("failed");
        done.accept(result);
      } catch (IOException | VerifyException | ToolchainException | RuntimeException e) {
        folder.fail(cell, String.valueOf(e.getMessage()));
        progress.accept(cell.id() + ": " + e.getMessage());
        failures.add(e);
      }
    }
    if (!failures.isEmpty()) {
      rethrow(failures.getFirst());
    }
    return failed;
  }

  private static Path place(List<Path> fixtures, MatrixCell cell) throws VerifyException {
    return fixtures.stream()
        .filter(p -> p.toAbsolutePath().normalize().endsWith(cell.program()))
        .findFirst()
        .orElseThrow(() -> new VerifyException(cell.id() + ": no such cell"));
  }

  private static void rethrow(Exception failure)
      throws IOException, VerifyException, ToolchainException {
    switch (failure) {
      case IOException e -> throw e;
      case VerifyException e -> throw e;
      case ToolchainException e -> throw e;
      case RuntimeException e -> throw e;
      default -> throw new IllegalStateException(failure);
    }
  }

  /**
   * Runs a cell, unless its result is there.
   *
   * @param place the folder of its fixture
   * @throws ToolchainException if this machine cannot run it
   */
  MatrixResult run(Path place, MatrixCell cell)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Fixture fixture = FixtureReader.read(place);
    RunCase found = runCase(fixture, cell);
    FixtureKeys.Keys key = keys.of(fixture);
    Optional<MatrixResult> known = folder.result(cell, key.result());
    if (known.isPresent()) {
      progress.accept(cell.id() + ": has a result");
      return known.get();
    }
    try (Platform platform = Platform.of(options, toolchain, request, progress)) {
      if (!platform.targets().contains(cell.target())) {
        throw new ToolchainException("this machine has no " + cell.target());
      }
      Results results = new Results(catalog, progress);
      Workshop workshop = new Workshop(catalog, port, toolchain, options);
      SharedBuild shared =
          SharedBuild.of(folder.builds(), key.build(), tree -> make(workshop, fixture, tree));
      // Programs write into their tree, and other cells use it at the same time.
      Path tree = options.work().resolve(cell.id()).resolve(fixture.name());
      if (shared.ok()) {
        Folders.copy(shared.tree(), tree);
      }
      shared.findings().forEach(results.findings()::add);
      results.golden(fixture);
      Optional<Observed> seen =
          new RunTrial(new Observer(options, platform), results, catalog, options, profiles)
              .described(found, tree, shared.ok(), cell.seed());
      Verification verification = results.verification(platform);
      MatrixResult result =
          new MatrixResult(
              cell,
              fixture.name() + "/" + found.run().program(),
              key.result(),
              host,
              seen.map(Observed::digests).orElseGet(TreeMap::new),
              verification.info(),
              findings(verification));
      folder.put(result);
      Folders.delete(tree);
      return result;
    }
  }

  private RunCase runCase(Fixture fixture, MatrixCell cell) throws VerifyException {
    return RunCase.of(fixture, cell.target(), options).stream()
        .filter(c -> c.run().name().equals(cell.run()) && c.ranks() == cell.ranks())
        .findFirst()
        .orElseThrow(() -> new VerifyException(cell.id() + ": no such cell"));
  }

  private SharedBuild make(Workshop workshop, Fixture fixture, Path tree)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Findings findings = new Findings(catalog);
    Workshop.Made made = workshop.make(fixture, tree, findings, progress);
    List<Finding> all = findings.files().stream().flatMap(f -> f.findings().stream()).toList();
    return new SharedBuild(tree, made.ok(), all);
  }

  private static List<Finding> findings(Verification verification) {
    return verification.files().stream().flatMap(f -> f.findings().stream()).toList();
  }
}
