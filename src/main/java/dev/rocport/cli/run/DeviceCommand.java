package dev.rocport.cli.run;

import dev.rocport.cli.option.GpuChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.cli.toolchain.ToolchainCommand;
import dev.rocport.device.isa.Target;
import dev.rocport.device.server.DeviceOptions;
import dev.rocport.device.server.DeviceServer;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.provision.Toolchains;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rocport device}: the process that runs kernels. Programs start it automatically. */
@Command(
    name = "device",
    mixinStandardHelpOptions = true,
    description = {
      "Emulates GPUs for the programs that connect to a socket.",
      "Programs start it automatically; it exits when no program has been connected for a while."
    })
public final class DeviceCommand implements Callable<Integer> {
  private static final long MEBIBYTE = 1L << 20;

  private final Console console;

  @Option(
      names = "--socket",
      required = true,
      paramLabel = "PATH",
      description = "Socket to listen on.")
  private Path socket;

  @Mixin private GpuChoices choices;

  @Option(
      names = "--gpus",
      defaultValue = "1",
      paramLabel = "N",
      description = "Number of GPUs of each ARCH (default 1).")
  private int gpus;

  @Option(
      names = "--timeout",
      defaultValue = "${env:ROCPORT_TIMEOUT:-0}",
      paramLabel = "SECONDS",
      description = {
        "Stop a kernel if none of its blocks or waves has started or ended for this long, and"
            + " report "
            + "where its waves are. Default: $$ROCPORT_TIMEOUT, else 0: never."
      })
  private double timeout;

  @Option(
      names = "--linger",
      defaultValue = "20",
      paramLabel = "SECONDS",
      description = "Time to wait for another program (default 20).")
  private int linger;

  /** What {@link #clang()} has found, if it has looked. */
  private Optional<Path> clang = Optional.empty();

  private boolean hasLooked;

  public DeviceCommand(Console console) {
    this.console = console;
  }

  /** The compiler of the native engine. What does not exist yet is not installed for it. */
  private synchronized Optional<Path> clang() {
    if (!hasLooked) {
      hasLooked = true;
      try {
        clang =
            Optional.of(
                Toolchains.require(
                        ToolchainCommand.request().withoutProvisioning(),
                        ToolchainCommand.progress(console, false))
                    .clang());
      } catch (ToolchainException e) {
        console.err().println("rocport: kernels are interpreted: " + e.getMessage());
      }
    }
    return clang;
  }

  @Override
  public Integer call() throws IOException {
    if (linger < 0) {
      throw new UsageException("--linger must not be negative");
    }
    if (!(timeout >= 0) || timeout > Integer.MAX_VALUE) {
      throw new UsageException("--timeout requires a positive number of seconds");
    }
    List<Target> targets = choices.targets(gpus);
    Target first = targets.getFirst();
    int units = choices.computeUnits();
    DeviceOptions options =
        new DeviceOptions(
            targets,
            choices.memory() == 0 ? first.memory() : choices.memory() * MEBIBYTE,
            units == 0 ? first.computeUnits() : units,
            Runtime.getRuntime().availableProcessors(),
            Duration.ofSeconds(linger),
            choices.dispatch(
                Duration.ofMillis(Math.round(timeout * 1000)),
                console,
                choices.engine(console, this::clang)));
    DeviceServer server = new DeviceServer(options, socket);
    console.err().println("rocport: " + targets.size() + " x " + choices.gpu() + " at " + socket);
    console.err().flush();
    server.serve();
    return ExitCode.OK.code();
  }
}
