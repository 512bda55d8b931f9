package dev.rocport.verify;

import dev.rocport.io.elf.ElfFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
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
   * The program of a run: by its name; a fixture that names none, which is then called as its
   * folder is, means the only one.
   */
  Optional<Path> find(Fixture fixture, RunSpec run) throws IOException {
    Optional<Path> named = find(run.program());
    if (named.isPresent() || !run.program().equals(fixture.name())) {
      return named;
    }
    List<Path> programs = programs();
    return programs.size() == 1 ? Optional.of(programs.getFirst()) : Optional.empty();
  }

  /**
   * A program by the name that the original's build gives it, or that its source in Java has: at
   * that place in the copy that a project's own build works on, else any of that name.
   */
  Optional<Path> find(String name) throws IOException {
    if (JavaPrograms.is(name)) {
      return Optional.of(tree.resolve(name)).filter(Files::isRegularFile);
    }
    Optional<Path> at = library(name);
    if (at.isPresent()) {
      return at;
    }
    Path wanted = Path.of(name).getFileName();
    return programs().stream().filter(p -> p.getFileName().equals(wanted)).findFirst();
  }

  /** Explains a missing program: lists the existing ones. */
  String missing(String name) throws IOException {
    SortedSet<String> there = new TreeSet<>();
    for (Path program : programs()) {
      if (ElfFile.hasMagic(program)) {
        there.add(String.valueOf(program.getFileName()));
      }
    }
    String instead = there.isEmpty() ? "no program at all" : String.join(", ", there);
    return "the build did not produce %s; it produced %s".formatted(name, instead);
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
