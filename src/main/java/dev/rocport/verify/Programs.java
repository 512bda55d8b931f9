package dev.rocport.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds what a build made. */
final class Programs {
  /** Folder of the build in the tree. */
  static final String BUILD = "build-rocport";

  private final Path tree;

  Programs(Path tree) {
    this.tree = tree;
  }

  /**
   * A program by the name that the original's build gives it: at that place in the copy that a
   * project's own build works on, else the only program, or the one of that name.
   */
  Optional<Path> find(String name) throws IOException {
    Optional<Path> at = library(name);
    if (at.isPresent()) {
      return at;
    }
    Path wanted = Path.of(name).getFileName();
    List<Path> programs = programs();
    return programs.stream()
        .filter(p -> programs.size() == 1 || p.getFileName().equals(wanted))
        .findFirst();
  }

  /** A library at the place that the original's build gives it. */
  Optional<Path> library(String name) {
    Path build = tree.resolve(BUILD);
    for (String folder : List.of("tree", "bin", "lib", ".")) {
      Path at = build.resolve(folder).resolve(name).normalize();
      if (at.startsWith(build) && Files.isRegularFile(at)) {
        return Optional.of(at);
      }
    }
    return Optional.empty();
  }

  /** Executable files without an ending. */
  private List<Path> programs() throws IOException {
    Path build = tree.resolve(BUILD);
    if (!Files.isDirectory(build)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(build)) {
      return files
          .filter(f -> Files.isRegularFile(f) && Files.isExecutable(f))
          .filter(f -> !String.valueOf(f.getFileName()).contains("."))
          .sorted(Comparator.comparing(Path::getNameCount).thenComparing(Comparator.naturalOrder()))
          .toList();
    }
  }
}
