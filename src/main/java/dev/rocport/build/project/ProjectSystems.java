package dev.rocport.build.project;

import dev.rocport.toolchain.provision.Extra;
import dev.rocport.toolchain.provision.Mpi;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All build systems that projects are built with. */
public final class ProjectSystems {
  /** All there are; of several that build a tree, the first one counts. */
  public static final List<ProjectSystem> ALL =
      List.of(
          new AutotoolsProject(),
          new PythonProject(),
          new MakeProject(),
          new CMakeProject(),
          new MesonProject(),
          new BazelProject(),
          new ScriptProject());

  private ProjectSystems() {}

  /** The system that a tree is built with; empty where it has none. */
  public static Optional<ProjectSystem> of(Path root) throws IOException {
    for (ProjectSystem system : ALL) {
      if (system.builds(root)) {
        return Optional.of(system);
      }
    }
    return Optional.empty();
  }

  /** All systems that can be driven for CUDA, by name; a tree may be built by several. */
  public static List<ProjectSystem> forCuda() {
    return ALL.stream()
        .filter(s -> s.cuda().isPresent())
        .sorted(Comparator.comparing(ProjectSystem::name))
        .toList();
  }

  /** What projects may need beside the compiler: MPI first, then by label. */
  public static List<Extra> extras() {
    return Stream.concat(
            Stream.of(Mpi.EXTRA),
            ALL.stream()
                .flatMap(s -> s.extra().stream())
                .sorted(Comparator.comparing(Extra::label)))
        .toList();
  }

  /** The extra of a label; empty where there is none. */
  public static Optional<Extra> extra(String label) {
    return extras().stream().filter(e -> e.label().equals(label)).findFirst();
  }
}
