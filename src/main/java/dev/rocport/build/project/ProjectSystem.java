package dev.rocport.build.project;

import dev.rocport.toolchain.provision.Extra;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A build system that projects are built with. */
public interface ProjectSystem {
  /** Its name, the one that its files are ported under. */
  String name();

  /**
   * Whether a tree is built so, given that no system earlier in {@link ProjectSystems#ALL} builds
   * it.
   */
  boolean builds(Path root) throws IOException;

  /** What builds a project for AMD GPUs. */
  ProjectRunner runner(ProjectTools project);

  /** The programs that it needs and that the machine may lack. */
  default Optional<Extra> extra() {
    return Optional.empty();
  }

  /** How it is driven for CUDA; empty where it cannot be. */
  default Optional<CudaRecipe> cuda() {
    return Optional.empty();
  }

  /** A path in the copy of the tree as people know it. */
  default String shown(String path) {
    return path;
  }
}
