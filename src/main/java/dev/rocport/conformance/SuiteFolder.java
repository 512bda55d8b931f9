package dev.rocport.conformance;

import dev.rocport.core.source.Globs;
import dev.rocport.io.Folders;
import dev.rocport.io.TemporaryFolder;
import dev.rocport.io.TsvTable;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.packages.Deb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A folder with the unpacked packages of a suite: the libraries, the test programs, and the C
 * library that they are linked with. It is deleted when it is closed or rocport exits, unless it is
 * kept; nobody sees it before it is complete.
 */
final class SuiteFolder implements AutoCloseable {
  private static final String CONTENTS = "PACKAGES.tsv";
  private static final String HEADER = "package\tversion\tsha256";
  private static final String STAGING = ".suite-";
  private static final String LIBRARY = ".*\\.so(\\.\\d+)*";

  private final Suite suite;
  private final Path root;
  private final List<Deb> debs;
  private final Optional<TemporaryFolder> temporary;

  private SuiteFolder(Suite suite, Path root, List<Deb> debs, Optional<TemporaryFolder> temporary) {
    this.suite = suite;
    this.root = root;
    this.debs = List.copyOf(debs);
    this.temporary = temporary;
  }

  /**
   * The kept folder of a suite, or a new one.
   *
   * @param home folder of all suites
   * @param keep whether a later run shall find it
   * @throws ToolchainException if the packages cannot be had or there is no room for them
   */
  static SuiteFolder of(
      Suite suite,
      PackageLock lock,
      PackageStore store,
      Path home,
      boolean keep,
      Consumer<String> progress)
      throws IOException, ToolchainException {
    Path place = Files.createDirectories(home).toRealPath().resolve(suite.name());
    Optional<List<Deb>> contents = contents(suite, place);
    if (contents.isPresent()) {
      progress.accept("using %s, which was kept".formatted(place));
      return new SuiteFolder(suite, place, contents.get(), Optional.empty());
    }
    forgetKilled(home);
    room(suite, lock, home);
    progress.accept(
        "%s: %d MB to download, %d MB on disk"
            .formatted(
                suite.name(), lock.download(suite) / 1_000_000, lock.room(suite) / 1_000_000));
    TemporaryFolder staging =
        TemporaryFolder.create(home, STAGING + ProcessHandle.current().pid() + "-");
    boolean complete = false;
    try {
      Path root = Files.createDirectories(staging.path().resolve("root"));
      List<Deb> debs = unpacked(suite, store, root, staging.path().resolve("downloads"));
      if (keep) {
        Folders.delete(place);
        Files.move(root, place, StandardCopyOption.ATOMIC_MOVE);
        return new SuiteFolder(suite, place, debs, Optional.empty());
      }
      complete = true;
      return new SuiteFolder(suite, root, debs, Optional.of(staging));
    } finally {
      if (!complete) {
        staging.close();
      }
    }
  }

  private static List<Deb> unpacked(Suite suite, PackageStore store, Path root, Path downloads)
      throws IOException, ToolchainException {
    List<Deb> debs =
        store.obtain(
            suite,
            downloads,
            deb -> {
              deb.unpack(root);
              if (deb.file().startsWith(downloads)) {
                Files.delete(deb.file());
              }
            });
    write(root.resolve(CONTENTS), debs);
    return debs;
  }

  private static void room(Suite suite, PackageLock lock, Path home) throws ToolchainException {
    long free = home.toFile().getUsableSpace();
    // Files take whole blocks, and tests write some.
    long needed = lock.room(suite) + lock.room(suite) / 10;
    if (free < needed) {
      throw new ToolchainException(
          "%s needs %d MB on disk; %s has %d MB: free some space or set ROCPORT_TOOLCHAIN to a"
                  .formatted(suite.name(), needed / 1_000_000, home, free / 1_000_000)
              + " folder elsewhere");
    }
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
  private static Optional<List<Deb>> contents(Suite suite, Path place) {
    Path file = place.resolve(CONTENTS);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    List<Deb> debs =
        TsvTable.read(file, HEADER).rows().stream()
            .map(r -> new Deb(suite.group(), r.cell(0), r.cell(1), r.cell(2), file))
            .toList();
    boolean same =
        debs.stream()
            .map(Deb::name)
            .sorted()
            .toList()
            .equals(suite.packages().stream().sorted().toList());
    return same ? Optional.of(debs) : Optional.empty();
  }

  private static void write(Path file, List<Deb> debs) throws IOException {
    StringBuilder text = new StringBuilder(HEADER + "\n");
    debs.forEach(
        d -> text.append(String.join("\t", d.name(), d.version(), d.sha256())).append('\n'));
    Files.writeString(file, text);
  }

  Path root() {
    return root;
  }

  /** Its packages; their files are gone. */
  List<Deb> debs() {
    return debs;
  }

  /** The version of the tested library. */
  String version() {
    return debs.stream()
        .filter(d -> d.name().equals(suite.packages().getFirst()))
        .map(Deb::version)
        .findFirst()
        .orElse("");
  }

  /** The test programs by file name. */
  SortedMap<String, Path> programs() throws IOException {
    Globs patterns = Globs.of(suite.programs());
    SortedMap<String, Path> found = new TreeMap<>();
    for (Path file : Folders.files(root)) {
      if (Files.isExecutable(file) && patterns.matches(root.relativize(file).toString())) {
        found.put(String.valueOf(file.getFileName()), file);
      }
    }
    return found;
  }

  /** The dynamic loader of the packages. */
  Optional<Path> loader() {
    return Stream.of("usr/lib64/ld-linux-x86-64.so.2", "lib64/ld-linux-x86-64.so.2")
        .map(root::resolve)
        .filter(Files::exists)
        .findFirst();
  }

  /** Folders of libraries, for the loader. */
  List<Path> libraries() throws IOException {
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
