package dev.rocport.build.project;

import dev.rocport.toolchain.provision.Extra;
import dev.rocport.toolchain.provision.Mpi;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The build systems that build projects. */
public final class ProjectSystems {
  /** All systems, in order of precedence. */
  public static final List<ProjectSystem> ALL =
      List.of(
          AutotoolsProject.SYSTEM,
          PythonProject.SYSTEM,
          MakeProject.SYSTEM,
          CMakeProject.SYSTEM,
          MesonProject.SYSTEM,
          BazelProject.SYSTEM,
          ScriptProject.SYSTEM);

  private ProjectSystems() {}

  /** Returns the system that builds a tree; empty if there is none. */
  public static Optional<ProjectSystem> of(Path root) throws IOException {
    for (ProjectSystem system : ALL) {
      if (system.builds(root)) {
        return Optional.of(system);
      }
    }
    return Optional.empty();
  }

  /** Returns all systems with CUDA recipes, by name; several may build a tree. */
  public static List<ProjectSystem> forCuda() {
    return ALL.stream()
        .filter(s -> s.cuda().isPresent())
        .sorted(Comparator.comparing(ProjectSystem::name))
        .toList();
  }

  /**
   * Returns the extras that projects may need in addition to the compiler: MPI first, then by
   * label.
   */
  public static List<Extra> extras() {
    return Stream.concat(
            Stream.of(Mpi.EXTRA),
            ALL.stream()
                .flatMap(s -> s.extra().stream())
                .sorted(Comparator.comparing(Extra::label)))
        .toList();
  }

  /** Returns the extra with a label; empty if there is none. */
  public static Optional<Extra> extra(String label) {
    return extras().stream().filter(e -> e.label().equals(label)).findFirst();
  }
}
