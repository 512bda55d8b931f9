package dev.rocport.toolchain.runtime;

import dev.rocport.io.LockFile;
import dev.rocport.io.TemporaryFolder;
import dev.rocport.io.elf.ElfFile;
import dev.rocport.io.process.SearchPath;
import dev.rocport.toolchain.InstallLock;
import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.packages.ArchiveStore;
import dev.rocport.toolchain.packages.FolderStore;
import dev.rocport.toolchain.packages.PackageFolder;
import dev.rocport.toolchain.packages.PackageLock;
import dev.rocport.toolchain.packages.PackageSet;
import dev.rocport.toolchain.packages.PackageStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * AMD's own libraries beside {@code libamdhip64} for programs on the device, as Debian packages
 * hold them. Each package has a folder of its own, so that libraries share what they need. They are
 * linked with a newer C library than most machines have: the dynamic loader of that one starts the
 * program. {@code libamdhip64} is that of rocport.
 */
final class RocmLibraries {
  /** Names for the libamdhip64 of rocport the folder whose libraries it notes. */
  static final String VARIABLE = "ROCPORT_LIBRARIES";

  private static final String FOLDER = "libraries";
  private static final Path LOADER = Path.of("/lib64/ld-linux-x86-64.so.2");
  private static final Pattern LISTED = Pattern.compile("\\s+(\\S+) => (/\\S+) \\(0x.*");

  /** Files larger than this are not read to see which libraries they name. */
  private static final long LARGEST_SCANNED = 64L << 20;

  private final LibraryPackages table;
  private final PackageLock lock;
  private final ToolchainRequest request;
  private final HipRuntime runtime;
  private final Consumer<String> progress;
  private final Path home;
  private final Map<String, PackageFolder> folders = new TreeMap<>();

  /**
   * Libraries of which nothing is fetched yet.
   *
   * @param runtime that programs run with
   * @param progress receives one line for each step that takes time
   */
  RocmLibraries(ToolchainRequest request, HipRuntime runtime, Consumer<String> progress) {
    this(request, runtime, LibraryPackages.builtIn(), PackageLock.builtIn(), progress);
  }

  /** The same with other packages. */
  RocmLibraries(
      ToolchainRequest request,
      HipRuntime runtime,
      LibraryPackages table,
      PackageLock lock,
      Consumer<String> progress) {
    this.table = table;
    this.lock = lock;
    this.request = request;
    this.runtime = runtime;
    this.progress = progress;
    this.home = request.home().resolve(FOLDER);
  }

  /**
   * The command that starts a program with AMD's libraries where it is linked with some, or names
   * some; else the program itself.
   *
   * @param program with its arguments
   * @param environment of the command, to which what the libraries need is added
   * @throws ToolchainException if a library cannot be had, or the program is a script
   */
  List<String> command(List<String> program, Map<String, String> environment)
      throws ToolchainException {
    Path file = file(program.getFirst());
    String path = environment.getOrDefault("LD_LIBRARY_PATH", "");
    try {
      Set<Library> wanted = named(file, path);
      environment.put(VARIABLE, Files.createDirectories(home).toRealPath().toString());
      if (wanted.isEmpty()) {
        return program;
      }
      if (!ElfFile.hasMagic(file)) {
        throw new UnavailableLibraryException(
            file.getFileName()
                + " is a script, and only programs can use AMD's libraries: run the program that"
                + " the script starts, or use --libs-runtime standin");
      }
      requireOneHip(file, wanted);
      fetch(table.packages(wanted));
      table.variables(wanted).forEach(environment::putIfAbsent);
      return started(program, file, wanted, path);
    } catch (IOException e) {
      throw new ToolchainException("cannot prepare AMD's libraries: " + e.getMessage(), e);
    }
  }

  /** Refuses libraries that are built for HIP 6 beside one that is built for HIP 5. */
  private void requireOneHip(Path file, Set<Library> wanted) throws ToolchainException {
    List<String> older = names(wanted, l -> !table.preloads(List.of(l)).isEmpty());
    List<String> newer = names(wanted, l -> table.preloads(List.of(l)).isEmpty());
    if (!older.isEmpty() && !newer.isEmpty()) {
      throw new UnavailableLibraryException(
          "%s needs %s of Debian, which is built for HIP 5, and %s, built for HIP 6: they cannot"
                  .formatted(file.getFileName(), join(older), join(newer))
              + " share a process. Use --libs-runtime standin.");
    }
  }

  private static List<String> names(Set<Library> libraries, Predicate<Library> which) {
    return libraries.stream().filter(which).map(StandIns::name).toList();
  }

  private static String join(List<String> names) {
    return String.join(", ", names);
  }

  private List<String> started(
      List<String> program, Path file, Collection<Library> wanted, String path)
      throws IOException, ToolchainException {
    List<Path> libraries = new ArrayList<>();
    Optional<Path> loader = Optional.empty();
    for (String name : table.packages(wanted)) {
      PackageFolder folder = folder(name);
      libraries.addAll(folder.libraries());
      loader = loader.or(folder::loader);
    }
    List<String> command = new ArrayList<>();
    command.add(
        loader
            .orElseThrow(() -> new ToolchainException("no dynamic loader in " + home))
            .toString());
    command.add("--preload");
    List<Path> preloads = new ArrayList<>(runtime.preloads(progress));
    table.preloads(wanted).forEach(p -> preloads.add(runtime.root().resolve(p)));
    command.add(joined(preloads));
    command.add("--library-path");
    command.add(joined(libraries) + (path.isEmpty() ? "" : ":" + path));
    command.add("--argv0");
    command.add(program.getFirst());
    command.add(file.toString());
    command.addAll(program.subList(1, program.size()));
    return command;
  }

  private static String joined(List<Path> paths) {
    return String.join(":", paths.stream().map(Path::toString).toList());
  }

  /** The libraries that a program is linked with, or names in a string. */
  private Set<Library> named(Path file, String path) throws IOException, ToolchainException {
    StringBuilder text = new StringBuilder(text(file));
    StringBuilder linked = new StringBuilder();
    if (ElfFile.hasMagic(file) && Files.exists(LOADER)) {
      ToolRun listed =
          ToolRun.of(
              List.of(LOADER.toString(), "--list", file.toAbsolutePath().toString()),
              Path.of("."),
              Map.of("LD_LIBRARY_PATH", path),
              Duration.ofMinutes(1));
      for (String line : listed.output().lines().toList()) {
        Matcher library = LISTED.matcher(line);
        if (library.matches()) {
          linked.append(library.group(1)).append('\n');
          Path at = Path.of(library.group(2));
          // Libraries of the project name others, those of the system do not.
          if (Stream.of("/lib", "/usr", runtime.root().toString()).noneMatch(at::startsWith)) {
            text.append(text(at));
          }
        }
      }
    }
    Set<Library> named = EnumSet.noneOf(Library.class);
    for (Library library : Library.values()) {
      String name = StandIns.name(library) + ".so";
      boolean isLinked = linked.indexOf(name) >= 0;
      if (isLinked || text.indexOf(name) >= 0) {
        Optional<String> obstacle = table.obstacle(library);
        if (isLinked && obstacle.isPresent()) {
          throw new UnavailableLibraryException(
              "%s needs %s, which AMD's packages cannot provide: %s. Use --libs-runtime standin."
                  .formatted(file.getFileName(), StandIns.name(library), obstacle.get()));
        }
        if (table.has(library)) {
          named.add(library);
        }
      }
    }
    return named;
  }

  private static String text(Path file) throws IOException {
    return Files.isReadable(file) && Files.size(file) < LARGEST_SCANNED
        ? Files.readString(file, StandardCharsets.ISO_8859_1)
        : "";
  }

  private Path file(String program) throws ToolchainException {
    if (program.contains("/")) {
      return Path.of(program);
    }
    return SearchPath.find(program, request.environment())
        .orElseThrow(() -> new ToolchainException("no such program: " + program));
  }

  /** Downloads and unpacks what is not there yet. */
  private synchronized void fetch(Collection<String> packages)
      throws IOException, ToolchainException {
    if (folders.keySet().containsAll(packages)) {
      return;
    }
    try (LockFile _ = InstallLock.acquire(home, progress);
        TemporaryFolder scratch = TemporaryFolder.create("rocport-libraries")) {
      List<PackageSet> sets = packages.stream().map(PackageSet::single).toList();
      List<PackageSet> absent = sets.stream().filter(s -> !PackageFolder.isKept(s, home)).toList();
      if (!absent.isEmpty()) {
        PackageFolder.requireRoom(absent, lock, home);
        progress.accept(
            "AMD's libraries for this program (%s): %d MB to download, %d MB on disk in %s"
                .formatted(
                    absent.stream().map(PackageSet::name).collect(Collectors.joining(", ")),
                    PackageLock.megabytes(absent.stream().mapToLong(lock::download).sum()),
                    PackageLock.megabytes(absent.stream().mapToLong(lock::room).sum()),
                    home));
      }
      PackageStore store = store(absent, scratch.path());
      for (PackageSet set : sets) {
        PackageFolder folder =
            PackageFolder.of(
                set, lock, store, home, true, absent.contains(set) ? progress : x -> {});
        if (folders.put(set.name(), folder) == null) {
          lock.differences(folder.debs()).forEach(progress);
        }
      }
    }
  }

  private PackageStore store(List<PackageSet> sets, Path scratch) {
    return request
        .offline()
        .<PackageStore>map(folder -> new FolderStore(folder, lock))
        .orElseGet(() -> new ArchiveStore(sets, request.environment(), scratch, progress));
  }

  private synchronized PackageFolder folder(String name) throws ToolchainException {
    PackageFolder folder = folders.get(name);
    if (folder == null) {
      throw new ToolchainException("the package " + name + " was not unpacked");
    }
    return folder;
  }
}
