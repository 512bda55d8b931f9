package dev.rocport.cli;

import dev.rocport.device.dispatch.DispatchOptions;
import dev.rocport.device.dispatch.Trace;
import dev.rocport.device.isa.Target;
import dev.rocport.device.server.DeviceOptions;
import dev.rocport.device.server.DeviceServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
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
  private static final int MOST_GPUS = 64;

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
      description = "gfx90a (default) or gfx942; a list such as gfx90a,gfx942 mixes them.")
  private String gpu;

  @Option(
      names = "--gpus",
      defaultValue = "1",
      description = "How many GPUs of each ARCH (default 1).")
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

  @Option(
      names = "--timeout",
      defaultValue = "${env:ROCPORT_TIMEOUT:-0}",
      paramLabel = "SECONDS",
      description = {
        "Stop a kernel in which no block or wave has begun or ended for that long, and tell where",
        "its waves are. Default: $$ROCPORT_TIMEOUT, else 0: never."
      })
  private double timeout;

  @Option(
      names = "--check",
      defaultValue = "${env:ROCPORT_CHECK:-}",
      paramLabel = "LIST",
      description = {
        "order or order=SEED: let waves take turns of random length in random order, and fill what",
        "hardware leaves undefined with random bits. Default: $$ROCPORT_CHECK."
      })
  private String check;

  @Option(
      names = "--trace",
      defaultValue = "${env:ROCPORT_TRACE:-}",
      paramLabel = "LIST",
      description = {
        "What to tell programs on standard error: kernels (a line for each launch),",
        "isa:KERNEL:BLOCK:WAVE (each instruction of one wave). Default: $$ROCPORT_TRACE."
      })
  private String trace;

  DeviceCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    List<Target> targets = targets();
    Target first = targets.getFirst();
    if (memory < 0 || computeUnits < 0 || linger < 0) {
      throw new UsageException("--memory, --cus and --linger take positive numbers");
    }
    DeviceOptions options =
        new DeviceOptions(
            targets,
            memory == 0 ? DeviceOptions.realMemory(first) : memory * SMALLEST,
            computeUnits == 0 ? DeviceOptions.realComputeUnits(first) : computeUnits,
            Runtime.getRuntime().availableProcessors(),
            Duration.ofSeconds(linger),
            dispatch());
    DeviceServer server = new DeviceServer(options, socket);
    console.err().println("rocport: " + targets.size() + " x " + gpu + " at " + socket);
    console.err().flush();
    server.serve();
    return ExitCode.OK.code();
  }

  private List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (String arch : gpu.split(",", -1)) {
      Target target =
          Target.named(arch)
              .orElseThrow(
                  () -> new UsageException("no such GPU: " + arch + "; gfx90a and gfx942 are"));
      targets.addAll(Collections.nCopies(Math.clamp(gpus, 1, MOST_GPUS), target));
    }
    if (gpus < 1 || targets.size() > MOST_GPUS) {
      throw new UsageException("a device has 1 to " + MOST_GPUS + " GPUs");
    }
    return targets;
  }

  private DispatchOptions dispatch() {
    if (!(timeout >= 0) || timeout > Integer.MAX_VALUE) {
      throw new UsageException("--timeout takes a positive number of seconds");
    }
    try {
      return new DispatchOptions(
          Duration.ofMillis(Math.round(timeout * 1000)), seed(), Trace.parse(trace));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private OptionalLong seed() {
    if (check.isEmpty()) {
      return OptionalLong.empty();
    }
    String[] parts = check.split("=", 2);
    if (!parts[0].equals("order")) {
      throw new UsageException("nothing to check: " + check + "; order and order=SEED are");
    }
    try {
      long seed = parts.length > 1 ? Long.parseLong(parts[1]) : System.nanoTime() & 0xffffff;
      console.err().println("rocport: --check order=" + seed);
      return OptionalLong.of(seed);
    } catch (NumberFormatException e) {
      throw new UsageException("--check order=SEED takes a number, not " + parts[1]);
    }
  }
}
