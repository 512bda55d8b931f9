package dev.rocport.passes;

import dev.rocport.buildsystem.BuildFiles;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.lang.java.JavaPorter;
import dev.rocport.lang.python.PythonPorter;
import dev.rocport.lang.python.PythonProject;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What a family of passes ports, and lines of its language that no pass may touch. */
enum Language {
  CUDA(
      List.of(".cu", ".cuh", ".h", ".c"),
      List.of(
          "/* cudaMalloc(&p, 1); k<<<1, 2>>>(p); __shfl_sync(m, v, 1) %d */",
          "// cudaFree(p); #include <cuda_runtime.h> nvshmem_quiet() %d",
          "static const char* note%d = \"cudaMalloc failed in k<<<1, 2>>>: __syncwarp\";",
          "int my_cudaMalloc_%d, cudaMallocx%1$d, x__shfl_sync%1$d, nvshmem_quietly%1$d;")),
  PYTHON(
      List.of(".py"),
      List.of(
          "# torch.compile(m, mode=\"max-autotune\"); import pynvml %d",
          "note_%d = \"torch.compile, nvidia-smi and pynvml failed\"",
          "my_torch_compile_%d = pynvmlx_%1$d = 1")),
  JAVA(
      List.of(".java"),
      List.of("// cuMemAlloc(p) of libcuda.so %d", "/* cudaMalloc \"nvrtc\" %d */")),
  CMAKE(
      List.of("CMakeLists.txt"),
      List.of("# enable_language(CUDA) CMAKE_CUDA_FLAGS %d", "set(MY_NOTE_%d 1)")),
  MAKE(List.of("Makefile", ".mk"), List.of("# nvcc -arch=sm_80 -lcudart %d", "MY_NOTE_%d := 1")),
  SHELL(List.of(".sh"), List.of("# nvcc -arch=sm_80 -lcudart %d", "my_note_%d=1")),
  MESON(List.of("meson.build"), List.of("# dependency('cuda') %d", "my_note_%d = 1")),
  BAZEL(List.of("BUILD", ".bzl"), List.of("# cuda_library nvcc %d", "my_note_%d = 1")),
  AUTOMAKE(List.of(".am"), List.of("# nvcc $(NVCCFLAGS) %d", "MY_NOTE_%d = 1")),
  CONFIGURE(List.of("configure.ac"), List.of("dnl nvcc AC_PATH_PROG %d", "my_note_%d=1"));

  private static final RuleCatalog CATALOG = RuleCatalog.builtIn();

  private static final Map<PortOptions, CudaPorter> PORTERS = new ConcurrentHashMap<>();

  /** A project whose build says HAVE_CUDA where it uses CUDA, as that of the rules' examples. */
  private static final Map<String, String> SWITCHES = Map.of("HAVE_CUDA", "HAVE_ROCM");

  private final List<String> names;
  private final List<String> kept;

  Language(List<String> names, List<String> kept) {
    this.names = names;
    this.kept = kept;
  }

  boolean has(String file) {
    return names.stream().anyMatch(file::endsWith);
  }

  /** Formats of lines with a number: comments, strings and names that hold names to be ported. */
  List<String> kept() {
    return kept;
  }

  /** Several files of the language after each other are one, too. */
  boolean isJoined() {
    return this != JAVA;
  }

  Changes port(SourceFile file, PortOptions options) {
    return switch (this) {
      case CUDA -> {
        CudaPorter porter = cuda(options);
        ProjectIndex index = ProjectIndex.of(List.of(porter.scan(file))).with(SWITCHES, true);
        yield porter.port(file, index);
      }
      case PYTHON -> new PythonPorter(CATALOG, options).port(file, PythonProject.NONE);
      case JAVA -> new JavaPorter(CATALOG, options, new CudaPorter(CATALOG, options)).port(file);
      default -> BuildFiles.portSnippet(CATALOG, options, file);
    };
  }

  private static CudaPorter cuda(PortOptions options) {
    return PORTERS.computeIfAbsent(options, o -> new CudaPorter(CATALOG, o));
  }
}
