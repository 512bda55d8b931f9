package dev.rocport.verify;

import dev.rocport.core.result.Finding;
import dev.rocport.io.Checksum;
import dev.rocport.io.Folders;
import dev.rocport.io.ProgramFile;
import dev.rocport.io.Sha256;
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
import java.net.InetAddress;
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
      Consumer<String> progress) {
    this.folder = folder;
    this.options = options;
    this.catalog = catalog;
    this.port = port;
    this.toolchain = toolchain;
    this.request = request;
    this.progress = progress;
  }

  /**
   * The cells of fixtures: each run on each target with each number of ranks, in each order of
   * waves.
   *
   * @throws VerifyException if a folder has no runs that are known before it is built
   */
  public static List<MatrixCell> cells(List<Path> fixtures, VerifyOptions options)
      throws IOException, VerifyException {
    List<MatrixCell> cells = new ArrayList<>();
    Map<String, Path> names = new HashMap<>();
    for (Path place : fixtures) {
      if (!Files.exists(place.resolve(Fixture.FILE))) {
        throw new VerifyException(
            place
                + ": has no "
                + Fixture.FILE
                + "; only the runs of fixtures are known in advance");
      }
      Fixture fixture = FixtureReader.read(place);
      Path other = names.put(fixture.name(), place);
      if (other != null) {
        throw new VerifyException(
            "%s and %s have the same name; cells need different ones".formatted(other, place));
      }
      for (String target : options.gpus()) {
        for (RunCase c : RunCase.of(fixture, target, options)) {
          for (int seed = 0; seed < options.runs(); seed++) {
            cells.add(new MatrixCell(fixture.name(), c.run().name(), target, seed, c.ranks()));
          }
        }
      }
    }
    if (cells.isEmpty()) {
      throw new VerifyException("nothing to run: no fixture defines a run for these targets");
    }
    return cells;
  }

  /**
   * Runs a cell, unless its result is there.
   *
   * @param place the folder of its fixture
   * @throws ToolchainException if this machine cannot run it
   */
  public MatrixResult run(Path place, MatrixCell cell)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Fixture fixture = FixtureReader.read(place);
    RunCase found = runCase(fixture, cell);
    String build = buildKey(fixture);
    String key = Sha256.fingerprint(build + content(fixture, true) + optionsText());
    Optional<MatrixResult> known = folder.result(cell, key);
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
          SharedBuild.of(folder.builds(), build, tree -> make(workshop, fixture, tree));
      // Programs write into their tree, and other cells use it at the same time.
      Path tree = options.work().resolve(cell.id()).resolve(fixture.name());
      Folders.copy(shared.tree(), tree);
      shared.findings().forEach(results.findings()::add);
      results.golden(fixture);
      Optional<Observed> seen =
          new RunTrial(
                  new Observer(options, platform), results, catalog, options, Profiles.ofHome())
              .described(found, tree, shared.ok(), cell.seed());
      Verification verification = results.verification(platform);
      MatrixResult result =
          new MatrixResult(
              cell,
              fixture.name() + "/" + found.run().program(),
              key,
              host(),
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

  /** Hash of all that decides the build of a fixture. */
  private String buildKey(Fixture fixture) throws IOException {
    String rules =
        catalog.isBuiltIn() ? "" : catalog.rules().toString() + catalog.names().toString();
    return Sha256.fingerprint(
        String.join(
            "\n",
            fixture.name(),
            content(fixture, false),
            ProgramFile.checksum(),
            toolchain.fingerprint(),
            String.join(",", options.targets()),
            port.toString(),
            rules));
  }

  /** What the options say about runs. */
  private String optionsText() {
    return String.join(
        "\n",
        options.device().name(),
        options.libraries().name(),
        options.checks().text(),
        options.profile().orElse(""),
        options.limit().toString());
  }

  /** The content of the files of a fixture. */
  private static String content(Fixture fixture, boolean golden) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Path file : Folders.files(fixture.folder())) {
      if (golden || !file.startsWith(fixture.golden())) {
        text.append(fixture.folder().relativize(file)).append('\t');
        text.append(Checksum.of(file)).append('\n');
      }
    }
    return text.toString();
  }

  /** The name of this machine, that of Slurm if it started this process. */
  private static String host() throws IOException {
    String node = System.getenv("SLURMD_NODENAME");
    return node != null && !node.isEmpty() ? node : InetAddress.getLocalHost().getHostName();
  }
}
