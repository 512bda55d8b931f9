package dev.rocport.toolchain.runtime;

import dev.rocport.io.Folders;
import dev.rocport.toolchain.GfxTarget;
import dev.rocport.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * The files of {@code find_package(hip)}, of the CMake language HIP and of the libraries, for a
 * folder with the layout of a ROCm installation: {@code hip-runtime/cmake}.
 */
public final class CMakePackages {
  private CMakePackages() {}

  /**
   * Writes them.
   *
   * @param root gets a folder {@code lib/cmake}; its {@code lib} and {@code include} are what the
   *     packages name
   */
  public static void write(Toolchain toolchain, Path root) throws IOException {
    write(toolchain, HipRuntime.installation().resolve("hip-runtime"), root);
  }

  static void write(Toolchain toolchain, Path sources, Path root) throws IOException {
    String targets =
        toolchain.targets().stream().map(GfxTarget::toString).collect(Collectors.joining(";"));
    Path from = sources.resolve("cmake");
    for (Path file : Folders.files(from)) {
      Path at = root.resolve("lib/cmake").resolve(from.relativize(file));
      Files.createDirectories(at.resolveSibling(""));
      Files.writeString(
          at,
          Files.readString(file)
              .replace("@ROCPORT_HIP_VERSION@", toolchain.hip().toString())
              .replace("@ROCPORT_HIP_MAJOR@", toolchain.hip().major() + "")
              .replace("@ROCPORT_WORKAROUNDS@", toolchain.workaroundFlags())
              .replace("@ROCPORT_CODE_OBJECT@", Integer.toString(toolchain.codeObjectVersion()))
              .replace("@ROCPORT_TARGETS@", targets));
    }
  }
}
