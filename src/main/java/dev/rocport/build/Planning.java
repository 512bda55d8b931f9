package dev.rocport.build;

import dev.rocport.build.compile.SystemHeaders;
import dev.rocport.build.link.MpiFlags;
import dev.rocport.build.plan.BuildOptions;
import dev.rocport.build.plan.BuildPlan;
import dev.rocport.build.plan.CompileCommands;
import dev.rocport.build.plan.PlainPlanner;
import dev.rocport.build.plan.PlanException;
import dev.rocport.build.plan.TreeScan;
import dev.rocport.build.run.BuildListener;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.provision.Mpi;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/** Plans the units of a tree without running its build. */
final class Planning {
  private static final String MPI = "mpi.h";

  private final BuildOptions options;
  private final Toolchain toolchain;
  private final BuildListener listener;

  Planning(BuildOptions options, Toolchain toolchain, BuildListener listener) {
    this.options = options;
    this.toolchain = toolchain;
    this.listener = listener;
  }

  /**
   * Returns the units in {@code compile_commands.json} or, without one, in the files of the tree.
   *
   * @param wanted whether to compile a unit, which reads these files of the tree and its own; not
   *     asked for units in {@code compile_commands.json}
   */
  BuildPlan plan(BiPredicate<String, Set<String>> wanted)
      throws PlanException, IOException, InterruptedException {
    if (!options.plain() && CompileCommands.isIn(options.root())) {
      return CompileCommands.plan(options);
    }
    TreeScan scan = TreeScan.of(options.root(), Set.of(options.out()));
    SystemHeaders system = SystemHeaders.of(toolchain);
    boolean mpi = scan.includes(MPI) && !system.has(MPI);
    Optional<MpiFlags> flags = mpi ? mpi() : Optional.empty();
    return new PlainPlanner(options, scan, system::has, flags.orElse(MpiFlags.NONE)).plan(wanted);
  }

  private Optional<MpiFlags> mpi() {
    try {
      Mpi mpi = Mpi.require(options.toolchainRequest(), s -> listener.step(0, 0, s));
      return Optional.of(MpiFlags.of(mpi));
    } catch (ToolchainException e) {
      listener.step(0, 0, "MPI is not available for this build: " + e.getMessage());
      return Optional.empty();
    }
  }
}
