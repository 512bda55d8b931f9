package dev.rocport.toolchain.runtime;

import dev.rocport.io.Folders;
import dev.rocport.io.LockFile;
import dev.rocport.toolchain.ContentHash;
import dev.rocport.toolchain.GfxTarget;
import dev.rocport.toolchain.InstallLock;
import dev.rocport.toolchain.KeptFolders;
import dev.rocport.toolchain.ParallelTasks;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.Mpi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The rocSHMEM that programs are compiled and linked with: ROCm's own if there is one, otherwise
 * rocport's, a static library with device code for all targets, which is compiled when a program is
 * first linked with it. So is the adapter that completes a rocSHMEM 2 with functions of later
 * versions.
 */
public final class Rocshmem {
  /** The name after {@code -l}. */
  public static final String LINK_NAME = "rocshmem";

  private static final String ARCHIVE = "librocshmem.a";
  private static final String ADAPTER = "librocshmem-adapter.a";
  private static final String HEADER = "rocshmem/rocshmem.hpp";

  /** The former is in version 2 and called by the adapter, the latter came with version 3. */
  private static final String VERSION_2 = "rocshmem_wg_team_sync";

  private static final String VERSION_3 = "rocshmem_get_uniqueid";
  private static final String HSA = "hsa-runtime64";

  private static final List<String> COMMON =
      List.of(
          "-std=c++17",
          "-O2",
          "-fPIC",
          "-Wall",
          "-Wextra",
          "-Werror",
          "-Wno-deprecated-declarations");

  private static final Pattern SHMEM_NAME = Pattern.compile("\\b(rocshmem_|ROCSHMEM_)\\w+");

  private final Toolchain toolchain;
  private final Path home;
  private final Optional<Own> own;

  /** What is compiled: rocport's library, or the adapter for ROCm's. */
  private final Optional<Path> sources;

  /** ROCm's. */
  private record Own(Path include, Path archive) {}

  private Rocshmem(Toolchain toolchain, Path home, Path bodies, Map<String, String> environment) {
    this.toolchain = toolchain;
    this.home = home.resolve("rocshmem");
    this.own = own(toolchain, environment);
    this.sources =
        own.isEmpty()
            ? Optional.of(bodies.resolve("rocshmem"))
            : own.filter(Rocshmem::isVersion2).map(o -> bodies.resolve("rocshmem2"));
  }

  /** The one for a toolchain. */
  public static Rocshmem of(Toolchain toolchain) {
    ToolchainRequest request = ToolchainRequest.defaults();
    return of(toolchain, request.home(), HipRuntime.installation(), request.environment());
  }

  static Rocshmem of(
      Toolchain toolchain, Path home, Path installation, Map<String, String> environment) {
    return new Rocshmem(toolchain, home, installation.resolve("hip-runtime"), environment);
  }

  /** In the folders that variables name, or in a real ROCm. */
  private static Optional<Own> own(Toolchain toolchain, Map<String, String> environment) {
    List<Own> places = new ArrayList<>();
    for (String variable : List.of("ROCSHMEM_PATH", "ROCSHMEM_HOME")) {
      String root = environment.getOrDefault(variable, "");
      if (!root.isBlank()) {
        places.add(below(Path.of(root)));
      }
    }
    String lib = environment.getOrDefault("ROCSHMEM_LIB_DIR", "");
    if (!lib.isBlank()) {
      Path folder = Path.of(lib).toAbsolutePath().normalize();
      places.add(new Own(folder.resolveSibling("include"), folder.resolve(ARCHIVE)));
    }
    if (toolchain.kind() == Toolchain.Kind.ROCM) {
      places.add(below(toolchain.root()));
    }
    return places.stream()
        .filter(p -> Files.isRegularFile(p.include().resolve(HEADER)))
        .filter(p -> Files.isRegularFile(p.archive()))
        .findFirst();
  }

  private static Own below(Path root) {
    return new Own(root.resolve("include"), root.resolve("lib").resolve(ARCHIVE));
  }

  private static boolean isVersion2(Own own) {
    try {
      Set<String> names = names(own.include());
      return names.contains(VERSION_2) && !names.contains(VERSION_3);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the rocSHMEM headers", e);
    }
  }

  /** Whether it is rocport's. */
  public boolean isStandIn() {
    return own.isEmpty();
  }

  /** Whose it is, for reports; empty for rocport's. */
  public Optional<String> origin() {
    return own.map(
        o ->
            "programs use the rocSHMEM in "
                + o.archive()
                + (sources.isEmpty()
                    ? ""
                    : ", with the rocport adapter for functions that version 2 lacks"));
  }

  /** Flags that let the compiler find its headers, and the MPI that ROCm's own include. */
  public List<String> compile() throws ToolchainException {
    try {
      List<String> flags = new ArrayList<>();
      includes().forEach(i -> flags.addAll(List.of("-isystem", i.toString())));
      if (includesMpi()) {
        mpi(line -> {}).includes().forEach(i -> flags.addAll(List.of("-idirafter", i.toString())));
      }
      return flags;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot set up the rocSHMEM headers", e);
    }
  }

  /** Folders of headers; those of the adapter include those of the library. */
  private List<Path> includes() throws IOException {
    List<Path> folders = new ArrayList<>();
    if (sources.isPresent()) {
      folders.add(headers(sources.get().resolve("include")));
    }
    own.ifPresent(o -> folders.add(o.include()));
    return folders;
  }

  /**
   * The folder of rocport's headers. They are copied to where their content names them, so that the
   * same headers make the same objects wherever rocport is.
   */
  private Path headers(Path from) throws IOException {
    List<Path> files = Folders.files(from);
    Path folder = home.resolve("include-" + new ContentHash().add(from, files).name());
    if (!Files.isDirectory(folder)) {
      Path part = Files.createTempDirectory(Files.createDirectories(home), ".making-");
      try {
        for (Path file : files) {
          Path to = part.resolve(from.relativize(file));
          Files.createDirectories(to.resolveSibling(""));
          Files.copy(file, to);
        }
        moveUnlessThere(part, folder);
      } finally {
        Folders.delete(part);
      }
    }
    return folder;
  }

  /** Another process may have been faster. */
  private static void moveUnlessThere(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      if (!Files.isDirectory(to)) {
        throw e;
      }
    }
  }

  /**
   * Returns the library, compiled first if needed. It is linked by its path: clang finds no device
   * code through {@code -l}.
   *
   * @param progress receives one line if it takes time
   * @throws ToolchainException if it cannot be compiled
   */
  public Path archive(Consumer<String> progress) throws ToolchainException {
    return own.isPresent() ? own.get().archive() : made(sources.orElseThrow(), ARCHIVE, progress);
  }

  private Path made(Path from, String name, Consumer<String> progress) throws ToolchainException {
    try {
      List<String> flags = compile();
      Path archive = home.resolve(key(from, flags)).resolve(name);
      if (!Files.exists(archive)) {
        try (LockFile _ = InstallLock.acquire(home.resolveSibling(""), progress)) {
          if (!Files.exists(archive)) {
            progress.accept("compiling rocSHMEM (repeated only if it changes)");
            build(from, flags, archive);
            KeptFolders.forgetOld(home, kept -> true);
          }
        }
      }
      KeptFolders.touch(archive.resolveSibling(""));
      KeptFolders.touch(headers(from.resolve("include")));
      return archive;
    } catch (IOException e) {
      throw new ToolchainException("cannot build rocSHMEM: " + e, e);
    }
  }

  /**
   * Returns what programs are linked with in the place of {@code -lrocshmem}: the library, compiled
   * first if needed, and the libraries that ROCm's own calls.
   *
   * @param progress receives one line if it takes time
   * @throws ToolchainException if one of them cannot be made
   */
  public List<String> link(Consumer<String> progress) throws ToolchainException {
    List<String> flags = new ArrayList<>();
    if (own.isPresent() && sources.isPresent()) {
      flags.add(made(sources.get(), ADAPTER, progress).toString());
    }
    flags.add(archive(progress).toString());
    if (own.isEmpty()) {
      return flags;
    }
    Path lib =
        HipRuntime.needed(toolchain)
            ? HipRuntime.of(toolchain, progress).libraries()
            : toolchain.root().resolve("lib");
    flags.addAll(List.of("-L" + lib, "-Wl,--as-needed", "-l" + HSA));
    try {
      if (includesMpi()) {
        Path mpi = mpi(progress).library();
        flags.add(mpi.toString());
        // C++ code that includes mpi.h needs it.
        Path classes = mpi.resolveSibling("../../libmpi_cxx.so").normalize();
        Stream.of(mpi.resolveSibling("libmpi_cxx.so"), classes)
            .filter(Files::exists)
            .findFirst()
            .ifPresent(c -> flags.add(c.toString()));
      }
    } catch (IOException e) {
      throw new ToolchainException("cannot read the rocSHMEM headers: " + e, e);
    }
    flags.add("-Wl,--no-as-needed");
    return flags;
  }

  /**
   * What to say of errors of the compiler that name functions or constants which the headers of
   * ROCm's own do not have: some versions are older than the program.
   *
   * @param errors messages of the compiler
   */
  public Optional<String> lacking(List<String> errors) throws IOException {
    if (own.isEmpty()) {
      return Optional.empty();
    }
    SortedSet<String> names = new TreeSet<>();
    errors.forEach(e -> SHMEM_NAME.matcher(e).results().forEach(r -> names.add(r.group())));
    for (Path folder : includes()) {
      names.removeAll(names(folder));
    }
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the rocSHMEM headers in %s have no %s: the program needs a newer rocSHMEM, or that of rocport, which is used without ROCSHMEM_PATH"
                .formatted(own.get().include(), String.join(", ", names)));
  }

  /** Those that headers contain. */
  private static Set<String> names(Path headers) throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path header : Folders.files(headers)) {
      String text = Files.readString(header, StandardCharsets.ISO_8859_1);
      SHMEM_NAME.matcher(text).results().forEach(r -> names.add(r.group()));
    }
    return names;
  }

  private boolean includesMpi() throws IOException {
    return own.isPresent()
        && Files.readString(own.get().include().resolve(HEADER), StandardCharsets.ISO_8859_1)
            .contains("#include <mpi.h>");
  }

  private static Mpi mpi(Consumer<String> progress) throws ToolchainException {
    return Mpi.require(ToolchainRequest.defaults(), progress);
  }

  /** A hash of everything that goes in. */
  private String key(Path from, List<String> flags) throws IOException {
    ContentHash hash =
        new ContentHash()
            .add(toolchain.fingerprint() + toolchain.root() + device(flags) + host(flags))
            .add(from.resolve("src"), Folders.files(from.resolve("src")));
    if (own.isPresent()) {
      hash.add(own.get().include(), Folders.files(own.get().include()));
    }
    return hash.name();
  }

  private List<String> device(List<String> flags) {
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    command.addAll(toolchain.hipCompile(toolchain.targets().stream().map(GfxTarget::id).toList()));
    command.add("-fgpu-rdc");
    command.addAll(COMMON);
    command.addAll(flags);
    return command;
  }

  private List<String> host(List<String> flags) {
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString(), "-x", "c++"));
    command.addAll(toolchain.hostCompile());
    command.addAll(COMMON);
    command.addAll(flags);
    return command;
  }

  private void build(Path from, List<String> flags, Path archive)
      throws IOException, ToolchainException {
    Path part = Files.createTempDirectory(Files.createDirectories(home), ".making-");
    try {
      Path made = part.resolve(archive.getFileName());
      List<String> pack = new ArrayList<>();
      pack.add(toolchain.clang().resolveSibling("llvm-ar").toString());
      pack.addAll(List.of("rcs", made.toString()));
      objects(from, flags, part).forEach(o -> pack.add(o.toString()));
      run(from, pack, String.valueOf(archive.getFileName()));
      Files.createDirectories(archive.resolveSibling(""));
      Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Folders.delete(part);
    }
  }

  /** Compiles all sources, as many at a time as there are processors. */
  private List<Path> objects(Path from, List<String> flags, Path folder)
      throws IOException, ToolchainException {
    List<Callable<Path>> compiles = new ArrayList<>();
    for (Path source : Folders.list(from.resolve("src"))) {
      String name = String.valueOf(source.getFileName());
      boolean hip = name.endsWith(".hip");
      if (hip || name.endsWith(".cpp")) {
        List<String> command = hip ? device(flags) : host(flags);
        Path object = folder.resolve(name + ".o");
        command.addAll(List.of("-c", "-o", object.toString(), source.toString()));
        compiles.add(
            () -> {
              run(from, command, source.toString());
              return object;
            });
      }
    }
    return ParallelTasks.run(compiles);
  }

  private static void run(Path from, List<String> command, String what)
      throws IOException, ToolchainException {
    ToolRun.compile(command, from, what);
  }
}
