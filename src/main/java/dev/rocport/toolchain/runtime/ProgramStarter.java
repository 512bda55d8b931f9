package dev.rocport.toolchain.runtime;

import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.Mpi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How programs are started, alone or as ranks under {@code mpirun}. MPI is looked for once. */
public final class ProgramStarter {
  private static final Pattern WATCHES_HOST =
      Pattern.compile("(^|,)(uninit|race|order|all)(=|,|$)");

  private final ToolchainRequest request;
  private final Consumer<String> progress;
  private final Optional<HipRuntime> runtime;
  private final Optional<RocmLibraries> rocm;
  private @Nullable Mpi mpi;

  /**
   * A starter.
   *
   * @param runtime rocport's own; empty where programs run on a real GPU
   * @param progress receives one line for each step that takes time
   * @param libraries whose libraries programs load beside that runtime
   */
  public ProgramStarter(
      ToolchainRequest request,
      Consumer<String> progress,
      Optional<HipRuntime> runtime,
      LibsRuntime libraries) {
    this.request = request;
    this.progress = progress;
    this.runtime = runtime;
    this.rocm =
        runtime
            .filter(r -> libraries == LibsRuntime.ROCM)
            .map(r -> new RocmLibraries(request, r, progress));
  }

  /**
   * The command that starts a program.
   *
   * @param program with its arguments
   * @param ranks how many processes {@code mpirun} starts; 0 for one without it
   * @param preload a library that goes before the program's own
   * @param environment of the command, to which what it needs is added; {@code ROCPORT_CHECK} tells
   *     what the device looks for
   * @throws ToolchainException where an MPI is needed and cannot be had
   */
  public List<String> command(
      List<String> program, int ranks, Optional<Path> preload, Map<String, String> environment)
      throws ToolchainException {
    if (runtime.isPresent() && rocm.isEmpty()) {
      if (program.getFirst().contains("/")) {
        runtime.get().compileFor(Path.of(program.getFirst()), progress);
      }
      if (preload.isPresent()) {
        runtime.get().compileFor(preload.get(), progress);
      }
    }
    Map<String, String> preloaded = preloaded(ranks, preload, environment);
    if (ranks > 0) {
      Mpi.forWindows(program.getFirst(), environment);
      mpi().into(environment);
      return mpi().command(ranks, preloaded, started(program, environment));
    }
    Mpi.forLinked(program.getFirst(), request, environment);
    List<String> started = started(program, environment);
    environment.putAll(preloaded);
    return started;
  }

  private List<String> started(List<String> program, Map<String, String> environment)
      throws ToolchainException {
    return rocm.isPresent() ? rocm.get().command(program, environment) : program;
  }

  private synchronized Mpi mpi() throws ToolchainException {
    if (mpi == null) {
      mpi = Mpi.require(request, progress);
    }
    return mpi;
  }

  /** The variable that preloads; for the program alone, not for what starts it. */
  private Map<String, String> preloaded(
      int ranks, Optional<Path> preload, Map<String, String> environment) {
    List<String> libraries = new ArrayList<>();
    preload.ifPresent(p -> libraries.add(p.toAbsolutePath().toString()));
    String before = environment.getOrDefault("LD_PRELOAD", "");
    if (!before.isEmpty()) {
      libraries.add(before);
    }
    if (WATCHES_HOST.matcher(environment.getOrDefault("ROCPORT_CHECK", "")).find()) {
      runtime.ifPresent(r -> libraries.add(r.guard().toString()));
    }
    if (ranks > Runtime.getRuntime().availableProcessors()) {
      runtime.ifPresent(r -> libraries.add(r.yielding().toString()));
    }
    return libraries.isEmpty() ? Map.of() : Map.of("LD_PRELOAD", String.join(":", libraries));
  }
}
