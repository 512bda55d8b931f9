package dev.rocport.toolchain.provision;

import dev.rocport.io.process.SearchPath;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * An Open MPI on this machine, and how to make it run all ranks here.
 *
 * @param tools its programs
 */
public record Mpi(ExtraTools tools) {
  /** What provides it. */
  public static final Extra EXTRA = new MpiTools();

  /** Size limit in bytes of a program that is searched for names of libraries. */
  private static final long LARGEST_SCANNED = 1L << 28;

  /** Of variables that set parameters of Open MPI. */
  private static final String PREFIX = "OMPI_MCA_";

  /** How one rank reads the memory of another. */
  private static final String SINGLE_COPY = "btl_vader_single_copy_mechanism";

  /** What a program with AMD's rocSHMEM names that creates windows. */
  private static final List<String> WITH_WINDOWS = List.of("MPI_Win_create", "rocshmem");

  /** Time limit for mpicc to report its settings. */
  private static final Duration WRAPPER = Duration.ofMinutes(1);

  /**
   * Returns the machine's own, otherwise a provisioned one.
   *
   * @throws ToolchainException if there is none and none can be installed
   */
  public static Mpi require(ToolchainRequest request, Consumer<String> progress)
      throws ToolchainException {
    return new Mpi(Extras.require(EXTRA, request, progress));
  }

  /** The folder of {@code mpicc} and {@code mpirun}. */
  public Path bin() {
    return tools.bin();
  }

  /**
   * Folders of headers.
   *
   * @throws ToolchainException where the compiler's wrapper does not tell
   */
  public List<Path> includes() throws ToolchainException {
    return told("incdirs");
  }

  /**
   * Returns the library for C programs.
   *
   * @throws ToolchainException if none of the folders that the wrapper reports has one
   */
  public Path library() throws ToolchainException {
    return told("libdirs").stream()
        .map(folder -> folder.resolve("libmpi.so"))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(() -> new ToolchainException("mpicc reports no folder with libmpi.so"));
  }

  private List<Path> told(String what) throws ToolchainException {
    List<String> command = List.of(tools.program("mpicc").toString(), "--showme:" + what);
    Map<String, String> environment = new HashMap<>(System.getenv());
    into(environment);
    try {
      ToolRun run = ToolRun.of(command, Path.of("."), environment, WRAPPER);
      if (!run.ok()) {
        throw new ToolchainException(
            "mpicc --showme:" + what + " failed: it is not the mpicc of Open MPI");
      }
      return Stream.of(run.output().strip().split("\\s+")).map(Path::of).toList();
    } catch (IOException e) {
      throw new ToolchainException("mpicc cannot be started: " + e.getMessage());
    }
  }

  /**
   * A command that starts a program as so many ranks.
   *
   * @param variables for the ranks alone
   */
  public List<String> command(int ranks, Map<String, String> variables, List<String> program) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(tools.program("mpirun").toString(), "-np", Integer.toString(ranks)));
    new TreeMap<>(variables).forEach((k, v) -> command.addAll(List.of("-x", k + "=" + v)));
    command.addAll(program);
    return List.copyOf(command);
  }

  /** Puts all that the starter and the ranks need into their variables; the user's own stay. */
  public void into(Map<String, String> environment) {
    tools.into(environment);
    settings().forEach(environment::putIfAbsent);
  }

  /**
   * Lets a program that is linked with MPI, and started without {@code mpirun}, find its libraries
   * where rocport brought them. Another program's variables stay as they are.
   *
   * @param program a file, or a name on {@code PATH}, which is not looked into
   */
  public static void forLinked(
      String program, ToolchainRequest request, Map<String, String> environment)
      throws ToolchainException {
    Path file = Path.of(program);
    if (!program.contains("/") || file.getFileName() == null) {
      return;
    }
    try {
      if (names(file, List.of("libmpi"))) {
        Extras.find(EXTRA, request).ifPresent(t -> t.into(environment));
      }
    } catch (IOException e) {
      throw new ToolchainException("cannot read " + program + ": " + e.getMessage(), e);
    }
  }

  /**
   * Lets the ranks of a program with AMD's rocSHMEM create windows, which Open MPI 4.1 refuses to
   * programs with threads if it may not read the memory of other processes. Other programs do
   * without that, because containers may forbid it. rocport's rocSHMEM creates no windows.
   *
   * @param program a file, or a name on {@code PATH}, which is not looked into
   */
  public static void forWindows(String program, Map<String, String> environment)
      throws ToolchainException {
    Path file = Path.of(program);
    try {
      if (program.contains("/") && file.getFileName() != null && names(file, WITH_WINDOWS)) {
        environment.putIfAbsent(PREFIX + SINGLE_COPY, "cma");
      }
    } catch (IOException e) {
      throw new ToolchainException("cannot read " + program + ": " + e.getMessage(), e);
    }
  }

  /** Whether a program, or the one that libtool's script of that name starts, contains names. */
  private static boolean names(Path file, List<String> names) throws IOException {
    return mentions(file, names)
        || mentions(file.resolveSibling(".libs/" + file.getFileName()), names);
  }

  private static boolean mentions(Path file, List<String> names) throws IOException {
    if (!Files.isRegularFile(file)
        || !Files.isReadable(file)
        || Files.size(file) >= LARGEST_SCANNED) {
      return false;
    }
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    return names.stream().allMatch(text::contains);
  }

  /**
   * Tells {@code mpicc} and {@code mpicxx} to take the toolchain's compiler where the machine has
   * no gcc.
   */
  public static void compilers(Toolchain toolchain, Map<String, String> environment) {
    if (SearchPath.folders(environment).stream()
        .anyMatch(f -> Files.isExecutable(f.resolve("gcc")))) {
      return;
    }
    String sysroot = toolchain.sysroot().map(s -> " --sysroot=" + s).orElse("");
    String flags = sysroot + " -fuse-ld=lld -Wno-unused-command-line-argument";
    environment.put("OMPI_CC", toolchain.clang().resolveSibling("clang") + flags);
    environment.put("OMPI_CXX", toolchain.clang() + flags);
  }

  /** Settings that suit a container with few cores, without network and without ssh. */
  static Map<String, String> settings() {
    Map<String, String> v = new TreeMap<>();
    v.put("OMPI_ALLOW_RUN_AS_ROOT", "1");
    v.put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    // More ranks than cores, on any of them, that leave the core to others while they wait.
    mca(v, "rmaps_base_oversubscribe", "1");
    mca(v, "hwloc_base_binding_policy", "none");
    mca(v, "mpi_yield_when_idle", "1");
    // Ranks speak through shared memory, without the kernel's call to read another process's
    // memory, which containers forbid; the starter neither looks for ssh nor for other machines.
    mca(v, "plm", "isolated");
    mca(v, "oob_tcp_if_include", "lo");
    mca(v, "pml", "ob1");
    mca(v, "btl", "self,vader");
    mca(v, SINGLE_COPY, "none");
    // Plugins for networks whose libraries are not here are not missed.
    mca(v, "mca_base_component_show_load_errors", "0");
    mca(v, "btl_base_warn_component_unused", "0");
    v.put("PMIX_MCA_pcompress_base_silence_warning", "1");
    return v;
  }

  private static void mca(Map<String, String> variables, String name, String value) {
    variables.put(PREFIX + name, value);
  }
}
