package dev.rocport.verify;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A program with a description: {@code fixture.yaml} in its folder.
 *
 * @param name of the folder
 * @param folder with the sources
 * @param build {@code plain}, {@code make}, {@code cmake} or {@code autotools}
 * @param standard C++ standard of a plain build
 * @param libraries of NVIDIA's that it links with
 * @param configure arguments for the project's configure
 * @param goals goals and variables for the project's make
 * @param program as the fixture names it
 * @param runs at least one
 * @param faults file with faults to put in, below the folder
 */
public record Fixture(
    String name,
    Path folder,
    String build,
    String standard,
    List<String> libraries,
    List<String> configure,
    List<String> goals,
    String program,
    List<RunSpec> runs,
    Optional<String> faults) {
  static final String FILE = "fixture.yaml";
  static final String GOLDEN = "golden";

  public Fixture {
    libraries = List.copyOf(libraries);
    configure = List.copyOf(configure);
    goals = List.copyOf(goals);
    runs = List.copyOf(runs);
  }

  /** Where recordings lie. */
  public Path golden() {
    return folder.resolve(GOLDEN);
  }
}
