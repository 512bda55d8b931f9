package dev.rocport.toolchain.packages;

import dev.rocport.io.Sha256;
import dev.rocport.toolchain.ParallelTasks;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.packages.PackageList.Group;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Packages from the Debian archive that this machine is configured for, signatures verified. */
public final class ArchivePackages implements PackageSource {
  private static final int CONNECTIONS = 4;

  private final PackageList list;
  private final AptState apt;
  private final Set<String> usable;
  private final PackageIndex index;
  private final Consumer<String> progress;

  /**
   * Reads the package lists.
   *
   * @param groups what may be asked for
   * @param scratch folder for the private apt state
   */
  public ArchivePackages(
      AptSource source, Collection<Group> groups, Path scratch, Consumer<String> progress)
      throws IOException, ToolchainException {
    this(source, PackageList.builtIn(), groups, scratch, progress);
  }

  /**
   * The same with other packages than those of toolchains.
   *
   * @param list the packages of each group
   */
  public ArchivePackages(
      AptSource source,
      PackageList list,
      Collection<Group> groups,
      Path scratch,
      Consumer<String> progress)
      throws IOException, ToolchainException {
    this.list = list;
    this.progress = progress;
    List<String> suites = list.suitesOf(groups);
    progress.accept("reading the package lists of " + String.join(", ", suites));
    apt = AptState.create(scratch, source, suites);
    AptState.Lists lists = apt.update(suites);
    usable = lists.usable();
    if (usable.size() < suites.size()) {
      progress.accept(
          "the package lists of %s cannot be used:%n%s"
              .formatted(
                  suites.stream()
                      .filter(s -> !usable.contains(s))
                      .collect(Collectors.joining(", ")),
                  lists.said().stripTrailing()));
    }
    index =
        apt.versions(
            list.wanted().stream()
                .filter(w -> groups.contains(w.group()))
                .map(w -> w.numbered() ? w.prefix() + "*" : w.name())
                .distinct()
                .toList());
  }

  @Override
  public int generations(Group group) {
    return list.generations(group).size();
  }

  @Override
  public List<Deb> obtain(Group group, int generation, int compilerMajor, Path folder, Arrival each)
      throws IOException, ToolchainException {
    List<String> suites = new ArrayList<>(list.generations(group).get(generation));
    suites.retainAll(usable);
    List<PackageIndex.Entry> chosen = list.choose(group, index, suites, compilerMajor);
    list.downgrade(group, generation, usable, chosen).ifPresent(progress);
    return download(group, generation, chosen, folder, each);
  }

  /** The packages of a set, which may be a part of its group. */
  List<Deb> obtain(PackageSet set, Path folder, Arrival each)
      throws IOException, ToolchainException {
    List<String> suites = new ArrayList<>(list.generations(set.group()).getFirst());
    suites.retainAll(usable);
    List<PackageIndex.Entry> chosen =
        list.choose(set.group(), index, suites, 0).stream()
            .filter(e -> set.packages().contains(e.name()))
            .toList();
    return download(set.group(), 0, chosen, folder, each);
  }

  private List<Deb> download(
      Group group, int generation, List<PackageIndex.Entry> chosen, Path folder, Arrival each)
      throws IOException, ToolchainException {
    progress.accept(
        "downloading %s (%s)"
            .formatted(
                chosen.size() == 1 ? "1 package" : chosen.size() + " packages",
                group.name().toLowerCase(Locale.ROOT)));
    Path into = folder.resolve(group.name().toLowerCase(Locale.ROOT) + generation);
    List<Callable<List<Deb>>> parts = new ArrayList<>();
    for (List<PackageIndex.Entry> part : dealt(chosen)) {
      Path place = into.resolve(String.valueOf(parts.size()));
      parts.add(
          () -> {
            apt.download(part, place);
            List<Deb> debs = match(group, part, place);
            each.all(debs);
            return debs;
          });
    }
    List<String> order = chosen.stream().map(PackageIndex.Entry::name).toList();
    return ParallelTasks.run(parts, CONNECTIONS).stream()
        .flatMap(List::stream)
        .sorted(Comparator.comparing(deb -> order.indexOf(deb.name())))
        .toList();
  }

  /**
   * One program that downloads has one connection to the archive: so several share the packages.
   */
  private static List<List<PackageIndex.Entry>> dealt(List<PackageIndex.Entry> packages) {
    List<List<PackageIndex.Entry>> parts = new ArrayList<>();
    for (int i = 0; i < packages.size(); i++) {
      if (i < CONNECTIONS) {
        parts.add(new ArrayList<>());
      }
      parts.get(i % CONNECTIONS).add(packages.get(i));
    }
    return parts;
  }

  private static List<Deb> match(Group group, List<PackageIndex.Entry> chosen, Path folder)
      throws IOException, ToolchainException {
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.sorted().toList();
    }
    List<Deb> debs = new ArrayList<>();
    for (PackageIndex.Entry e : chosen) {
      Path file =
          files.stream()
              .filter(f -> String.valueOf(f.getFileName()).startsWith(e.name() + "_"))
              .findFirst()
              .orElseThrow(() -> new ToolchainException("apt did not download " + e.pinned()));
      debs.add(new Deb(group, e.name(), e.version(), Sha256.of(file), file));
    }
    return List.copyOf(debs);
  }
}
