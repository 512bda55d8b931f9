package dev.rocport.verify;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A program with a description: {@code fixture.yaml} in its folder.
 *
 * @param name of the folder
 * @param folder with the sources
 * @param build {@code plain}, {@code make}, {@code cmake}, {@code autotools}, {@code meson}, {@code
 *     bazel}, {@code python} or {@code java}
 * @param standard C++ standard of a plain build
 * @param libraries of NVIDIA's that it links with
 * @param configure arguments for the project's configure
 * @param goals goals and variables for the project's make
 * @param program as the fixture names it
 * @param runs at least one
 * @param faults file with faults to put in, below the folder
 * @param warp what its warp code is an example of; empty for a program that is none
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
    Optional<String> faults,
    Optional<Warp> warp) {
  static final String FILE = "fixture.yaml";
  static final String GOLDEN = "golden";

  /** The required port of warp code that was written for 32 lanes. */
  public enum Warp {
    /** Right in logical groups of 32 lanes, and not in others. */
    KEEP,
    /** The same result with 64 lanes. */
    WIDE,
    /** Only the programmer can decide: an error finding, and nothing to run. */
    FLAGGED,
    /** Threads of a warp that wait for each other: right after restructuring. */
    SCHEDULE
  }

  public Fixture {
    libraries = List.copyOf(libraries);
    configure = List.copyOf(configure);
    goals = List.copyOf(goals);
    runs = List.copyOf(runs);
  }

  /** The folder with the recordings. */
  public Path golden() {
    return folder.resolve(GOLDEN);
  }
}
