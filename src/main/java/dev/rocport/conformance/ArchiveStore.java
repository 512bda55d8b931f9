package dev.rocport.conformance;

import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.packages.AptSources;
import dev.rocport.toolchain.packages.ArchivePackages;
import dev.rocport.toolchain.packages.Deb;
import dev.rocport.toolchain.packages.PackageList;
import dev.rocport.toolchain.packages.PackageList.Group;
import dev.rocport.toolchain.packages.PackageSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The Debian archive that the machine is configured for. Its lists are read once for all suites.
 */
public final class ArchiveStore implements PackageStore {
  private static final Path APT = Path.of("/etc/apt");

  /** Where AMD's libraries are; a stable release of Debian has older ones. */
  private static final List<String> SUITES = List.of("sid");

  private final List<Suite> suites;
  private final Map<String, String> environment;
  private final Path scratch;
  private final Consumer<String> progress;
  private @Nullable ArchivePackages packages;

  /**
   * A store; nothing is read yet.
   *
   * @param suites that packages are asked for
   * @param environment may name an archive ({@code DEBIAN_MIRROR})
   * @param scratch a folder for package lists
   */
  public ArchiveStore(
      List<Suite> suites,
      Map<String, String> environment,
      Path scratch,
      Consumer<String> progress) {
    this.suites = List.copyOf(suites);
    this.environment = Map.copyOf(environment);
    this.scratch = scratch;
    this.progress = progress;
  }

  @Override
  public List<Deb> obtain(Suite suite, Path folder, PackageSource.Arrival each)
      throws IOException, ToolchainException {
    if (packages == null) {
      SequencedMap<Group, List<String>> wanted = new LinkedHashMap<>();
      suites.forEach(s -> wanted.put(s.group(), s.packages()));
      packages =
          new ArchivePackages(
              AptSources.debian(APT, environment),
              PackageList.required(wanted, SUITES),
              wanted.keySet(),
              scratch,
              progress);
    }
    return packages.obtain(suite.group(), 0, 0, folder, each);
  }
}
