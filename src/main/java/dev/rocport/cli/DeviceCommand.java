package dev.rocport.cli;

import dev.rocport.device.isa.Target;
import dev.rocport.device.server.DeviceOptions;
import dev.rocport.device.server.DeviceServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rocport device}: the process that runs kernels. Programs start it by themselves. */
@Command(
    name = "device",
    mixinStandardHelpOptions = true,
    description = {
      "Is a GPU in software, for the programs that connect to a socket.",
      "Programs start it by themselves; it ends when none has been there for a while."
    })
final class DeviceCommand implements Callable<Integer> {
  private static final long SMALLEST = 1L << 20;

  private final Console console;

  @Option(
      names = "--socket",
      required = true,
      paramLabel = "PATH",
      description = "Where to listen.")
  private Path socket;

  @Option(
      names = "--gpu",
      defaultValue = "gfx90a",
      paramLabel = "ARCH",
      description = "gfx90a (default) or gfx942.")
  private String gpu;

  @Option(names = "--gpus", defaultValue = "1", description = "How many GPUs (default 1).")
  private int gpus;

  @Option(
      names = "--memory",
      paramLabel = "MIB",
      description = "Memory of each GPU in MiB; the default is that of the real one.")
  private long memory;

  @Option(
      names = "--cus",
      paramLabel = "N",
      description = "Compute units of each GPU; the default is that of the real one.")
  private int computeUnits;

  @Option(
      names = "--linger",
      defaultValue = "20",
      paramLabel = "SECONDS",
      description = "How long to wait for another program (default 20).")
  private int linger;

  DeviceCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    Target target =
        Target.named(gpu)
            .orElseThrow(
                () -> new UsageException("no such GPU: " + gpu + "; gfx90a and gfx942 are"));
    if (gpus < 1 || gpus > 64) {
      throw new UsageException("--gpus must be 1 to 64");
    }
    if (memory < 0 || computeUnits < 0 || linger < 0) {
      throw new UsageException("--memory, --cus and --linger take positive numbers");
    }
    DeviceOptions options =
        new DeviceOptions(
            target,
            gpus,
            memory == 0 ? DeviceOptions.realMemory(target) : memory * SMALLEST,
            computeUnits == 0 ? DeviceOptions.realComputeUnits(target) : computeUnits,
            Runtime.getRuntime().availableProcessors(),
            Duration.ofSeconds(linger));
    DeviceServer server = new DeviceServer(options, socket);
    console.err().println("rocport: " + gpus + " x " + gpu + " at " + socket);
    console.err().flush();
    server.serve();
    return ExitCode.OK.code();
  }
}
