package dev.rocport.toolchain;

import dev.rocport.toolchain.PackageList.Group;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Where the packages of a toolchain come from. */
sealed interface PackageSource permits ArchivePackages, FolderPackages {

  /** How many ways there are to get a group; way 0 is the preferred one. */
  int generations(Group group);

  /**
   * The packages of a group, verified and on this machine.
   *
   * @param generation which way to get them
   * @param compilerMajor version of the compiler that must read the device libraries
   * @param folder where downloads may be put
   */
  List<Deb> obtain(Group group, int generation, int compilerMajor, Path folder)
      throws IOException, ToolchainException;
}
