package dev.rocport.conformance;

import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A test program of rocport for a library of AMD whose own test programs do not run.
 *
 * @param source C++ without kernels
 * @param library the name of the library after {@code lib}
 */
record OwnProgram(Path source, String library) {
  /** The end of the name of a source. */
  static final String SOURCE = ".cpp";

  /**
   * Compiles it.
   *
   * @param runtime the folder of the HIP runtime
   * @param folders where the library is
   * @param work gets the program
   * @throws ToolchainException if there is no such library or the compiler fails
   */
  Path compile(Path runtime, List<Path> folders, Path work) throws IOException, ToolchainException {
    String name = String.valueOf(source.getFileName());
    Path program = work.resolve(name.substring(0, name.length() - SOURCE.length()) + "-test");
    List<String> command = new ArrayList<>();
    command.add(runtime.resolve("bin/hipcc").toString());
    command.addAll(List.of("-std=c++17", "-O1", "-o", program.toString(), source.toString()));
    command.add(tested(folders).toString());
    // The library is linked with a newer C library, which is not that of the compiler.
    command.add("-Wl,--allow-shlib-undefined");
    ToolRun.compile(command, work, source.toString());
    return program;
  }

  private Path tested(List<Path> folders) throws ToolchainException {
    String prefix = "lib" + library + ".so.";
    for (Path folder : folders) {
      try (var files = Files.list(folder)) {
        for (Path file : files.sorted().toList()) {
          if (String.valueOf(file.getFileName()).startsWith(prefix)) {
            return file;
          }
        }
      } catch (IOException e) {
        throw new ToolchainException("cannot read " + folder + ": " + e.getMessage(), e);
      }
    }
    throw new ToolchainException("the packages have no " + prefix + "*");
  }
}
