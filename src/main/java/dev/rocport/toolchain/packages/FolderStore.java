package dev.rocport.toolchain.packages;

import dev.rocport.io.Folders;
import dev.rocport.io.Sha256;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A folder of package files, as apt downloads them. Nothing else vouches for them, so each must
 * have the hash of the lock file.
 */
public final class FolderStore implements PackageStore {
  private final Path source;
  private final PackageLock lock;

  public FolderStore(Path source, PackageLock lock) {
    this.source = source;
    this.lock = lock;
  }

  @Override
  public List<Deb> obtain(PackageSet set, Path folder, PackageSource.Arrival each)
      throws IOException, ToolchainException {
    List<Path> files = Folders.list(source);
    List<Deb> debs = new ArrayList<>();
    for (String name : set.packages()) {
      debs.add(find(set, lock.entry(name), files));
    }
    each.all(debs);
    return debs;
  }

  private Deb find(PackageSet set, PackageLock.Entry entry, List<Path> files)
      throws IOException, ToolchainException {
    String other = "it is missing";
    for (Path file : files) {
      String name = String.valueOf(file.getFileName());
      if (name.startsWith(entry.name() + "_") && name.endsWith(".deb")) {
        if (Sha256.of(file).equals(entry.sha256())) {
          return new Deb(set.group(), entry.name(), entry.version(), entry.sha256(), file);
        }
        other = name + " is another version or damaged";
      }
    }
    throw new ToolchainException(
        "%s needs %s %s with the SHA-256 %s in %s: %s"
            .formatted(set.name(), entry.name(), entry.version(), entry.sha256(), source, other));
  }
}
