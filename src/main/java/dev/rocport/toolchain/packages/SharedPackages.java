package dev.rocport.toolchain.packages;

import dev.rocport.io.Folders;
import dev.rocport.io.TemporaryFolder;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Fetches and unpacks packages that several sets of a run have in common only once. Their files are
 * hard links in the folder of each set, and a package is deleted after the last set that has it.
 */
public final class SharedPackages implements PackageStore, AutoCloseable {
  private final PackageStore store;
  private final List<PackageSet> sets;
  private final Path home;
  private final Map<String, Deb> held = new ConcurrentHashMap<>();
  private @Nullable TemporaryFolder folder;

  /**
   * A store that holds nothing yet.
   *
   * @param store where packages come from
   * @param sets that are asked for, in this order
   * @param home folder of all sets
   */
  public SharedPackages(PackageStore store, List<PackageSet> sets, Path home) {
    this.store = store;
    this.sets = sets.stream().filter(s -> !PackageFolder.isKept(s, home)).toList();
    this.home = home;
  }

  @Override
  public PackageSet absent(PackageSet set) {
    return new PackageSet(
        set.name(), set.packages().stream().filter(p -> !held.containsKey(p)).toList());
  }

  @Override
  public List<Deb> obtain(PackageSet set, Path downloads, PackageSource.Arrival each)
      throws IOException, ToolchainException {
    List<PackageSet> later = later(set);
    PackageSet absent = absent(set);
    List<Deb> debs = new ArrayList<>();
    for (String name : set.packages()) {
      Deb deb = held.get(name);
      if (deb != null) {
        each.of(deb);
        debs.add(deb);
      }
    }
    if (!absent.packages().isEmpty()) {
      debs.addAll(
          store.obtain(
              absent,
              downloads,
              deb -> {
                if (later.stream().anyMatch(s -> s.packages().contains(deb.name()))) {
                  each.of(hold(deb, downloads));
                } else {
                  each.of(deb);
                }
              }));
    }
    for (Deb deb : List.copyOf(held.values())) {
      if (later.stream().noneMatch(s -> s.packages().contains(deb.name()))) {
        held.remove(deb.name());
        Folders.delete(deb.file());
      }
    }
    debs.sort(Comparator.comparing(d -> set.packages().indexOf(d.name())));
    return debs;
  }

  private List<PackageSet> later(PackageSet set) {
    return sets.subList(sets.indexOf(set) + 1, sets.size());
  }

  /** Unpacks a package for this set and for later ones. */
  private Deb hold(Deb deb, Path downloads) throws IOException, ToolchainException {
    Path place = deb.unpack(folder().resolve(deb.name()), PackageFolder.WANTED);
    if (deb.file().startsWith(downloads)) {
      Files.delete(deb.file());
    }
    Deb unpacked = new Deb(deb.group(), deb.name(), deb.version(), deb.sha256(), place);
    held.put(deb.name(), unpacked);
    return unpacked;
  }

  private synchronized Path folder() throws IOException {
    if (folder == null) {
      folder = PackageFolder.staging(home);
    }
    return folder.path();
  }

  @Override
  public synchronized void close() throws IOException {
    if (folder != null) {
      folder.close();
    }
  }
}
