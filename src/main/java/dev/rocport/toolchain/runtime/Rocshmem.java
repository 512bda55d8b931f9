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
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The rocSHMEM that programs are compiled and linked with: ROCm's own if there is one, otherwise
 * rocport's, a static library with device code for all targets, which is compiled when a program is
 * first linked with it.
 */
public final class Rocshmem {
  /** The name after {@code -l}. */
  public static final String LINK_NAME = "rocshmem";

  private static final String ARCHIVE = "librocshmem.a";
  private static final String HEADER = "rocshmem/rocshmem.hpp";
  private static final String HSA = "hsa-runtime64";
  private static final Pattern SHMEM_NAME = Pattern.compile("\\b(rocshmem_|ROCSHMEM_)\\w+");

  private final Toolchain toolchain;
  private final Path home;
  private final Path sources;
  private final Optional<Own> own;

  /** ROCm's. */
  private record Own(Path include, Path archive) {}

  private Rocshmem(Toolchain toolchain, Path home, Path sources, Map<String, String> environment) {
    this.toolchain = toolchain;
    this.home = home.resolve("rocshmem");
    this.sources = sources;
    this.own = own(toolchain, environment);
  }

  /** The one for a toolchain. */
  public static Rocshmem of(Toolchain toolchain) {
    ToolchainRequest request = ToolchainRequest.defaults();
    return of(toolchain, request.home(), HipRuntime.installation(), request.environment());
  }

  static Rocshmem of(
      Toolchain toolchain, Path home, Path installation, Map<String, String> environment) {
    return new Rocshmem(toolchain, home, installation.resolve("hip-runtime/rocshmem"), environment);
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

  /** Whether it is rocport's. */
  public boolean isStandIn() {
    return own.isEmpty();
  }

  /** Flags that let the compiler find its headers, and the MPI that ROCm's own include. */
  public List<String> compile() throws ToolchainException {
    try {
      List<String> flags = new ArrayList<>(List.of("-isystem", headers().toString()));
      if (own.isPresent() && includesMpi(headers())) {
        mpi(line -> {}).includes().forEach(i -> flags.addAll(List.of("-idirafter", i.toString())));
      }
      return flags;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot set up the rocSHMEM headers", e);
    }
  }

  /**
   * Its headers' folder. rocport's are copied to where their content names them, so that the same
   * headers make the same objects wherever rocport is.
   */
  private Path headers() throws IOException {
    if (own.isPresent()) {
      return own.get().include();
    }
    Path from = sources.resolve("include");
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
    if (own.isPresent()) {
      return own.get().archive();
    }
    try {
      Path headers = headers();
      Path archive = home.resolve(key(headers)).resolve(ARCHIVE);
      if (!Files.exists(archive)) {
        try (LockFile _ = InstallLock.acquire(home.resolveSibling(""), progress)) {
          if (!Files.exists(archive)) {
            progress.accept("compiling rocSHMEM (repeated only if it changes)");
            build(headers, archive);
            KeptFolders.forgetOld(home, name -> true);
          }
        }
      }
      KeptFolders.touch(archive.resolveSibling(""));
      KeptFolders.touch(headers);
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
    List<String> flags = new ArrayList<>(List.of(archive(progress).toString()));
    if (own.isEmpty()) {
      return flags;
    }
    Path lib =
        HipRuntime.needed(toolchain)
            ? HipRuntime.of(toolchain, progress).libraries()
            : toolchain.root().resolve("lib");
    flags.addAll(List.of("-L" + lib, "-Wl,--as-needed", "-l" + HSA));
    try {
      if (includesMpi(headers())) {
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
    for (Path header : Folders.files(headers())) {
      String text = Files.readString(header, StandardCharsets.ISO_8859_1);
      SHMEM_NAME.matcher(text).results().forEach(r -> names.remove(r.group()));
    }
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the rocSHMEM headers in %s have no %s: the program needs a newer rocSHMEM, or that of rocport, which is used without ROCSHMEM_PATH"
                .formatted(headers(), String.join(", ", names)));
  }

  private static boolean includesMpi(Path headers) throws IOException {
    return Files.readString(headers.resolve(HEADER), StandardCharsets.ISO_8859_1)
        .contains("#include <mpi.h>");
  }

  private static Mpi mpi(Consumer<String> progress) throws ToolchainException {
    return Mpi.require(ToolchainRequest.defaults(), progress);
  }

  /** A hash of everything that goes in. */
  private String key(Path headers) throws IOException {
    Path from = sources.resolve("src");
    return new ContentHash()
        .add(toolchain.fingerprint() + toolchain.root() + device(headers) + host(headers))
        .add(from, Folders.files(from))
        .name();
  }

  private List<String> device(Path headers) {
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    command.addAll(toolchain.hipCompile(toolchain.targets().stream().map(GfxTarget::id).toList()));
    command.add("-fgpu-rdc");
    command.addAll(common(headers));
    return command;
  }

  private List<String> host(Path headers) {
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString(), "-x", "c++"));
    command.addAll(toolchain.hostCompile());
    command.addAll(common(headers));
    return command;
  }

  private static List<String> common(Path headers) {
    return List.of(
        "-std=c++17",
        "-O2",
        "-fPIC",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-deprecated-declarations",
        "-isystem",
        headers.toString());
  }

  private void build(Path headers, Path archive) throws IOException, ToolchainException {
    Path part = Files.createTempDirectory(Files.createDirectories(home), ".making-");
    try {
      List<String> pack = new ArrayList<>();
      pack.add(toolchain.clang().resolveSibling("llvm-ar").toString());
      pack.addAll(List.of("rcs", part.resolve(ARCHIVE).toString()));
      objects(headers, part).forEach(o -> pack.add(o.toString()));
      run(pack, ARCHIVE);
      Path folder = Files.createDirectories(archive.resolveSibling(""));
      Files.move(part.resolve(ARCHIVE), folder.resolve(ARCHIVE), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Folders.delete(part);
    }
  }

  /** Compiles all sources, as many at a time as there are processors. */
  private List<Path> objects(Path headers, Path folder) throws IOException, ToolchainException {
    List<Callable<Path>> compiles = new ArrayList<>();
    for (Path source : Folders.list(sources.resolve("src"))) {
      String name = String.valueOf(source.getFileName());
      boolean hip = name.endsWith(".hip");
      if (hip || name.endsWith(".cpp")) {
        List<String> command = hip ? device(headers) : host(headers);
        Path object = folder.resolve(name + ".o");
        command.addAll(List.of("-c", "-o", object.toString(), source.toString()));
        compiles.add(
            () -> {
              run(command, source.toString());
              return object;
            });
      }
    }
    return ParallelTasks.run(compiles);
  }

  private void run(List<String> command, String what) throws IOException, ToolchainException {
    ToolRun.compile(command, sources, what);
  }
}
