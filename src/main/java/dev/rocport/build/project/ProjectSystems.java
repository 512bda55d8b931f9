package dev.rocport.build.project;

import dev.rocport.io.Folders;
import dev.rocport.toolchain.provision.Extra;
import dev.rocport.toolchain.provision.Mpi;
import dev.rocport.toolchain.provision.TargetToolchains;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
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

  private static final int MOST = 10;

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

  /**
   * Returns the folders below a root, up to two levels deep, that a system builds: at most ten,
   * such as {@code samples/a (make)}.
   *
   * @param out the folder of the build, which is left out
   */
  public static List<String> below(Path root, Path out) throws IOException {
    List<Path> folders = new ArrayList<>();
    for (Path child : Folders.list(root)) {
      folders.add(child);
      if (isFolder(child)) {
        folders.addAll(Folders.list(child));
      }
    }
    List<String> found = new ArrayList<>();
    for (Path folder : folders) {
      if (found.size() < MOST && isFolder(folder) && !folder.startsWith(out)) {
        Optional<ProjectSystem> system = of(folder);
        system.ifPresent(s -> found.add(root.relativize(folder) + " (" + s.name() + ")"));
      }
    }
    return found;
  }

  private static boolean isFolder(Path path) {
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns all systems with CUDA recipes, by name; several may build a tree. */
  public static List<ProjectSystem> forCuda() {
    return ALL.stream()
        .filter(s -> s.cuda().isPresent())
        .sorted(Comparator.comparing(ProjectSystem::name))
        .toList();
  }

  /**
   * Returns the extras that projects may need in addition to the compiler: MPI and the compiler for
   * newer targets first, then by label.
   */
  public static List<Extra> extras() {
    return Stream.concat(
            Stream.of(Mpi.EXTRA, TargetToolchains.COMPILER),
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
