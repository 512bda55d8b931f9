package dev.rocport.cli.verify;

import dev.rocport.cli.build.BuildCommand;
import dev.rocport.cli.option.GivenOptions;
import dev.rocport.cli.option.LibsChoices;
import dev.rocport.cli.option.PortChoices;
import dev.rocport.cli.option.ReportChoices;
import dev.rocport.cli.report.Reporter;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.JavaCommand;
import dev.rocport.cli.support.UsageException;
import dev.rocport.cli.toolchain.ToolchainCommand;
import dev.rocport.device.check.Checks;
import dev.rocport.io.AtomicFile;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.GpuTargets;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.verify.Calibrator;
import dev.rocport.verify.Faults;
import dev.rocport.verify.MatrixMerge;
import dev.rocport.verify.MatrixRun;
import dev.rocport.verify.Verification;
import dev.rocport.verify.Verifier;
import dev.rocport.verify.VerifyException;
import dev.rocport.verify.VerifyOptions;
import dev.rocport.verify.WorkFolder;
import dev.rocport.verify.capture.Capture;
import dev.rocport.verify.matrix.Matrix;
import dev.rocport.verify.matrix.MatrixCell;
import dev.rocport.verify.matrix.MatrixFolder;
import dev.rocport.verify.matrix.SlurmScript;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rocport verify}: ports, builds, runs and compares. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Ports a program, builds it, runs it, and compares the results with those recorded from the"
          + " original on an NVIDIA GPU.",
      "A fixture is a folder with fixture.yaml; a folder of fixtures means all fixtures in it. In"
          + " any other folder, each program is judged by its exit code and by PASS or FAIL in its"
          + " output."
    },
    footer = {
      "",
      "Examples:",
      "  rocport verify fixtures/saxpy",
      "  rocport verify . --target gfx942 --report reports",
      "  rocport verify fixtures --runs 4 --slurm cells.sh --cells cells",
      "  rocport verify --merge cells"
    })
public final class VerifyCommand implements Callable<Integer> {
  private static final String FIXTURE = "fixture.yaml";
  private static final int MOST_RUNS = 100;

  /** The options that decide the results of cells, besides those of a port. */
  private static final Set<String> OF_CELLS =
      Set.of(
          "--device",
          "--target",
          "--runs",
          "--check",
          "--run",
          "--full",
          "--profile",
          "--time",
          "--libs-runtime");

  private final Console console;
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "DIR",
      arity = "0..*",
      description = "Fixtures, folders of fixtures, or other folders (default: fixtures).")
  private List<Path> folders = new ArrayList<>();

  @Option(
      names = "--device",
      paramLabel = "auto|emulated|hardware",
      defaultValue = "auto",
      description = {
        "Where programs run: the rocport device, or this machine's AMD GPUs through ROCm.",
        "auto: the GPUs if there are any (default)."
      })
  private VerifyOptions.Mode device;

  @Option(
      names = "--target",
      split = ",",
      paramLabel = "GFX",
      defaultValue = GpuTargets.DEFAULT,
      description = "GPU targets (default: ${DEFAULT-VALUE}).")
  private List<String> targets;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "2",
      description = {
        "Number of runs of each program (default: ${DEFAULT-VALUE}): on the rocport device, "
            + "the first uses the fixed order of waves, the others random orders."
      })
  private int runs;

  @Option(
      names = "--check",
      defaultValue = "",
      paramLabel = "LIST",
      description = {
        "Device checks that each run on the rocport device includes, as with --check of rocport "
            + "run: uninit, race, sync, order, all. A finding fails the verification."
      })
  private String check;

  @Option(
      names = "--run",
      split = ",",
      paramLabel = "NAME",
      description = "Limit the verification to these runs of the fixtures.")
  private List<String> only = new ArrayList<>();

  @Option(names = "--full", description = "Include the runs that a fixture marks as full.")
  private boolean full;

  @Option(
      names = "--profile",
      paramLabel = "NAME|FILE.yaml",
      description = "Tolerance profile for all tensors; overrides the fixtures.")
  private @Nullable String profile;

  @Option(
      names = "--time",
      paramLabel = "SECONDS",
      description = "Time limit for one run; overrides the fixture, whose default is 300.")
  private int seconds;

  @Option(
      names = "--mutate",
      arity = "0..1",
      fallbackValue = "",
      paramLabel = "FILE.yaml",
      description = {
        "After the verification, plant faults in the ported code, one at a time, and check that"
            + " each is detected.",
        "The faults are those of FILE.yaml, by default those of the fixture."
      })
  private @Nullable String mutate;

  @Option(
      names = "--calibrate",
      arity = "0..1",
      fallbackValue = ".*",
      paramLabel = "REGEX",
      description = {
        "Instead of a verification, run each ALU instruction, LDS operation and global atomic with"
            + " a matching name, both on the GPU of this machine and on the rocport device, and"
            + " compare the results.",
        "Without a GPU, compare the device with itself."
      })
  private @Nullable String calibrate;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description = "Keep ports, builds and outputs here (default: a temporary folder).")
  private @Nullable Path work;

  @Option(
      names = {"-j", "--jobs"},
      paramLabel = "N",
      description = "Number of threads and parallel compilers (default: one for each core).")
  private int jobs = Runtime.getRuntime().availableProcessors();

  @Mixin private MatrixChoices cells;
  @Mixin private LibsChoices libraries;
  @Mixin private PortChoices choices;
  @Mixin private ReportChoices report;

  public VerifyCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call()
      throws IOException, InterruptedException, ToolchainException, VerifyException {
    if (runs < 1 || runs > MOST_RUNS || seconds < 0 || jobs < 1) {
      throw new UsageException("--runs must be 1 to 100; --time and --jobs must be positive");
    }
    RuleCatalog catalog = choices.catalog();
    PortOptions port = choices.options(catalog);
    MatrixChoices.Action action = cells.action();
    if (action != MatrixChoices.Action.NONE && (mutate != null || calibrate != null)) {
      throw new UsageException("--mutate and --calibrate have no cells");
    }
    if (action == MatrixChoices.Action.MERGE) {
      return merge(catalog, port);
    }
    List<Path> chosen = calibrate == null ? chosen() : List.of(Path.of("."));
    if (action == MatrixChoices.Action.PRINT || action == MatrixChoices.Action.SLURM) {
      return list(chosen, action);
    }
    Consumer<String> progress = ToolchainCommand.progress(console, report.quiet());
    Toolchain toolchain = ToolchainCommand.require(targets, progress);
    if (action == MatrixChoices.Action.RUN) {
      return cells(chosen, catalog, port, toolchain, progress);
    }
    SortedMap<String, String> described = Reporter.describe(port);
    described.put("target", String.join(",", targets));
    described.put("runs", String.valueOf(runs));
    described.put("libs-runtime", libraries.of(targets).name().toLowerCase(Locale.ROOT));
    described.put("device", device.name().toLowerCase(Locale.ROOT));
    Reporter reporter =
        new Reporter(console, report, catalog, port.filter(), described, chosen.getFirst());
    try (WorkFolder folder = WorkFolder.of(Optional.ofNullable(work))) {
      if (calibrate != null) {
        return reporter.report(
            "verify",
            List.of(),
            new Calibrator(
                    pattern(calibrate),
                    options(folder.path()),
                    catalog,
                    toolchain,
                    ToolchainCommand.request(),
                    progress)
                .run());
      }
      Verification v =
          Verifier.verify(
              chosen,
              mutate == null
                  ? Faults.NONE
                  : new Faults(
                      true, mutate.isEmpty() ? Optional.empty() : Optional.of(Path.of(mutate))),
              options(folder.path()),
              catalog,
              port,
              toolchain,
              ToolchainCommand.request(),
              progress);
      return reporter.report("verify", chosen, v);
    }
  }

  /** The cells of this command line. */
  private Matrix matrix(List<Path> chosen) throws IOException, VerifyException {
    List<String> arguments = new ArrayList<>(given().stream().map(Path::toString).toList());
    arguments.addAll(
        GivenOptions.of(
            spec,
            GivenOptions.inMixin(spec, "choices").or(o -> OF_CELLS.contains(o.longestName()))));
    return new Matrix(
        Path.of("").toAbsolutePath().toString(),
        arguments,
        MatrixRun.cells(chosen, options(Path.of("."))));
  }

  /** Prints the cells, or writes them and the script that runs them. */
  private int list(List<Path> chosen, MatrixChoices.Action action)
      throws IOException, VerifyException {
    Matrix all = matrix(chosen);
    if (action == MatrixChoices.Action.PRINT) {
      all.write(console.out());
      console.out().flush();
      return ExitCode.OK.code();
    }
    Path home = Path.of(System.getProperty("rocport.home", ".")).toAbsolutePath();
    StringWriter script = new StringWriter();
    SlurmScript.write(all, home.resolve("rocport"), cells.folder(), script);
    cells.folder().begin(all);
    AtomicFile.write(cells.slurm(), out -> out.write(script.toString()));
    console.err().printf("rocport: %d cells: sbatch %s%n", all.cells().size(), cells.slurm());
    return ExitCode.OK.code();
  }

  /** Runs the cells that were named; the others must run even if one cannot. */
  private int cells(
      List<Path> chosen,
      RuleCatalog catalog,
      PortOptions port,
      Toolchain toolchain,
      Consumer<String> progress)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Matrix all = matrix(chosen);
    cells.folder().require(all);
    List<MatrixCell> named = new ArrayList<>();
    for (String id : cells.cells()) {
      named.add(all.cell(id).orElseThrow(() -> new UsageException("--cell: no such cell: " + id)));
    }
    try (WorkFolder folder = WorkFolder.of(Optional.ofNullable(work))) {
      MatrixRun run =
          new MatrixRun(
              cells.folder(),
              options(folder.path()),
              catalog,
              port,
              toolchain,
              ToolchainCommand.request(),
              progress);
      boolean failed =
          run.all(
              chosen,
              named,
              r -> {
                console.out().println(r.cell().id() + " " + r.row().status());
                console.out().flush();
              });
      return failed ? ExitCode.FINDINGS.code() : ExitCode.OK.code();
    }
  }

  private int merge(RuleCatalog catalog, PortOptions port) throws IOException, VerifyException {
    if (folders.isEmpty()) {
      throw new UsageException("--merge needs the folders of the results");
    }
    for (Path folder : folders) {
      if (!Files.isDirectory(folder)) {
        throw new UsageException(folder + ": no such folder");
      }
    }
    Reporter reporter =
        new Reporter(
            console, report, catalog, port.filter(), Reporter.describe(port), Path.of("."));
    Verification merged = MatrixMerge.of(folders.stream().map(MatrixFolder::new).toList(), catalog);
    return reporter.report("verify", folders, merged);
  }

  private List<Path> given() {
    return folders.isEmpty() ? List.of(Path.of("fixtures")) : folders;
  }

  private static Pattern pattern(String regex) {
    try {
      return Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      throw new UsageException("--calibrate: " + e.getDescription());
    }
  }

  private Checks checks() {
    try {
      return Checks.parse(check, 1);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private VerifyOptions options(Path folder) {
    return new VerifyOptions(
        targets,
        device,
        libraries.of(targets),
        checks(),
        runs,
        full,
        only,
        Optional.ofNullable(profile),
        seconds == 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds)),
        jobs,
        Optional.of(BuildCommand.cacheFolder()),
        folder,
        JavaCommand.self());
  }

  /** Returns folders, with the fixtures instead of a folder that contains nothing else. */
  private List<Path> chosen() throws IOException {
    List<Path> chosen = new ArrayList<>();
    for (Path folder : given()) {
      if (!Files.isDirectory(folder)) {
        throw new UsageException(folder + ": no such folder");
      }
      List<Path> inside = isOne(folder) ? List.of() : fixtures(folder);
      if (inside.isEmpty()) {
        chosen.add(folder);
      } else {
        chosen.addAll(inside);
      }
    }
    return chosen;
  }

  private static List<Path> fixtures(Path folder) throws IOException {
    try (Stream<Path> list = Files.list(folder)) {
      return list.filter(VerifyCommand::isOne).sorted().toList();
    }
  }

  /** Whether a folder is a fixture or a capture. */
  private static boolean isOne(Path folder) {
    return Files.exists(folder.resolve(FIXTURE)) || Files.exists(folder.resolve(Capture.FILE));
  }
}
