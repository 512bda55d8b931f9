package dev.rocport.build.link;

import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.provision.Mpi;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Flags with which a compiler finds Open MPI, after all folders and libraries that a build names
 * itself.
 *
 * @param link links MPI only where a program uses it
 */
public record MpiFlags(List<String> compile, List<String> link) {
  public static final MpiFlags NONE = new MpiFlags(List.of(), List.of());

  /**
   * Returns the flags for an MPI.
   *
   * @throws ToolchainException if its compiler wrapper does not report its folders
   */
  public static MpiFlags of(Mpi mpi) throws ToolchainException {
    List<String> compile = new ArrayList<>();
    mpi.includes().forEach(i -> compile.addAll(List.of("-idirafter", i.toString())));
    Path folder = mpi.library().resolveSibling("");
    List<String> link = new ArrayList<>(List.of("-L" + folder, "-Wl,--as-needed"));
    if (Files.exists(folder.resolve("libmpi_cxx.so"))) {
      link.add("-lmpi_cxx"); // C++ code that includes mpi.h needs it
    }
    link.addAll(List.of("-lmpi", "-Wl,--no-as-needed"));
    return new MpiFlags(List.copyOf(compile), List.copyOf(link));
  }
}
