package dev.rocport.toolchain.packages;

import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.packages.PackageList.Group;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The Debian archive that the machine is configured for. Its lists are read once for all sets. */
public final class ArchiveStore implements PackageStore {
  private static final Path APT = Path.of("/etc/apt");

  /** Where AMD's libraries are; a stable release of Debian has older ones. */
  private static final List<String> SUITES = List.of("sid");

  private final List<PackageSet> sets;
  private final Map<String, String> environment;
  private final Path scratch;
  private final Consumer<String> progress;
  private @Nullable ArchivePackages packages;

  /**
   * A store; nothing is read yet.
   *
   * @param sets that may be asked for
   * @param environment may name an archive ({@code DEBIAN_MIRROR})
   * @param scratch a folder for package lists
   */
  public ArchiveStore(
      List<PackageSet> sets,
      Map<String, String> environment,
      Path scratch,
      Consumer<String> progress) {
    this.sets = List.copyOf(sets);
    this.environment = Map.copyOf(environment);
    this.scratch = scratch;
    this.progress = progress;
  }

  @Override
  public List<Deb> obtain(PackageSet set, Path folder, PackageSource.Arrival each)
      throws IOException, ToolchainException {
    if (packages == null) {
      SequencedMap<Group, List<String>> wanted = new LinkedHashMap<>();
      sets.forEach(s -> wanted.put(s.group(), s.packages()));
      packages =
          new ArchivePackages(
              AptSources.debian(APT, environment),
              PackageList.required(wanted, SUITES),
              wanted.keySet(),
              scratch,
              progress);
    }
    return packages.obtain(set, folder, each);
  }
}
