package dev.rocport.toolchain.packages;

import dev.rocport.io.Sha256;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.packages.PackageList.Group;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Packages from a folder that was filled elsewhere; each file must have the manifest's hash. */
final class FolderPackages implements PackageSource {
  private final Path source;
  private final Manifest manifest;

  FolderPackages(Path source) throws IOException, ToolchainException {
    this.source = source;
    this.manifest = Manifest.read(source);
  }

  @Override
  public int generations(Group group) {
    return 1;
  }

  @Override
  public List<Deb> obtain(Group group, int generation, int compilerMajor, Path folder, Arrival each)
      throws IOException, ToolchainException {
    List<Deb> debs = manifest.of(group);
    if (debs.isEmpty()) {
      throw new ToolchainException(
          source + " has no packages for the " + group.name() + ", which this machine needs");
    }
    for (Deb d : debs) {
      if (!Files.isReadable(d.file())) {
        throw new ToolchainException("missing in " + source + ": " + d.file().getFileName());
      }
      if (!Sha256.of(d.file()).equals(d.sha256())) {
        throw new ToolchainException(
            d.file() + " is damaged: its SHA-256 differs from the one in " + Manifest.FILE);
      }
    }
    each.all(debs);
    return debs;
  }
}
