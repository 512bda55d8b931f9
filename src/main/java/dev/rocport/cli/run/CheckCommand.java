package dev.rocport.cli.run;

import dev.rocport.cli.option.GpuChoices;
import dev.rocport.cli.option.LaunchChoices;
import dev.rocport.cli.option.ReportChoices;
import dev.rocport.cli.report.Reporter;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.cli.toolchain.ToolchainCommand;
import dev.rocport.port.status.Steps;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.RuleFilter;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.runtime.Launch;
import dev.rocport.verify.ProgramChecker;
import dev.rocport.verify.Verification;
import dev.rocport.verify.WorkFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rocport check}: runs a program with checks until a time is used. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a HIP program on the rocport device again and again: first without checks, then with"
          + " uninit, race and sync, then with random orders of memory accesses and copies, a new"
          + " seed each time. Stops when the time is used, and reports each defect once.",
      "Exits with 1 if it found a defect, or if no run with checks came to its end."
    },
    footer = {
      "",
      "Examples:",
      "  rocport check -- build/program --size 100",
      "  rocport check --time 600 --report reports --np 2 -- build/ranks"
    })
public final class CheckCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private LaunchChoices choices;
  @Mixin private ReportChoices report;

  @Option(
      names = "--time",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Time for all runs together (default: ${DEFAULT-VALUE}).")
  private long seconds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "The seed of the first random order (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Parameters(
      arity = "1..*",
      paramLabel = "PROGRAM",
      description = "The program and its arguments, after --.")
  private List<String> command;

  public CheckCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException, ToolchainException {
    if (choices.areNegative() || seconds < 1) {
      throw new UsageException("--np and --gpus must not be negative; --time must be positive");
    }
    if (!Launch.isProgram(command.getFirst())) {
      throw new UsageException("cannot start " + command.getFirst() + ": no such program");
    }
    GpuChoices gpu = choices.gpu();
    if (gpu.hasChecks()) {
      throw new UsageException("check chooses the checks itself; for one check, use rocport run");
    }
    Launch launch = choices.launch(Optional.empty(), Optional.empty());
    Consumer<String> progress = ToolchainCommand.progress(console, report.quiet());
    Map<String, String> own = gpu.variables(console);
    RuleCatalog catalog = RuleCatalog.builtIn();
    SortedMap<String, String> described =
        new TreeMap<>(
            Map.of(
                "gpu", gpu.gpu(), "time", String.valueOf(seconds), "seed", String.valueOf(seed)));
    Reporter reporter =
        new Reporter(console, report, catalog, RuleFilter.ALL, described, Path.of("."));
    try (WorkFolder work = WorkFolder.of(Optional.empty())) {
      Verification seen =
          new ProgramChecker(
                  new ProgramChecker.Subject(command.getFirst(), gpu.gpu(), choices.ranks()),
                  variables -> {
                    Map<String, String> all = new HashMap<>(own);
                    all.putAll(variables);
                    return launch.program(command, all, ToolchainCommand.request(), progress);
                  },
                  Duration.ofSeconds(seconds),
                  seed,
                  work.path(),
                  catalog,
                  progress)
              .run();
      int code = reporter.report("check", List.of(Path.of(command.getFirst())), seen);
      boolean ok = code == ExitCode.OK.code();
      String outcome = ok ? "no defect found" : "defects found, or no complete run";
      String problem = Steps.note("check", Path.of(command.getFirst()), ok, outcome);
      if (!problem.isEmpty()) {
        console.err().println(problem);
      }
      return code;
    }
  }
}
