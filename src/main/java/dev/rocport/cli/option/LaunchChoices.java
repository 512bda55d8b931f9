package dev.rocport.cli.option;

import dev.rocport.toolchain.runtime.Launch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that select how a program is started on the device. */
public final class LaunchChoices {
  @Mixin private GpuChoices gpu;
  @Mixin private LibsChoices libraries;

  @Option(
      names = "--gpus",
      paramLabel = "N",
      description =
          "Number of GPUs that the program sees (default: 1; with --np, one for each rank).")
  private int gpus;

  @Option(
      names = "--np",
      paramLabel = "N",
      description = "Run N ranks under mpirun; installs Open MPI if the machine has no MPI.")
  private int ranks;

  public GpuChoices gpu() {
    return gpu;
  }

  /** MPI processes; 0 without MPI. */
  public int ranks() {
    return ranks;
  }

  /** The options that start a program in the same way, with a space before each. */
  public String words() {
    return " --gpu "
        + gpu.gpu()
        + (gpu.computeUnits() > 0 ? " --cus " + gpu.computeUnits() : "")
        + (gpu.memory() > 0 ? " --memory " + gpu.memory() : "")
        + (gpu.turns().isEmpty() ? "" : " --turns " + gpu.turns())
        + (gpus > 0 ? " --gpus " + gpus : "")
        + (ranks > 0 ? " --np " + ranks : "");
  }

  /** Whether a number is no number of GPUs or ranks. */
  public boolean areNegative() {
    return ranks < 0 || gpus < 0;
  }

  /**
   * What was chosen.
   *
   * @param preload a library that goes before the program's own
   * @param limit the most time that the program may take
   */
  public Launch launch(Optional<Path> preload, Optional<Duration> limit) {
    return new Launch(
        gpu.gpu(),
        libraries.of(List.of(gpu.gpu().split(","))),
        gpus > 0 ? gpus : Math.max(1, ranks),
        ranks,
        gpu.computeUnits(),
        gpu.memory(),
        preload,
        limit);
  }
}
