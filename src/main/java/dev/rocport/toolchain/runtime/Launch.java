package dev.rocport.toolchain.runtime;

import dev.rocport.io.process.Exec;
import dev.rocport.io.process.ProcessTree;
import dev.rocport.io.process.SearchPath;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.TargetToolchains;
import dev.rocport.toolchain.provision.Toolchains;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How a HIP program is started on rocport's device.
 *
 * @param gpu name of a GPU, such as {@code gfx942}, or several, separated by commas
 * @param libraries whose libraries it loads beside {@code libamdhip64}
 * @param gpus how many GPUs each process sees
 * @param ranks how many processes {@code mpirun} starts; 0 for one without it
 * @param computeUnits of each GPU; 0 for those of the real one
 * @param memory of each GPU in MiB; 0 for that of the real one
 * @param preload a library that goes before the program's own
 * @param limit the most time that the program may take
 */
public record Launch(
    String gpu,
    LibsRuntime libraries,
    int gpus,
    int ranks,
    int computeUnits,
    long memory,
    Optional<Path> preload,
    Optional<Duration> limit) {

  /** One process on one GPU. */
  public static Launch single(String gpu) {
    return new Launch(gpu, LibsRuntime.STANDIN, 1, 0, 0, 0, Optional.empty(), Optional.empty());
  }

  /** Several ranks, a GPU for each of them. */
  public static Launch ranks(String gpu, int ranks, Duration limit) {
    return new Launch(
        gpu, LibsRuntime.STANDIN, ranks, ranks, 0, 0, Optional.empty(), Optional.of(limit));
  }

  /**
   * The program, not started yet: its command, variables and limits. Streams and folder are left to
   * the caller.
   *
   * @param program with its arguments
   * @param variables for the program, beyond this process's own
   * @param progress receives one line for each step that takes time
   * @throws ToolchainException where the toolchain, the runtime or an MPI cannot be had
   */
  public Exec program(
      List<String> program,
      Map<String, String> variables,
      ToolchainRequest request,
      Consumer<String> progress)
      throws ToolchainException {
    // A program may compile kernels at run time.
    Toolchain toolchain =
        TargetToolchains.installed(
            Toolchains.require(request, progress), List.of(gpu.split(",")), request);
    HipRuntime runtime = HipRuntime.of(toolchain, progress);
    Exec exec = Exec.of(program).with(variables).grace(ProcessTree.GRACE);
    limit.ifPresent(exec::limit);
    Map<String, String> environment = exec.environment();
    runtime.into(environment);
    environment.put("ROCPORT_GPU", gpu);
    environment.put("ROCPORT_GPUS", Integer.toString(gpus));
    if (computeUnits > 0) {
      environment.put("ROCPORT_CUS", Integer.toString(computeUnits));
    }
    if (memory > 0) {
      environment.put("ROCPORT_MEMORY", Long.toString(memory));
    }
    return exec.command(
        new ProgramStarter(request, progress, Optional.of(runtime), libraries)
            .command(program, ranks, preload, environment));
  }

  /** Whether a program can be started: a file, or a name on {@code PATH}. */
  public static boolean isProgram(String name) {
    return name.contains("/")
        ? SearchPath.isProgram(Path.of(name))
        : SearchPath.find(name, System.getenv()).isPresent();
  }
}
