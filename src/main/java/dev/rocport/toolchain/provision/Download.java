package dev.rocport.toolchain.provision;

import dev.rocport.io.Folders;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.packages.AptSource;
import dev.rocport.toolchain.packages.AptSources;
import dev.rocport.toolchain.packages.ArchivePackages;
import dev.rocport.toolchain.packages.Deb;
import dev.rocport.toolchain.packages.Manifest;
import dev.rocport.toolchain.packages.PackageArchive;
import dev.rocport.toolchain.packages.PackageList;
import dev.rocport.toolchain.packages.PackageList.Group;
import dev.rocport.toolchain.packages.PackageSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Collects the packages for an installation on a machine without network. */
public final class Download {
  private Download() {}

  /** Fills a folder, or an archive file by its name; returns the bytes of the packages. */
  static long into(Path target, ToolchainRequest request, Consumer<String> progress)
      throws IOException, ToolchainException {
    if (!PackageArchive.isName(target)) {
      return folder(target, request, progress);
    }
    Path parent = Files.createDirectories(target.toAbsolutePath().resolveSibling(""));
    Path folder = Files.createTempDirectory(parent, ".packages-");
    try {
      long bytes = folder(folder, request, progress);
      PackageArchive.write(folder, target);
      return bytes;
    } finally {
      Folders.delete(folder);
    }
  }

  private static long folder(Path folder, ToolchainRequest request, Consumer<String> progress)
      throws IOException, ToolchainException {
    Files.createDirectories(folder);
    Path scratch = Files.createTempDirectory(folder.toRealPath(), ".download-");
    try {
      AptSource debian = AptSources.debian(Path.of("/etc/apt"), request.environment());
      List<Group> groups = PackageList.builtIn().groups();
      PackageSource packages =
          new ArchivePackages(debian, groups, scratch.resolve("apt"), progress);
      List<Deb> debs = new ArrayList<>();
      for (Group group : groups) {
        debs.addAll(packages.obtain(group, 0, Provisioner.OWN_MAJOR, scratch, deb -> {}));
      }
      // A manifest that does not fit the files must not stay while they are replaced.
      Files.deleteIfExists(folder.resolve(Manifest.FILE));
      long bytes = 0;
      for (Deb d : debs) {
        bytes += Files.size(d.file());
        Files.copy(
            d.file(), folder.resolve(d.file().getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
      Path manifest = scratch.resolve(Manifest.FILE);
      Files.writeString(manifest, new Manifest(debs).text());
      Files.move(manifest, folder.resolve(Manifest.FILE), StandardCopyOption.ATOMIC_MOVE);
      return bytes;
    } finally {
      Folders.delete(scratch);
    }
  }
}
