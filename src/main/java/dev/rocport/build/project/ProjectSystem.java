package dev.rocport.build.project;

import dev.rocport.toolchain.provision.Extra;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A build system that builds projects.
 *
 * @param name also the name of its {@code BuildSystem}
 * @param detection recognizes the trees that it builds
 * @param runners returns the runner that builds a project for AMD GPUs
 * @param extra the extra with the programs that it needs
 * @param cuda the commands for a CUDA build; empty if there are none
 * @param display turns a path in the copy of the tree into the path that reports show
 */
public record ProjectSystem(
    String name,
    Detection detection,
    Function<ProjectTools, ProjectRunner> runners,
    Optional<Extra> extra,
    Optional<CudaRecipe> cuda,
    UnaryOperator<String> display) {

  /** Recognizes the trees that a build system builds. */
  @FunctionalInterface
  public interface Detection {
    boolean builds(Path root) throws IOException;
  }

  /**
   * Returns whether the system builds a tree that no earlier system in {@link ProjectSystems#ALL}
   * builds.
   */
  public boolean builds(Path root) throws IOException {
    return detection.builds(root);
  }

  /** Returns the runner that builds a project for AMD GPUs. */
  public ProjectRunner runner(ProjectTools project) {
    return runners.apply(project);
  }

  /** Returns a path in the copy of the tree as reports show it. */
  public String shown(String path) {
    return display.apply(path);
  }
}
