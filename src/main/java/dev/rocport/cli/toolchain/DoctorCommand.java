package dev.rocport.cli.toolchain;

import dev.rocport.build.project.ProjectSystems;
import dev.rocport.cli.option.PageChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.core.result.Severity;
import dev.rocport.doctor.Examination;
import dev.rocport.doctor.Machine;
import dev.rocport.doctor.Observation;
import dev.rocport.doctor.Section;
import dev.rocport.doctor.ShellScript;
import dev.rocport.doctor.Status;
import dev.rocport.doctor.ToolchainProbe;
import dev.rocport.io.AtomicFile;
import dev.rocport.toolchain.ToolchainException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rocport doctor}: examines the machine and recommends fixes for its problems. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Checks Java, compilers, HIP and build tools, GPUs and their driver, environment variables,"
          + " Python and PyTorch, and recommends fixes.",
      "Changes nothing, imports nothing. Exits with 3 if ported code cannot be built here, and with"
          + " 1 for any other problem of the --fail-on severity or higher."
    },
    footer = {
      "",
      "Examples:",
      "  rocport doctor",
      "  rocport doctor --python venv/bin/python",
      "  rocport doctor --fix --out rocm-env.sh"
    })
public final class DoctorCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private PageChoices page;

  @Option(
      names = "--python",
      paramLabel = "PATH",
      description =
          "Check this interpreter instead of those in PATH, VIRTUAL_ENV and CONDA_PREFIX.")
  private @Nullable Path python;

  @Option(
      names = "--fail-on",
      paramLabel = "note|warning|error",
      defaultValue = "error",
      description =
          "Exit with 1 for this severity or higher; a problem is an error (default: error).")
  private Severity failOn;

  @Option(
      names = "--fix",
      description = "Write a script to source, which sets the variables of this machine correctly.")
  private boolean fix;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      description = "File that --fix writes, such as rocm-env.sh.")
  private @Nullable Path out;

  public DoctorCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws ToolchainException, IOException {
    if (fix != (out != null)) {
      throw new UsageException("--fix and --out FILE must be used together");
    }
    if (out != null && Files.exists(out) && !isOurs(out)) {
      throw new UsageException("--out " + out + ": exists and is not a script of this command");
    }
    if (python != null && !Files.isExecutable(python)) {
      throw new UsageException("--python " + python + ": no such program");
    }
    Machine here = Machine.here();
    List<Observation> all =
        new ArrayList<>(
            ToolchainProbe.observe(here, ToolchainCommand.request(), ProjectSystems.extras()));
    all.addAll(Examination.of(here, python == null ? "" : python.toAbsolutePath().toString()));
    if (page.json()) {
      DoctorPage.json(all, console.out());
    } else {
      DoctorPage.text(all, console.out());
    }
    if (out != null) {
      script(out, all);
    }
    return code(all).code();
  }

  private ExitCode code(List<Observation> all) {
    boolean broken = false;
    boolean failing = false;
    for (Observation o : all) {
      boolean toolchain = o.section() == Section.TOOLCHAIN;
      broken |= toolchain && o.status() == Status.PROBLEM;
      failing |= !toolchain && o.status().compareTo(from()) >= 0;
    }
    return broken ? ExitCode.TOOLCHAIN : failing ? ExitCode.FINDINGS : ExitCode.OK;
  }

  private Status from() {
    return switch (failOn) {
      case NOTE -> Status.NOTE;
      case WARNING -> Status.WARNING;
      case ERROR -> Status.PROBLEM;
    };
  }

  private void script(Path file, List<Observation> all) throws IOException {
    String text = ShellScript.of(all);
    AtomicFile.write(file, w -> w.write(text));
    console.err().println("rocport: written: " + file + "; source it: . " + file);
  }

  private static boolean isOurs(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      return ShellScript.FIRST_LINE.equals(in.readLine());
    }
  }
}
