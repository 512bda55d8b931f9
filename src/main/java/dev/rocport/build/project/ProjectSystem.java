package dev.rocport.build.project;

import dev.rocport.toolchain.provision.Extra;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A build system that builds projects. */
public interface ProjectSystem {
  /** Returns the name, which is also the name of its {@code BuildSystem}. */
  String name();

  /**
   * Returns whether the system builds a tree that no earlier system in {@link ProjectSystems#ALL}
   * builds.
   */
  boolean builds(Path root) throws IOException;

  /** Returns the runner that builds a project for AMD GPUs. */
  ProjectRunner runner(ProjectTools project);

  /** Returns the extra with the programs that it needs. */
  default Optional<Extra> extra() {
    return Optional.empty();
  }

  /** Returns the commands for a CUDA build; empty if there are none. */
  default Optional<CudaRecipe> cuda() {
    return Optional.empty();
  }

  /** Returns a path in the copy of the tree as reports show it. */
  default String shown(String path) {
    return path;
  }
}
