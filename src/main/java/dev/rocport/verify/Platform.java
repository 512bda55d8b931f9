package dev.rocport.verify;

import dev.rocport.device.check.Checks;
import dev.rocport.toolchain.GfxTarget;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.runtime.HipRuntime;
import dev.rocport.toolchain.runtime.LibsRuntime;
import dev.rocport.toolchain.runtime.ProgramStarter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What ported programs run on: the machine's AMD GPUs, or rocport's devices. */
final class Platform implements AutoCloseable {
  static final String UNTESTED = "untested on AMD silicon";

  private final boolean hardware;
  private final List<String> targets;
  private final Map<String, String> environment;
  private final Optional<Devices> devices;
  private final ProgramStarter starter;
  private final List<String> gpus;

  private Platform(
      List<String> targets,
      List<String> gpus,
      Map<String, String> environment,
      Optional<Devices> devices,
      ProgramStarter starter) {
    this.hardware = devices.isEmpty();
    this.targets = List.copyOf(targets);
    this.gpus = List.copyOf(gpus);
    this.environment = Map.copyOf(environment);
    this.devices = devices;
    this.starter = starter;
  }

  /**
   * Returns the requested platform.
   *
   * @throws ToolchainException if hardware was requested and none is usable
   */
  static Platform of(
      VerifyOptions options,
      Toolchain toolchain,
      ToolchainRequest request,
      Consumer<String> progress)
      throws ToolchainException {
    List<String> gpus = HipRuntime.gpus().stream().map(GfxTarget::id).distinct().toList();
    boolean real = toolchain.kind() == Toolchain.Kind.ROCM && !gpus.isEmpty();
    return switch (options.device()) {
      case EMULATED -> emulated(options, toolchain, request, progress);
      case AUTO ->
          real
              ? hardware(options, toolchain, gpus, request, progress)
              : emulated(options, toolchain, request, progress);
      case HARDWARE -> {
        if (!real) {
          throw new ToolchainException(
              gpus.isEmpty()
                  ? "--device hardware: this machine has no AMD GPU"
                  : "--device hardware: this machine has AMD GPUs %s, but no ROCm runtime that supports them"
                      .formatted(gpus));
        }
        yield hardware(options, toolchain, gpus, request, progress);
      }
    };
  }

  private static Platform hardware(
      VerifyOptions options,
      Toolchain toolchain,
      List<String> gpus,
      ToolchainRequest request,
      Consumer<String> progress)
      throws ToolchainException {
    if (options.libraries() == LibsRuntime.ROCM) {
      throw new ToolchainException(
          "--libs-runtime rocm is for the rocport device: on the GPUs of this machine, programs use"
              + " the libraries of the installed ROCm. Omit the option, or add --device emulated.");
    }
    List<String> targets = options.gpus().stream().filter(gpus::contains).toList();
    if (targets.isEmpty()) {
      throw new ToolchainException(
          "this machine has %s, but none of the targets %s".formatted(gpus, options.targets()));
    }
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.merge(
        "LD_LIBRARY_PATH",
        toolchain.lib().toString(),
        (before, own) -> before.isEmpty() ? own : own + ":" + before);
    environment.put("ROCM_PATH", toolchain.root().toString());
    return new Platform(
        targets,
        gpus,
        environment,
        Optional.empty(),
        new ProgramStarter(request, progress, Optional.empty(), options.libraries()));
  }

  private static Platform emulated(
      VerifyOptions options,
      Toolchain toolchain,
      ToolchainRequest request,
      Consumer<String> progress)
      throws ToolchainException {
    HipRuntime runtime = HipRuntime.of(toolchain, progress);
    Map<String, String> environment = new HashMap<>(System.getenv());
    runtime.into(environment);
    return new Platform(
        options.gpus(),
        List.of(),
        environment,
        Optional.of(new Devices(options.java(), options.gpus(), options.work())),
        new ProgramStarter(request, progress, Optional.of(runtime), options.libraries()));
  }

  /** {@code emulated} or {@code hardware}. */
  String name() {
    return hardware ? "hardware" : "emulated";
  }

  String note() {
    return hardware
        ? "AMD GPUs " + String.join(", ", gpus) + " of this machine"
        : "the functional device of rocport; " + UNTESTED;
  }

  /** Targets that programs run on here. */
  List<String> targets() {
    return targets;
  }

  /** Whether waves take turns by a seed where one is given. */
  boolean hasOrders() {
    return !hardware;
  }

  /**
   * Whether waves take turns in an order of their own.
   *
   * @param again 0 for the first run of a program
   */
  boolean isOrdered(int again) {
    return again > 0 && hasOrders();
  }

  /** Checks for a run, with another order of waves for each repetition where there are orders. */
  Checks ordered(Checks checks, int again) {
    return isOrdered(again) ? checks.ordered(again) : checks;
  }

  /**
   * Runs a program to its end.
   *
   * @param ranks MPI processes, each with a GPU of its own; 0 for one without MPI
   * @param gpus that each process sees; 0 for as many as there are ranks
   * @param preload a library that goes before the program's own
   * @param checks what the device looks for
   * @param scratch an empty folder
   * @throws ToolchainException where MPI is asked for and cannot be had
   */
  ProgramRun run(
      List<String> program,
      Path folder,
      String target,
      int ranks,
      int gpus,
      Optional<Path> preload,
      Map<String, String> variables,
      Checks checks,
      Duration limit,
      Path scratch)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Map<String, String> all = new TreeMap<>(environment);
    if (devices.isPresent()) {
      int seen = gpus == 0 ? Math.max(1, ranks) : gpus;
      // The device tells where a kernel hangs, a little before the program is ended.
      Duration kernel = Duration.ofSeconds(Math.max(5, limit.toSeconds() * 3 / 4));
      all.putAll(devices.get().environment(target, seen, checks, kernel));
      all.put("ROCPORT_CHECK", checks.text());
    }
    all.putAll(variables);
    List<String> command = starter.command(program, ranks, preload, all);
    return ProgramRun.of(command, folder, all, limit, scratch);
  }

  @Override
  public void close() {
    devices.ifPresent(Devices::close);
  }
}
