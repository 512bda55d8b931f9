package dev.rocport.toolchain.packages;

import dev.rocport.toolchain.ParallelTasks;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.packages.PackageList.Group;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** Where the packages of a toolchain come from. */
public sealed interface PackageSource permits ArchivePackages, FolderPackages {

  /**
   * The folder or archive file that the request names, or the archive that this machine is
   * configured for.
   *
   * @param groups what may be asked for
   * @param scratch a folder for package lists
   */
  static PackageSource of(
      ToolchainRequest request, Set<Group> groups, Path scratch, Consumer<String> progress)
      throws IOException, ToolchainException {
    if (request.offline().isPresent()) {
      Path from = request.offline().get();
      return new FolderPackages(Files.isDirectory(from) ? from : unpacked(from, scratch));
    }
    AptSource debian = AptSources.debian(Path.of("/etc/apt"), request.environment());
    Files.createDirectories(scratch);
    return new ArchivePackages(debian, groups, Files.createTempDirectory(scratch, "apt"), progress);
  }

  private static Path unpacked(Path archive, Path scratch) throws IOException, ToolchainException {
    if (!Files.isRegularFile(archive)) {
      throw new ToolchainException("no such folder or archive of packages: " + archive);
    }
    Path folder = scratch.resolve("packages");
    PackageArchive.unpack(archive, folder);
    return folder;
  }

  /** How many ways there are to get a group; way 0 is the preferred one. */
  int generations(Group group);

  /**
   * The packages of a group, verified and on this machine.
   *
   * @param generation which way to get them
   * @param compilerMajor version of the compiler that must read the device libraries
   * @param folder where downloads may be put
   * @param each receives every package before this returns
   */
  List<Deb> obtain(Group group, int generation, int compilerMajor, Path folder, Arrival each)
      throws IOException, ToolchainException;

  /** Receives packages as soon as each is there; several threads call it. */
  @FunctionalInterface
  interface Arrival {
    void of(Deb deb) throws IOException, ToolchainException;

    /** Passes on packages, several at a time. */
    default void all(List<Deb> debs) throws IOException, ToolchainException {
      List<Callable<Deb>> tasks = new ArrayList<>();
      for (Deb deb : debs) {
        tasks.add(
            () -> {
              of(deb);
              return deb;
            });
      }
      ParallelTasks.run(tasks);
    }
  }
}
