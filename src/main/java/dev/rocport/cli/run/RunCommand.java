package dev.rocport.cli.run;

import dev.rocport.cli.option.LaunchChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.UsageException;
import dev.rocport.cli.toolchain.ToolchainCommand;
import dev.rocport.io.process.Exec;
import dev.rocport.port.status.Steps;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.runtime.Launch;
import dev.rocport.toolchain.runtime.StandIns;
import dev.rocport.verify.RunFindings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rocport run}: runs a HIP program on the device. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a HIP program: its host code on this machine, its kernels on the rocport device.",
      "Exits with the exit code of the program; if --check has findings, 0 becomes 1. Failures of"
          + " rocport itself give 120 to 125: 121 no runtime or MPI, 122 no program, 124 stopped at"
          + " its time limit."
    },
    footer = {
      "",
      "Examples:",
      "  rocport run -- build/program --size 100",
      "  rocport run --gpu gfx90a --gpus 2 --np 2 -- build/ranks"
    })
public final class RunCommand implements Callable<Integer> {
  /** The device or the toolchain cannot be had. */
  private static final int NO_RUNTIME = 121;

  /** The program cannot be started. */
  private static final int NO_PROGRAM = 122;

  /** The program was ended at its time limit. */
  private static final int TOO_LONG = 124;

  private final Console console;

  @Mixin private LaunchChoices choices;

  @Option(
      names = "--preload",
      paramLabel = "LIB",
      description = "Load this library before the program's own libraries, as LD_PRELOAD does.")
  private @Nullable Path preload;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description =
          "Stop the program and all its ranks after this time; the exit code is then 124.")
  private long timeout;

  @Option(
      names = "--findings",
      paramLabel = "FILE",
      description = {
        "Also write the findings of --check to this file: one line of JSON each (docs/checks.md),"
            + " or SARIF if its name ends with .sarif."
      })
  private @Nullable Path findings;

  @Parameters(
      arity = "1..*",
      paramLabel = "PROGRAM",
      description = "The program and its arguments, after --.")
  private List<String> command;

  public RunCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (choices.areNegative() || timeout < 0) {
      throw new UsageException("--np, --gpus and --timeout must not be negative");
    }
    if (preload != null && !Files.isReadable(preload)) {
      return failed(NO_PROGRAM, "cannot preload " + preload + ": no such file");
    }
    if (!Launch.isProgram(command.getFirst())) {
      return failed(NO_PROGRAM, "cannot start " + command.getFirst() + ": no such program");
    }
    Launch launch =
        choices.launch(
            Optional.ofNullable(preload),
            timeout > 0 ? Optional.of(Duration.ofSeconds(timeout)) : Optional.empty());
    Map<String, String> watched = choices.gpu().variables(console);
    Exec program;
    try {
      program =
          launch.program(
              command,
              watched,
              ToolchainCommand.request(),
              ToolchainCommand.progress(console, false));
    } catch (ToolchainException e) {
      return failed(NO_RUNTIME, String.valueOf(e.getMessage()));
    }
    console.out().flush();
    try (LibrariesNote note = new LibrariesNote(console.err());
        FindingsNote found =
            FindingsNote.of(console, findings, command, watched, choices.words())) {
      program.environment().put(StandIns.VARIABLE, note.file().toString());
      found.file().ifPresent(f -> program.environment().put(RunFindings.VARIABLE, f.toString()));
      Exec.Ended ended = program.terminal().await();
      if (ended.timedOut()) {
        return failed(TOO_LONG, command.getFirst() + " was stopped after " + timeout + " s");
      }
      found.ended(ended.code());
      int code = ended.code();
      note(Steps.note("run", Path.of(command.getFirst()), code == 0, "exit code " + code));
      return ended.code();
    } catch (FindingsNote.UnwritableException e) {
      return failed(NO_PROGRAM, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return failed(NO_PROGRAM, "cannot start " + command.getFirst() + ": " + e.getMessage());
    }
  }

  private void note(String problem) {
    if (!problem.isEmpty()) {
      console.err().println(problem);
    }
  }

  private int failed(int code, String message) {
    console.err().println("rocport: " + message);
    return code;
  }
}
