package dev.rocport.toolchain;

import dev.rocport.io.Folders;
import java.io.IOException;
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

  private static Optional<OpenMp> provisioned(Path root) throws IOException {
    for (Path llvm : Folders.list(root.resolve(FOLDER).resolve("usr/lib"))) {
      Optional<OpenMp> found = at(llvm.resolve("lib").resolve(LIBRARY));
      if (found.isPresent()) {
        return found;
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
  public static List<String> compile(Path root) {
    try {
      Optional<Path> header = Folders.find(root.resolve(FOLDER), "include/omp.h");
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
