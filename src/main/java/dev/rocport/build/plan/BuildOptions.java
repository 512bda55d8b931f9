package dev.rocport.build.plan;

import dev.rocport.toolchain.ToolchainRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Options of a build.
 *
 * @param root the ported tree
 * @param out output folder; never among the sources
 * @param targets GPU targets, in the user's order
 * @param jobs number of parallel compilers
 * @param plain whether to ignore the tree's build files
 * @param standard default language standard of C++ and HIP units; may be empty
 * @param includes additional include folders
 * @param defines additional macros, as {@code NAME} or {@code NAME=VALUE}
 * @param libraries additional libraries, as {@code NAME} or as a path
 * @param relocatable whether plain builds link device code across units ({@code -fgpu-rdc})
 * @param lines whether objects contain line tables
 * @param makeArguments targets and variables for make
 * @param configureArguments additional arguments for a project's configure
 * @param timeout time limit for one run of the compiler
 * @param cache folder of the object cache; empty for none
 * @param environment environment of started programs
 * @param syntaxOnly whether to check units for errors only, and to link nothing
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
    Map<String, String> environment,
    boolean syntaxOnly) {
  /** Name of a file in every output folder, so later builds do not treat it as sources. */
  public static final String MARKER = ".rocport-build";

  private static final Duration CHECK_LIMIT = Duration.ofMinutes(5);

  public BuildOptions {
    targets = List.copyOf(targets);
    includes = List.copyOf(includes);
    defines = List.copyOf(defines);
    libraries = List.copyOf(libraries);
    makeArguments = List.copyOf(makeArguments);
    configureArguments = List.copyOf(configureArguments);
    environment = Map.copyOf(environment);
  }

  /** Returns options of a check of the same tree, with one target. */
  public static BuildOptions check(Path root, Path out, String target, int jobs, boolean plain) {
    return new BuildOptions(
        root,
        out,
        List.of(target),
        jobs,
        plain,
        Optional.empty(),
        List.of(),
        List.of(),
        List.of(),
        false,
        false,
        List.of(),
        List.of(),
        CHECK_LIMIT,
        Optional.empty(),
        Map.of(),
        true);
  }

  /**
   * Returns the same options with arguments for the build of the tree.
   *
   * @param make targets and variables for make
   * @param configure additional arguments for a project's configure
   */
  public BuildOptions withArguments(List<String> make, List<String> configure) {
    return with(standard, includes, defines, make, configure);
  }

  /** Returns the same options with other macros. */
  public BuildOptions withDefines(List<String> macros) {
    return with(standard, includes, macros);
  }

  /** Returns the same options with other include folders. */
  public BuildOptions withIncludes(List<Path> folders) {
    return with(standard, folders, defines);
  }

  /** Returns the same options with another default language standard. */
  public BuildOptions withStandard(Optional<String> name) {
    return with(name, includes, defines);
  }

  private BuildOptions with(Optional<String> name, List<Path> folders, List<String> macros) {
    return with(name, folders, macros, makeArguments, configureArguments);
  }

  private BuildOptions with(
      Optional<String> name,
      List<Path> folders,
      List<String> macros,
      List<String> make,
      List<String> configure) {
    return new BuildOptions(
        root,
        out,
        targets,
        jobs,
        plain,
        name,
        folders,
        macros,
        libraries,
        relocatable,
        lines,
        make,
        configure,
        timeout,
        cache,
        environment,
        syntaxOnly);
  }

  /** Returns a toolchain request with the environment of the user and the options. */
  public ToolchainRequest toolchainRequest() {
    Map<String, String> all = new HashMap<>(System.getenv());
    all.putAll(environment);
    return ToolchainRequest.of(all);
  }
}
