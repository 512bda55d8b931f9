package dev.rocport.toolchain;

import dev.rocport.io.Folders;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The OpenMP runtime that clang links with {@code -fopenmp}, and what programs need to find it when
 * they are started.
 *
 * @param libraries the folder of {@code libomp.so}
 */
public record OpenMp(Path libraries) {
  /** Where a provisioned toolchain has it when the machine's clang comes without one. */
  public static final String FOLDER = "openmp";

  /** Where links to that of the toolchain's own clang are, for another clang without one. */
  private static final String SHARED = "openmp-shared";

  private static final String LIBRARY = "libomp.so";
  private static final Pattern RUNTIME =
      Pattern.compile("-l(?:omp|gomp|iomp5)|/.*/lib(?:omp|gomp|iomp5)\\.so(?:\\.\\d+)*");
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** The runtime of a toolchain: that of its clang, else the one provisioned beside it. */
  public static Optional<OpenMp> of(Toolchain toolchain) throws IOException {
    Optional<OpenMp> own = of(toolchain.clang());
    return own.isPresent() ? own : provisioned(toolchain.root());
  }

  /** The runtime that a clang finds on its own. */
  public static Optional<OpenMp> of(Path clang) throws IOException {
    ToolRun run =
        ToolRun.of(
            List.of(clang.toString(), "-print-file-name=" + LIBRARY),
            Path.of("/"),
            Map.of(),
            LIMIT);
    // Clang prints the bare name when it did not find the file.
    return run.ok() && run.output().startsWith("/")
        ? at(Path.of(run.output().strip()).normalize())
        : Optional.empty();
  }

  /**
   * Lets another clang use the OpenMP of a provisioned toolchain's clang: links to its runtime and
   * its headers, which {@link #of} and {@link #compile} find. Another clang must not search the
   * folder of the headers itself, which has those of the C language for one clang.
   */
  public static void share(Toolchain toolchain) throws IOException {
    Path folder = toolchain.root().resolve(SHARED);
    if (toolchain.kind() != Toolchain.Kind.PROVISIONED
        || Files.exists(folder)
        || Files.exists(toolchain.root().resolve(FOLDER))
        || !Files.isWritable(toolchain.root())) {
      return;
    }
    Optional<OpenMp> own = of(toolchain.clang());
    Optional<Path> header =
        own.isPresent()
            ? Folders.find(own.get().libraries.resolve("clang"), "include/omp.h")
            : Optional.empty();
    if (header.isEmpty()) {
      return;
    }
    Path made = toolchain.root().resolve(SHARED + ProcessHandle.current().pid());
    Path lib = Files.createDirectories(made.resolve("usr/lib/llvm/lib"));
    Path include = Files.createDirectories(lib.resolve("clang/include"));
    for (Path file : own.get().files()) {
      Files.createSymbolicLink(lib.resolve(file.getFileName()), file);
    }
    Files.createSymbolicLink(include.resolve(header.get().getFileName()), header.get());
    try {
      Files.move(made, folder);
    } catch (FileSystemException e) {
      Folders.delete(made);
      if (!Files.exists(folder)) { // or another process was faster
        throw e;
      }
    }
  }

  private static Optional<OpenMp> provisioned(Path root) throws IOException {
    for (String folder : List.of(FOLDER, SHARED)) {
      for (Path llvm : Folders.list(root.resolve(folder).resolve("usr/lib"))) {
        Optional<OpenMp> found = at(llvm.resolve("lib").resolve(LIBRARY));
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<OpenMp> at(Path library) {
    Path folder = library.getParent();
    return folder != null && Files.exists(library)
        ? Optional.of(new OpenMp(folder))
        : Optional.empty();
  }

  /** The folder of {@code omp.h} for a clang that has none; the flags search it last. */
  public static List<String> compile(Toolchain toolchain) {
    Path root = toolchain.root();
    try {
      Optional<Path> header = Folders.find(root.resolve(FOLDER), "include/omp.h");
      if (header.isEmpty() && !toolchain.clang().startsWith(root)) {
        header = Folders.find(root.resolve(SHARED), "include/omp.h");
      }
      return header.map(h -> List.of("-idirafter", h.getParent() + "")).orElse(List.of());
    } catch (IOException e) {
      return List.of(); // the compiler then reports that omp.h is missing
    }
  }

  /** Whether a link flag asks for OpenMP, by its own name or by that of a runtime. */
  public static boolean isAskedBy(String flag) {
    return (flag.startsWith("-fopenmp") && !flag.startsWith("-fopenmp-simd")) || isRuntime(flag);
  }

  /**
   * Whether a link flag names a runtime. GNU's must not be linked beside clang's: it would answer
   * {@code omp_get_thread_num} for threads that are not its own.
   */
  public static boolean isRuntime(String flag) {
    return RUNTIME.matcher(flag).matches();
  }

  /** Flags for a link that may use OpenMP; the program then finds the runtime on its own. */
  public List<String> search() {
    return List.of("-L" + libraries, "-Wl,-rpath," + libraries);
  }

  /** The files that programs load, for a folder in their library path. */
  public List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(libraries)) {
      return new ArrayList<>(
          all.filter(f -> (f.getFileName() + "").matches("libomp\\.so(\\.\\d+)*"))
              .sorted()
              .toList());
    }
  }
}
