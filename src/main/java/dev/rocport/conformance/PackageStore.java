package dev.rocport.conformance;

import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.packages.Deb;
import dev.rocport.toolchain.packages.PackageSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Where the packages of suites come from. */
public interface PackageStore {
  /**
   * The packages of a suite, verified.
   *
   * @param folder where downloads may be put
   * @param each receives every package before this returns
   */
  List<Deb> obtain(Suite suite, Path folder, PackageSource.Arrival each)
      throws IOException, ToolchainException;
}
