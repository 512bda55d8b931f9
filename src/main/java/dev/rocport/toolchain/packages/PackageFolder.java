package dev.rocport.toolchain.packages;

import dev.rocport.io.Folders;
import dev.rocport.io.TemporaryFolder;
import dev.rocport.io.TsvTable;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A folder with the unpacked packages of a set, without the machine code of other GPUs. It is
 * deleted when it is closed or rocport exits, unless it is kept; nobody sees it before it is
 * complete.
 */
public final class PackageFolder implements AutoCloseable {
  private static final String CONTENTS = "PACKAGES.tsv";
  private static final String HEADER = "package\tversion\tsha256";
  private static final String STAGING = ".unpacking-";
  static final Predicate<String> WANTED = new GpuFiles(PackageLock.TARGET);
  private static final String LIBRARY = ".*\\.so(\\.\\d+)*";

  private final Path root;
  private final List<Deb> debs;
  private final Optional<TemporaryFolder> temporary;

  private PackageFolder(Path root, List<Deb> debs, Optional<TemporaryFolder> temporary) {

    this.root = root;
    this.debs = List.copyOf(debs);
    this.temporary = temporary;
  }

  /**
   * The kept folder of a set, or a new one.
   *
   * @param home folder of all sets
   * @param keep whether a later run shall find it
   * @throws ToolchainException if the packages cannot be had or there is no room for them
   */
  public static PackageFolder of(
      PackageSet set,
      PackageLock lock,
      PackageStore store,
      Path home,
      boolean keep,
      Consumer<String> progress)
      throws IOException, ToolchainException {
    Path place = Files.createDirectories(home).toRealPath().resolve(set.name());
    Optional<List<Deb>> contents = contents(set, place);
    if (contents.isPresent()) {
      progress.accept("using %s, which an earlier run kept".formatted(place));
      return new PackageFolder(place, contents.get(), Optional.empty());
    }
    forgetKilled(home);
    PackageSet absent = store.absent(set);
    requireRoom(List.of(absent), lock, home);
    progress.accept(
        "%s: %d MB to download, %d MB on disk"
            .formatted(
                set.name(),
                PackageLock.megabytes(lock.download(absent)),
                PackageLock.megabytes(lock.room(absent))));
    TemporaryFolder staging = staging(home);
    boolean complete = false;
    try {
      Path root = Files.createDirectories(staging.path().resolve("root"));
      List<Deb> debs = unpacked(set, store, root, staging.path().resolve("downloads"));
      if (keep) {
        Folders.delete(place);
        Files.move(root, place, StandardCopyOption.ATOMIC_MOVE);
        return new PackageFolder(place, debs, Optional.empty());
      }
      complete = true;
      return new PackageFolder(root, debs, Optional.of(staging));
    } finally {
      if (!complete) {
        staging.close();
      }
    }
  }

  /** A folder for incomplete sets, which a later run deletes if this one is killed. */
  static TemporaryFolder staging(Path home) throws IOException {
    return TemporaryFolder.create(home, STAGING + ProcessHandle.current().pid() + "-");
  }

  private static List<Deb> unpacked(PackageSet set, PackageStore store, Path root, Path downloads)
      throws IOException, ToolchainException {
    List<Deb> debs =
        store.obtain(
            set,
            downloads,
            deb -> {
              deb.unpack(root, WANTED);
              if (deb.file().startsWith(downloads)) {
                Files.delete(deb.file());
              }
            });
    write(root.resolve(CONTENTS), debs);
    return debs;
  }

  /**
   * Refuses sets that the disk has no room for.
   *
   * @param home an existing folder of all sets
   */
  public static void requireRoom(Collection<PackageSet> sets, PackageLock lock, Path home)
      throws ToolchainException {
    long free = home.toFile().getUsableSpace();
    // Files take whole blocks, and tests write some.
    long needed = sets.stream().mapToLong(lock::room).sum() / 10 * 11;
    if (free < needed) {
      String names = sets.stream().map(PackageSet::name).collect(Collectors.joining(", "));
      throw new ToolchainException(
          "%s: %d MB of disk space are needed, but %s has only %d MB: free some space, or set"
                  .formatted(names, PackageLock.megabytes(needed), home, free / 1_000_000)
              + " ROCPORT_TOOLCHAIN to a folder on another disk");
    }
  }

  /** Whether a set was kept in the folder of all sets. */
  public static boolean isKept(PackageSet set, Path home) {
    return contents(set, home.resolve(set.name())).isPresent();
  }

  /**
   * The packages that a file below a kept folder is of, without their files; none for other files.
   */
  public static List<Deb> around(Path file) {
    Path folder = file.getParent();
    while (folder != null && !Files.isRegularFile(folder.resolve(CONTENTS))) {
      folder = folder.getParent();
    }
    return folder == null
        ? List.of()
        : debs(folder.resolve(CONTENTS), new PackageSet(String.valueOf(folder), List.of()));
  }

  /** Deletes what processes have left that were killed. */
  private static void forgetKilled(Path home) throws IOException {
    for (Path folder : Folders.list(home)) {
      String name = String.valueOf(folder.getFileName());
      if (name.startsWith(STAGING)) {
        String pid = name.substring(STAGING.length()).replaceFirst("-.*", "");
        if (!pid.matches("\\d{1,18}") || ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
          Folders.delete(folder);
        }
      }
    }
  }

  /** The packages in a kept folder; empty if it is not complete or of other packages. */
  private static Optional<List<Deb>> contents(PackageSet set, Path place) {
    Path file = place.resolve(CONTENTS);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    List<Deb> debs = debs(file, set);
    boolean same =
        debs.stream()
            .map(Deb::name)
            .sorted()
            .toList()
            .equals(set.packages().stream().sorted().toList());
    return same ? Optional.of(debs) : Optional.empty();
  }

  private static List<Deb> debs(Path file, PackageSet set) {
    return TsvTable.read(file, HEADER).rows().stream()
        .map(r -> new Deb(set.group(), r.cell(0), r.cell(1), r.cell(2), file))
        .toList();
  }

  private static void write(Path file, List<Deb> debs) throws IOException {
    StringBuilder text = new StringBuilder(HEADER + "\n");
    debs.forEach(
        d -> text.append(String.join("\t", d.name(), d.version(), d.sha256())).append('\n'));
    Files.writeString(file, text);
  }

  /** Where the packages are unpacked. */
  public Path root() {
    return root;
  }

  /** Its packages; their files are gone. */
  public List<Deb> debs() {
    return debs;
  }

  /** The dynamic loader of the packages. */
  public Optional<Path> loader() {
    return Stream.of("usr/lib64/ld-linux-x86-64.so.2", "lib64/ld-linux-x86-64.so.2")
        .map(root::resolve)
        .filter(Files::exists)
        .findFirst();
  }

  /** Folders of libraries, for the loader. */
  public List<Path> libraries() throws IOException {
    List<Path> folders = new ArrayList<>();
    Path base = root.resolve("usr/lib/x86_64-linux-gnu");
    folders.add(base);
    // Implementations of BLAS, and LLVM, have folders of their own.
    for (Path parent : List.of(base, root.resolve("usr/lib"))) {
      for (Path child : Folders.list(parent)) {
        for (Path folder : List.of(child, child.resolve("lib"))) {
          if (!folders.contains(folder) && hasLibraries(folder)) {
            folders.add(folder);
          }
        }
      }
    }
    return folders;
  }

  private static boolean hasLibraries(Path folder) throws IOException {
    return Folders.list(folder).stream()
        .map(p -> String.valueOf(p.getFileName()))
        .anyMatch(n -> n.startsWith("lib") && n.matches(LIBRARY));
  }

  @Override
  public void close() throws IOException {
    if (temporary.isPresent()) {
      temporary.get().close();
    }
  }
}
