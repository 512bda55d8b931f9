package dev.rocport.build.link;

import dev.rocport.build.compile.Compiler;
import dev.rocport.build.unit.Artifact;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.OpenMp;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.runtime.AmdSmi;
import dev.rocport.toolchain.runtime.Rocshmem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Links programs and shared libraries, and makes static libraries. */
public final class Linker {
  private static final String AMD_SMI = "-l" + AmdSmi.LINK_NAME;
  private static final String ROCSHMEM = "-l" + Rocshmem.LINK_NAME;

  private final Toolchain toolchain;
  private final List<String> targets;
  private final Path directory;
  private final Duration limit;
  private final Map<String, String> environment;

  public Linker(
      Toolchain toolchain,
      List<String> targets,
      Path directory,
      Duration limit,
      Map<String, String> environment) {
    this.toolchain = toolchain;
    this.targets = targets;
    this.directory = directory;
    this.limit = limit;
    this.environment = environment;
  }

  /** Returns the same linker for another working directory. */
  public Linker in(Path folder) {
    return new Linker(toolchain, targets, folder, limit, environment);
  }

  /**
   * Links one program or shared library, or makes a static library.
   *
   * @param relocatable whether to link the device code of the objects
   * @param flags flags after the objects on the command line
   */
  public Exec.Outcome link(
      Artifact.Kind kind, Path output, List<Path> objects, boolean relocatable, List<String> flags)
      throws IOException, InterruptedException {
    Files.createDirectories(output.toAbsolutePath().getParent());
    // Two builds may link the same program, so the output is moved into place atomically.
    Path part = output.toAbsolutePath().resolveSibling(Compiler.unique(".part"));
    List<String> command = new ArrayList<>();
    if (kind == Artifact.Kind.STATIC) {
      command.addAll(List.of(tool("llvm-ar"), "rcs", part.toString()));
      objects.forEach(o -> command.add(o.toString()));
    } else {
      command.add(toolchain.clang().toString());
      command.add("-fno-color-diagnostics");
      if (kind == Artifact.Kind.SHARED) {
        command.add("-shared");
      }
      objects.forEach(o -> command.add(o.toString()));
      boolean shmem = flags.contains(ROCSHMEM);
      command.addAll(withOpenMp(withAmdSmi(shmem ? withRocshmem(flags) : flags)));
      command.addAll(relocatable || shmem ? toolchain.linkRelocatable(targets) : toolchain.link());
      command.addAll(List.of("-Wno-unused-command-line-argument", "-o", part.toString()));
    }
    Exec.Outcome outcome = Exec.run(command, directory, environment, limit);
    if (outcome.ok()) {
      Files.move(part, output, StandardCopyOption.REPLACE_EXISTING);
    } else {
      Files.deleteIfExists(part);
      Files.deleteIfExists(output);
    }
    return outcome;
  }

  /**
   * Replaces the rocSHMEM flag with the path of the library, because its device code is linked too,
   * and with what it needs.
   */
  private List<String> withRocshmem(List<String> flags) throws IOException {
    try {
      List<String> library = Rocshmem.of(toolchain).link(line -> {});
      return flags.stream()
          .distinct()
          .flatMap(f -> f.equals(ROCSHMEM) ? library.stream() : Stream.of(f))
          .toList();
    } catch (ToolchainException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Adds the folder of AMD SMI. */
  private List<String> withAmdSmi(List<String> flags) throws IOException {
    if (!flags.contains(AMD_SMI)) {
      return flags;
    }
    try {
      List<String> with = new ArrayList<>(flags);
      with.addAll(AmdSmi.link(toolchain));
      return with;
    } catch (ToolchainException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Replaces OpenMP flags with the OpenMP of clang and its run path. */
  private List<String> withOpenMp(List<String> flags) throws IOException {
    if (flags.stream().noneMatch(OpenMp::isAskedBy)) {
      return flags;
    }
    Optional<OpenMp> openMp = OpenMp.of(toolchain);
    List<String> with = new ArrayList<>(flags);
    if (openMp.isPresent()) {
      with.removeIf(OpenMp::isRuntime);
      with.add("-fopenmp");
      with.addAll(openMp.get().search());
    }
    return with;
  }

  /** Returns the path of a program of the compiler. */
  public String tool(String name) throws IOException, InterruptedException {
    // an installed compiler has wrapper scripts that set its library path; clang would return the
    // wrapped programs
    Path sibling = toolchain.clang().resolveSibling(name);
    if (Files.isExecutable(sibling)) {
      return sibling.toString();
    }
    List<String> ask = List.of(toolchain.clang().toString(), "--print-prog-name=" + name);
    String answer = Exec.run(ask, directory, environment, limit).stdout().strip();
    return answer.isEmpty() ? name : answer;
  }
}
