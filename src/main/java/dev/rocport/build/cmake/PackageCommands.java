package dev.rocport.build.cmake;

import dev.rocport.build.cmake.Evaluator.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The commands about projects, folders, modules and packages. */
final class PackageCommands {
  /** Packages that the toolchain stands for, or that the compiler has by itself. */
  private static final Set<String> KNOWN =
      Set.of(
          "CUDA",
          "CUDAToolkit",
          "CUB",
          "Thrust",
          "CUDAThrust",
          "Threads",
          "OpenMP",
          "hip",
          "HIP",
          "hipblas",
          "hiprand",
          "hipfft",
          "hipsparse",
          "hipsolver",
          "hipcub",
          "rocprim",
          "rocthrust",
          "rocrand",
          "rocblas",
          "NCCL",
          "NVSHMEM",
          "CUDNN",
          "rccl");

  /** Modules whose commands and variables play no part here. */
  private static final Set<String> MODULES =
      Set.of(
          "CTest",
          "GNUInstallDirs",
          "CheckLanguage",
          "CMakePackageConfigHelpers",
          "CPack",
          "CMakePrintHelpers",
          "FindCUDA",
          "CMakeDependentOption",
          "InstallRequiredSystemLibraries");

  private final Evaluator evaluator;

  PackageCommands(Evaluator evaluator) {
    this.evaluator = evaluator;
  }

  /** False if the command is none of these. */
  boolean run(Call call, List<String> words, Place place) throws CMakeException, IOException {
    switch (call.name()) {
      case "project" -> project(call, words, place);
      case "add_subdirectory" -> folder(call, words, place);
      case "include" -> include(call, words, place);
      case "find_package" -> find(call, words, place.scope());
      case "find_library", "find_path", "find_file", "find_program" -> {
        // Nothing outside of the tree is looked for: what is optional is not there. A library of
        // NVIDIA's is found by its name, which linking turns into the one of ROCm.
        Optional<String> library =
            call.name().equals("find_library")
                ? words.stream().skip(1).filter(PackageCommands::isCudaLibrary).findFirst()
                : Optional.empty();
        if (library.isPresent()) {
          place.scope().set(words.getFirst(), library.get());
          break;
        }
        if (words.contains("REQUIRED")) {
          throw call.unsupported(call.name() + "(REQUIRED)");
        }
        if (!words.isEmpty()) {
          place.scope().setDefault(words.getFirst(), words.getFirst() + "-NOTFOUND", false);
        }
      }
      case "cuda_select_nvcc_arch_flags" -> {
        if (!words.isEmpty()) {
          place.scope().set(words.getFirst(), "");
        }
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private static boolean isCudaLibrary(String name) {
    return name.matches(
        "cu(dart|da|blas|blasLt|sparse|solver|fft|rand|dnn)|nvrtc|nccl|nvToolsExt"
            + "|nvshmem(_host|_device)?");
  }

  private static void project(Call call, List<String> words, Place place) throws CMakeException {
    if (words.isEmpty()) {
      throw call.error("project needs a name");
    }
    Scope s = place.scope();
    String name = words.getFirst();
    s.set("PROJECT_NAME", name);
    s.set("PROJECT_SOURCE_DIR", s.get("CMAKE_CURRENT_SOURCE_DIR"));
    s.set("PROJECT_BINARY_DIR", s.get("CMAKE_CURRENT_BINARY_DIR"));
    s.set(name + "_SOURCE_DIR", s.get("CMAKE_CURRENT_SOURCE_DIR"));
    s.set(name + "_BINARY_DIR", s.get("CMAKE_CURRENT_BINARY_DIR"));
    s.setDefault("CMAKE_PROJECT_NAME", name, false);
    int at = words.indexOf("VERSION");
    if (at >= 0 && at + 1 < words.size()) {
      String[] part = words.get(at + 1).split("\\.");
      List<String> keys = List.of("_VERSION_MAJOR", "_VERSION_MINOR", "_VERSION_PATCH");
      for (String prefix : List.of("PROJECT", name)) {
        s.set(prefix + "_VERSION", words.get(at + 1));
        for (int i = 0; i < keys.size(); i++) {
          s.set(prefix + keys.get(i), i < part.length ? part[i] : "");
        }
      }
    }
  }

  private void folder(Call call, List<String> words, Place place)
      throws CMakeException, IOException {
    if (words.isEmpty()) {
      throw call.error("add_subdirectory needs a folder");
    }
    Path folder = place.folder().resolve(words.getFirst()).normalize();
    if (!folder.startsWith(evaluator.root)) {
      throw call.unsupported("the folder " + words.getFirst() + ", which lies out of the tree,");
    }
    if (!Files.isRegularFile(folder.resolve("CMakeLists.txt"))) {
      throw call.error(words.getFirst() + " has no CMakeLists.txt");
    }
    evaluator.folder(folder, place.scope().child(), place.directory().copy());
  }

  private void include(Call call, List<String> words, Place place)
      throws CMakeException, IOException {
    String name = words.isEmpty() ? "" : words.getFirst();
    if (MODULES.contains(name)) {
      return;
    }
    Path file = place.folder().resolve(name).normalize();
    if (!Files.isRegularFile(file)) {
      for (String folder : place.scope().list("CMAKE_MODULE_PATH")) {
        Path module = place.folder().resolve(folder).resolve(name + ".cmake").normalize();
        if (Files.isRegularFile(module)) {
          file = module;
        }
      }
    }
    if (!Files.isRegularFile(file)) {
      if (words.contains("OPTIONAL")) {
        return;
      }
      throw call.unsupported("include(" + name + ")");
    }
    String before = place.scope().get("CMAKE_CURRENT_LIST_DIR");
    place.scope().set("CMAKE_CURRENT_LIST_DIR", String.valueOf(file.getParent()));
    evaluator.file(file, place);
    place.scope().set("CMAKE_CURRENT_LIST_DIR", before);
  }

  private void find(Call call, List<String> words, Scope scope) throws CMakeException {
    String name = words.isEmpty() ? "" : words.getFirst();
    if (KNOWN.contains(name)) {
      scope.set(name + "_FOUND", "TRUE");
      scope.set(name.toUpperCase(Locale.ROOT) + "_FOUND", "TRUE");
      scope.set(name + "_VERSION", "12.8");
      switch (name) {
        case "CUDA" -> {
          scope.set("CUDA_VERSION", "12.8");
          scope.set("CUDA_LIBRARIES", "cudart");
          scope.set("CUDA_CUDART_LIBRARY", "cudart");
          scope.set("CUDA_CUBLAS_LIBRARIES", "cublas");
          scope.set("CUDA_CUFFT_LIBRARIES", "cufft");
          scope.set("CUDA_curand_LIBRARY", "curand");
          scope.set("CUDA_cusparse_LIBRARY", "cusparse");
          scope.set("CUDA_cusolver_LIBRARY", "cusolver");
          scope.set("CUDA_CUDA_LIBRARY", "cuda");
        }
        case "CUDAToolkit" -> scope.set("CUDAToolkit_VERSION_MAJOR", "12");
        case "Threads" -> scope.set("CMAKE_THREAD_LIBS_INIT", "-pthread");
        case "OpenMP" -> {
          scope.set("OpenMP_CXX_FOUND", "TRUE");
          scope.set("OpenMP_CXX_FLAGS", "-fopenmp");
          scope.set("OpenMP_C_FLAGS", "-fopenmp");
        }
        default -> {}
      }
    } else if (words.contains("REQUIRED")) {
      throw call.unsupported("find_package(" + name + " REQUIRED)");
    } else {
      scope.set(name + "_FOUND", "FALSE");
      evaluator.notes.add(
          "%s:%d: %s is taken as not found".formatted(call.file(), call.line(), name));
    }
  }
}
