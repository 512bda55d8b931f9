package dev.rocport.build.plan;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the user asked for.
 *
 * @param root the ported tree
 * @param out where everything goes; never among the sources
 * @param targets GPU targets, in the user's order
 * @param jobs compilers at once
 * @param plain the tree's build files are not looked at
 * @param standard language standard of C++ and HIP units where the project does not say, or empty
 * @param includes further folders to search for headers
 * @param defines further macros, as {@code NAME} or {@code NAME=VALUE}
 * @param libraries further libraries to link, as {@code NAME} or as a path
 * @param relocatable device code is linked across units ({@code -fgpu-rdc}) in plain trees
 * @param lines objects tell the source line of each instruction
 * @param makeArguments goals and variables for make
 * @param configureArguments further arguments for a project's configure
 * @param timeout the most time that one run of the compiler may take
 * @param cache the object cache; empty for none
 * @param environment of the programs that are started
 */
public record BuildOptions(
    Path root,
    Path out,
    List<String> targets,
    int jobs,
    boolean plain,
    Optional<String> standard,
    List<Path> includes,
    List<String> defines,
    List<String> libraries,
    boolean relocatable,
    boolean lines,
    List<String> makeArguments,
    List<String> configureArguments,
    Duration timeout,
    Optional<Path> cache,
    Map<String, String> environment) {
  /** Marks every output folder, so that a later build does not take it for sources. */
  public static final String MARKER = ".rocport-build";

  public BuildOptions {
    targets = List.copyOf(targets);
    includes = List.copyOf(includes);
    defines = List.copyOf(defines);
    libraries = List.copyOf(libraries);
    makeArguments = List.copyOf(makeArguments);
    configureArguments = List.copyOf(configureArguments);
    environment = Map.copyOf(environment);
  }
}
