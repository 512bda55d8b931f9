package dev.rocport.build.project;

import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.provision.Extra;
import dev.rocport.toolchain.provision.ExtraFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Provides CMake and Ninja. */
final class CMakeTools extends Extra {
  CMakeTools() {
    super("cmake", "CMake", List.of("cmake", "ninja"), "cmake ninja-build");
  }

  @Override
  public void make(ExtraFolder folder) throws IOException {
    // The programs locate their files relative to themselves.
    for (String program : programs()) {
      folder.script(program, program, Map.of());
    }
  }

  @Override
  public Attempt attempt(ExtraFolder folder, Path scratch) throws IOException {
    Files.writeString(
        scratch.resolve("CMakeLists.txt"),
        """
        cmake_minimum_required(VERSION 3.21)
        project(try LANGUAGES NONE)
        file(WRITE configure "done")
        """);
    ToolRun run =
        folder.run(
            List.of(folder.root() + "/bin/cmake", "-G", "Ninja", "."),
            scratch,
            Map.of("PATH", folder.path()));
    return new Attempt(run, Files.exists(scratch.resolve("configure")));
  }
}
