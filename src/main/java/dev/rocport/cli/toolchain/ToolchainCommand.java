package dev.rocport.cli.toolchain;

import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.UsageException;
import dev.rocport.toolchain.GfxTarget;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.TargetToolchains;
import dev.rocport.toolchain.provision.Toolchains;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code rocport toolchain}: the compiler and headers that build ported code. */
@Command(
    name = "toolchain",
    mixinStandardHelpOptions = true,
    description = "Shows, installs or describes the HIP compiler and headers.",
    synopsisSubcommandLabel = "(status | install | env | libraries | rocshmem)",
    footer = {
      "",
      "Examples:",
      "  rocport toolchain status",
      "  rocport toolchain install --with mpi,cmake"
    })
public final class ToolchainCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** The command with its own commands. */
  public static CommandLine line(Console console) {
    return new CommandLine(new ToolchainCommand())
        .addSubcommand(new ToolchainStatusCommand(console))
        .addSubcommand(new ToolchainInstallCommand(console))
        .addSubcommand(new ToolchainEnvCommand(console))
        .addSubcommand(new ToolchainLibrariesCommand(console))
        .addSubcommand(new ToolchainRocshmemCommand(console));
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "specify status, install, env, libraries or rocshmem");
  }

  /** What this process's environment asks for. */
  public static ToolchainRequest request() {
    return ToolchainRequest.defaults();
  }

  /**
   * The toolchain for these targets; installed if there is none.
   *
   * @param targets as {@code --target} has them
   * @throws ToolchainException if there is none; the message says what to do
   */
  public static Toolchain require(List<String> targets, Consumer<String> progress)
      throws ToolchainException {
    List<GfxTarget> parsed = new ArrayList<>();
    for (String target : targets) {
      try {
        parsed.add(new GfxTarget(target));
      } catch (IllegalArgumentException e) {
        throw new UsageException("--target: " + e.getMessage());
      }
    }
    return TargetToolchains.require(
        Toolchains.require(request(), progress), parsed, request(), progress);
  }

  /** The toolchain in use; none is installed for the asking. */
  static Toolchain installed(Console console) throws ToolchainException {
    return Toolchains.require(request().withoutProvisioning(), progress(console, false));
  }

  /** Steps of an installation, one line each. */
  public static Consumer<String> progress(Console console, boolean quiet) {
    return line -> {
      if (!quiet) {
        console.err().println("rocport: " + line);
      }
    };
  }
}
