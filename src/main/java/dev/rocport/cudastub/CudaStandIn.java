package dev.rocport.cudastub;

import dev.rocport.commandline.NvccFlags;
import dev.rocport.io.process.Exec;
import dev.rocport.io.process.ShellWord;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A folder that looks like the CUDA toolkit to CMake, configure scripts, make and Meson, with host
 * compilers next to nvcc. Until {@link #building()}, its programs do their work, for the host only;
 * after that, they record their command lines and create empty files. It contains no NVIDIA code.
 */
public final class CudaStandIn {
  /** CUDA programs that builds call in addition to nvcc; they only record the call. */
  private static final List<String> TOOLS =
      List.of("fatbinary", "nvlink", "ptxas", "cuobjdump", "nvdisasm", "nvprune", "bin2c");

  private static final List<String> COMPILERS =
      List.of("nvcc", "g++", "gcc", "c++", "cc", "clang++", "clang", "ar", "ranlib");

  /** Libraries of the toolkit by their names in {@code -l}; stubs hold every name of the tables. */
  private static final List<String> LIBRARIES =
      List.of(
          "cudart",
          "cudadevrt",
          "cuda",
          "cublas",
          "cublasLt",
          "cufft",
          "cufftw",
          "curand",
          "cusolver",
          "cusparse",
          "nvrtc",
          "nvToolsExt",
          "nvJitLink",
          "nccl",
          "cudnn",
          "cupti",
          "nvidia-ml",
          "culibos",
          "nvshmem",
          "nvshmem_host",
          "nvshmem_device");

  /** Functions that programs with kernels call implicitly. */
  private static final List<String> INNER =
      List.of(
          "__cudaRegisterFatBinary",
          "__cudaRegisterFatBinaryEnd",
          "__cudaUnregisterFatBinary",
          "__cudaRegisterFunction",
          "__cudaRegisterVar",
          "__cudaRegisterManagedVar",
          "__cudaInitModule",
          "__cudaPushCallConfiguration",
          "__cudaPopCallConfiguration",
          "cudaConfigureCall",
          "cudaSetupArgument",
          "cudaLaunch");

  /** Reports a machine without GPUs; all other functions are aliases of the first one. */
  private static final String FUNCTIONS =
      """
      int rocport_standin(void) { return 0; }
      int cudaGetDeviceCount(int* count) { *count = 0; return 100; }
      const char* cudaGetErrorString(int error) { return error ? "no GPU" : "no error"; }
      """;

  private static final String VERSION =
      """
      {"cuda": {"name": "stand-in", "version": "12.8.0"}}
      """;

  private final Path root;
  private final Toolchain toolchain;

  private CudaStandIn(Path root, Toolchain toolchain) {
    this.root = root;
    this.toolchain = toolchain;
  }

  /**
   * Makes a stand-in.
   *
   * @param root an empty or new folder, without a quote in its name
   * @throws ToolchainException if the host compiler fails
   */
  public static CudaStandIn create(Path root, Toolchain toolchain)
      throws IOException, InterruptedException, ToolchainException {
    CudaStandIn standIn = new CudaStandIn(root, toolchain);
    for (String folder :
        List.of("bin", "include", "lib64/stubs", "nvvm/libdevice", "real", "outputs", "commands")) {
      Files.createDirectories(root.resolve(folder));
    }
    Files.createSymbolicLink(root.resolve("lib"), Path.of("lib64"));
    Files.writeString(root.resolve("version.json"), VERSION);
    standIn.headers();
    standIn.programs();
    standIn.libraries();
    return standIn;
  }

  /** Returns the folder that represents the CUDA toolkit. */
  public Path root() {
    return root;
  }

  public Path bin() {
    return root.resolve("bin");
  }

  /** Returns the environment in which a project finds the stand-in. */
  public Map<String, String> environment(String path) {
    return Map.of(
        "PATH",
        bin() + ":" + path,
        "CUDA_PATH",
        root.toString(),
        "CUDA_HOME",
        root.toString(),
        "CUDACXX",
        bin().resolve("nvcc").toString(),
        "CUDAHOSTCXX",
        "",
        "NVCC_PREPEND_FLAGS",
        "",
        "NVCC_APPEND_FLAGS",
        "");
  }

  /** Switches to recording: command lines are recorded and nothing is compiled. */
  public void building() throws IOException {
    Files.writeString(root.resolve("building"), "");
  }

  /** Discards the recorded commands and switches back to compiling. */
  public void configuring() throws IOException {
    Files.deleteIfExists(root.resolve("building"));
    for (Path note : notes()) {
      Files.delete(note);
    }
  }

  /** Returns the recorded commands sorted by text, because builds run in parallel. */
  public List<CudaCommand> commands() throws IOException {
    List<CudaCommand> commands = new ArrayList<>();
    for (Path note : notes()) {
      List<String> words =
          List.of(Files.readString(note, StandardCharsets.ISO_8859_1).split("\0", -1));
      if (words.size() > 2) {
        commands.add(
            new CudaCommand(words.get(0), words.get(1), words.subList(2, words.size() - 1)));
      }
    }
    commands.sort(null);
    return commands;
  }

  private List<Path> notes() throws IOException {
    try (Stream<Path> files = Files.list(root.resolve("commands"))) {
      return files.sorted().toList();
    }
  }

  private void headers() throws IOException {
    Path include = root.resolve("include");
    for (ApiName name : RuleCatalog.builtIn().names()) {
      Path file = include.resolve(name.cuda()).normalize();
      if (name.kind() == ApiName.Kind.HEADER && file.startsWith(include)) {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#include \"cuda_runtime.h\"\n");
      }
    }
    Files.writeString(include.resolve("cuda_runtime.h"), resource("cuda_runtime.h"));
    // Version checks read these files as text.
    Files.writeString(include.resolve("cuda_runtime_api.h"), version("CUDART_VERSION"));
    Files.writeString(include.resolve("cuda.h"), version("CUDA_VERSION"));
  }

  private static String version(String macro) {
    return "#define %s 12080\n#include \"cuda_runtime.h\"\n".formatted(macro);
  }

  private void programs() throws IOException {
    Path clang = toolchain.clang();
    Path c = clang.resolveSibling((clang.getFileName() + "").replace("clang++", "clang"));
    List<String> flags = new ArrayList<>();
    toolchain.sysroot().ifPresent(s -> flags.add("--sysroot=" + s));
    flags.addAll(List.of("-fuse-ld=lld", "-Wno-unused-command-line-argument"));
    flags.addAll(List.of("-isystem", root.resolve("include").toString()));
    real("c++", clang, flags);
    real("cc", c, flags);
    List<String> cuda = new ArrayList<>(flags);
    cuda.addAll(
        List.of(
            "--cuda-host-only",
            "-nocudainc",
            "-nocudalib",
            "-Wno-unknown-cuda-version",
            "-D__NVCC__",
            "-D__CUDACC__"));
    cuda.addAll(
        List.of(
            "-D__CUDACC_VER_MAJOR__=12", "-D__CUDACC_VER_MINOR__=8", "-D__CUDACC_VER_BUILD__=0"));
    cuda.addAll(List.of("-include", root.resolve("include/cuda_runtime.h").toString()));
    real("cuda", clang, cuda);
    real("ar", tool("llvm-ar"), List.of());
    String script =
        resource("compiler.sh")
            .replace("@ROOT@", root.toString())
            .replace("@TAKES@", String.join(" | ", NvccFlags.withValue()))
            .replace("@KNOWN@", String.join(" | ", NvccFlags.alone()));
    for (String name : COMPILERS) {
      executable(bin().resolve(name), script);
    }
    for (String name : TOOLS) {
      executable(bin().resolve(name), script);
    }
    executable(root.resolve("outputs/program"), "#!/bin/sh\nexit 0\n");
  }

  /** Returns the path of a program next to the compiler. */
  private Path tool(String name) {
    return toolchain.clang().resolveSibling(name);
  }

  private void real(String name, Path program, Collection<String> flags) throws IOException {
    StringBuilder line =
        new StringBuilder("#!/bin/sh\nexec " + ShellWord.quoted(program.toString()));
    flags.forEach(w -> line.append(' ').append(ShellWord.quoted(w)));
    executable(root.resolve("real").resolve(name), line.append(" \"$@\"\n").toString());
  }

  /** Installs one library under all names, with the functions of all of them. */
  private void libraries() throws IOException, InterruptedException, ToolchainException {
    SortedSet<String> names = new TreeSet<>(INNER);
    RuleCatalog.builtIn().names().stream()
        .filter(n -> n.kind() == ApiName.Kind.FUNCTION && n.cuda().matches("\\w+"))
        .forEach(n -> names.add(n.cuda()));
    names.removeAll(List.of("cudaGetDeviceCount", "cudaGetErrorString"));
    StringBuilder source = new StringBuilder(FUNCTIONS);
    for (String name : names) {
      source.append("__asm__(\".globl %s\\n.set %s, rocport_standin\");\n".formatted(name, name));
    }
    Path outputs = root.resolve("outputs");
    Path api = Files.writeString(outputs.resolve("api.c"), source.toString());
    Path empty = Files.writeString(outputs.resolve("empty.c"), "");
    Path object = outputs.resolve("api.o");
    Path shared = root.resolve("lib64/libcudart.so");
    Path archive = root.resolve("lib64/libcudart_static.a");
    real("cc", List.of("-fPIC", "-c", api.toString(), "-o", object.toString()));
    real("cc", List.of("-c", empty.toString(), "-o", outputs.resolve("object").toString()));
    real("cc", List.of("-shared", object.toString(), "-o", shared.toString()));
    real(
        "cc",
        List.of(
            "-shared",
            "-nostdlib",
            outputs.resolve("object") + "",
            "-o",
            outputs.resolve("library") + ""));
    real("ar", List.of("rcs", archive.toString(), object.toString()));
    real("ar", List.of("rcs", outputs.resolve("archive") + "", outputs.resolve("object") + ""));
    Path folder = root.resolve("lib64");
    for (String name : LIBRARIES) {
      link(folder.resolve("lib" + name + ".so"), "libcudart.so");
      link(folder.resolve("stubs/lib" + name + ".so"), "../libcudart.so");
      link(folder.resolve("lib" + name + "_static.a"), "libcudart_static.a");
    }
    link(folder.resolve("libcudadevrt.a"), "libcudart_static.a");
    link(folder.resolve("libculibos.a"), "libcudart_static.a");
    Files.delete(api);
    Files.delete(empty);
  }

  private static void link(Path name, String file) throws IOException {
    if (!Files.exists(name)) {
      Files.createSymbolicLink(name, Path.of(file));
    }
  }

  private void real(String program, List<String> arguments)
      throws IOException, InterruptedException, ToolchainException {
    List<String> command = new ArrayList<>(List.of(root.resolve("real").resolve(program) + ""));
    command.addAll(arguments);
    Exec.Outcome run = Exec.of(command).merged().run();
    if (!run.ok()) {
      throw new ToolchainException("cannot create the stand-in for nvcc: " + run.stdout().strip());
    }
  }

  private static void executable(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static String resource(String name) {
    try (InputStream in = CudaStandIn.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
