package dev.rocport.toolchain.packages;

import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Where the packages of the lock file come from. */
public interface PackageStore {
  /** The part of a set that has to be fetched. */
  default PackageSet absent(PackageSet set) {
    return set;
  }

  /**
   * The packages of a set, verified.
   *
   * @param folder where downloads may be put
   * @param each receives every package before this returns
   */
  List<Deb> obtain(PackageSet set, Path folder, PackageSource.Arrival each)
      throws IOException, ToolchainException;
}
