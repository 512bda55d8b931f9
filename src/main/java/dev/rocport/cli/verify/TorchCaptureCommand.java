package dev.rocport.cli.verify;

import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.cli.toolchain.ToolchainCommand;
import dev.rocport.io.TemporaryFolder;
import dev.rocport.io.process.Exec;
import dev.rocport.io.process.ProcessTree;
import dev.rocport.toolchain.GpuTargets;
import dev.rocport.toolchain.runtime.HipRuntime;
import dev.rocport.verify.capture.Capture;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rocport torch capture}: records compiled graphs and lowers them for AMD GPUs. */
@Command(
    name = "capture",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs a Python script, records each graph that torch.compile compiles with Inductor, and"
          + " lowers the graphs for AMD GPUs: Inductor decides as for those GPUs, and Triton"
          + " compiles the kernels. No AMD GPU is needed.",
      "On a machine with an NVIDIA GPU, the same kernels also run there, and their results are"
          + " recorded. rocport verify replays the capture.",
      "Exits with 1 if the script failed or a graph was not lowered, and with 3 if Python has no"
          + " PyTorch or no Triton."
    },
    footer = {
      "",
      "Examples:",
      "  rocport torch capture --out captures/train -- python3 train.py --steps 1",
      "  rocport verify captures/train"
    })
final class TorchCaptureCommand implements Callable<Integer> {
  private static final String MODULES = "hip-runtime/torch";
  private static final String MODULE = "rocport_capture";
  private static final int MOST_RANKS = 64;

  /** Options of Python whose value is an argument of its own. */
  private static final Set<String> WITH_VALUE = Set.of("-W", "-X");

  private static final String INTERPRETER = "python[0-9.]*";

  private final Console console;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Folder for the capture; it must not exist or be empty.")
  private Path out;

  @Option(
      names = "--target",
      split = ",",
      paramLabel = "GFX",
      defaultValue = GpuTargets.DEFAULT,
      description =
          "GPU targets: gfx90a, gfx942, gfx950, gfx1100, gfx1151, gfx1201 (default:"
              + " ${DEFAULT-VALUE}).")
  private List<String> targets;

  @Option(
      names = "--choices",
      paramLabel = "N",
      defaultValue = "4",
      description =
          "Where autotuning would choose from templates, lower this many of them (default:"
              + " ${DEFAULT-VALUE}).")
  private int choices;

  @Option(
      names = "--calls",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Record the first N calls of each graph, each with its own inputs (default:"
              + " ${DEFAULT-VALUE}).")
  private int calls;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      defaultValue = "1",
      description = {
        "Run the script in N processes with RANK, LOCAL_RANK, WORLD_SIZE, MASTER_ADDR and"
            + " MASTER_PORT, as torchrun does, and record all of them (default: ${DEFAULT-VALUE})."
      })
  private int ranks;

  @Option(
      names = "--rocm",
      description =
          "Run the script as with a PyTorch for ROCm and a GPU of the first target, so that it"
              + " takes the branches of a port.")
  private boolean rocm;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no progress.")
  private boolean quiet;

  @Parameters(
      arity = "2..*",
      paramLabel = "PYTHON SCRIPT",
      description = "The interpreter, the script and its arguments, after --.")
  private List<String> command;

  TorchCaptureCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    String interpreter = command.getFirst();
    if (!String.valueOf(Path.of(interpreter).getFileName()).matches(INTERPRETER)) {
      throw new UsageException(
          "the command must begin with a Python interpreter, not '" + interpreter + "'");
    }
    int at = script(command);
    if (at >= command.size() || !Files.isRegularFile(Path.of(command.get(at)))) {
      throw new UsageException(
          at >= command.size() ? "there is no script" : command.get(at) + ": no such script");
    }
    if (choices < 1) {
      throw new UsageException("--choices must be at least 1");
    }
    if (calls < 1) {
      throw new UsageException("--calls must be at least 1");
    }
    if (ranks < 1 || ranks > MOST_RANKS) {
      throw new UsageException("--ranks must be 1 to " + MOST_RANKS);
    }
    requireEmpty();
    Consumer<String> progress = ToolchainCommand.progress(console, quiet);
    if (!python(List.of("-c", "import torch, triton"), Map.of())) {
      console.err().println("rocport: " + interpreter + " has no PyTorch or no Triton");
      return ExitCode.TOOLCHAIN.code();
    }
    Files.createDirectories(out);
    boolean failed = false;
    try (TemporaryFolder caches = TemporaryFolder.create("rocport-torch")) {
      progress.accept("recording " + command.get(at));
      List<String> script = command.subList(at, command.size());
      failed |= !record(script, caches);
      if (!Files.exists(out.resolve(Capture.FILE))) {
        console
            .err()
            .println(
                ranks == 1
                    ? "rocport: the script ended before anything was recorded"
                    : "rocport: a rank failed, so nothing was captured");
        return ExitCode.FINDINGS.code();
      }
      for (String target : targets) {
        progress.accept("lowering for " + target);
        List<String> how = List.of(target, String.valueOf(choices));
        failed |= !step("lower", how, caches(caches, target));
      }
      progress.accept("recording the results of the calls");
      failed |= !step("reference", List.of(), caches(caches, "reference"));
      failed |= !step("pack", List.of(), Map.of());
    }
    return (failed ? ExitCode.FINDINGS : ExitCode.OK).code();
  }

  /** The place of the script, after the options of the interpreter. */
  private static int script(List<String> command) {
    int at = 1;
    while (at < command.size() && command.get(at).startsWith("-")) {
      String option = command.get(at);
      if (option.equals("-m") || option.equals("-c") || option.equals("-")) {
        throw new UsageException("a capture needs the file of a script, not " + option);
      }
      at += WITH_VALUE.contains(option) ? 2 : 1;
    }
    return at;
  }

  private void requireEmpty() throws IOException {
    if (!Files.exists(out)) {
      return;
    }
    if (Files.isDirectory(out)) {
      try (Stream<Path> files = Files.list(out)) {
        if (files.findAny().isEmpty()) {
          return;
        }
      }
    }
    throw new UsageException(out + ": exists and is not an empty folder");
  }

  /** Settings for the steps: their own caches, so that nothing compiled for another GPU is used. */
  private static Map<String, String> caches(TemporaryFolder folder, String name) {
    return Map.of(
        "TORCHINDUCTOR_CACHE_DIR", folder.path().resolve("inductor-" + name).toString(),
        "TRITON_CACHE_DIR", folder.path().resolve("triton-" + name).toString());
  }

  /** Runs the script, in one process for each rank; returns whether all ended well. */
  private boolean record(List<String> script, TemporaryFolder caches)
      throws IOException, InterruptedException {
    if (ranks == 1) {
      return python(recording(out, script), caches(caches, "record"));
    }
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    CompletionService<Boolean> processes = new ExecutorCompletionService<>(executor);
    for (int rank = 0; rank < ranks; rank++) {
      Map<String, String> variables = new TreeMap<>(caches(caches, "record" + rank));
      variables.put("RANK", String.valueOf(rank));
      variables.put("LOCAL_RANK", String.valueOf(rank));
      variables.put("WORLD_SIZE", String.valueOf(ranks));
      variables.put("LOCAL_WORLD_SIZE", String.valueOf(ranks));
      variables.put("MASTER_ADDR", "127.0.0.1");
      variables.put("MASTER_PORT", String.valueOf(port));
      Path own = Files.createDirectories(out.resolve("rank" + rank));
      processes.submit(() -> python(recording(own, script), variables));
    }
    boolean good = true;
    try (executor) {
      try {
        for (int i = 0; i < ranks && good; i++) {
          good = processes.take().get();
        }
      } finally {
        executor.shutdownNow(); // the others would wait for a rank that is gone
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
    return good && step("join", List.of(String.valueOf(ranks)), Map.of());
  }

  private List<String> recording(Path to, List<String> script) {
    List<String> line = new ArrayList<>(List.of("-m", MODULE, "record", to.toAbsolutePath() + ""));
    line.add(rocm ? targets.getFirst() : "native");
    line.add(String.valueOf(calls));
    line.addAll(script);
    return line;
  }

  /** Runs a step of the capture; returns whether it ended well. */
  private boolean step(String name, List<String> arguments, Map<String, String> variables)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of("-m", MODULE, name, out.toAbsolutePath() + ""));
    line.addAll(arguments);
    return python(line, variables);
  }

  private boolean python(List<String> arguments, Map<String, String> variables)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(command.subList(0, script(command)));
    line.addAll(arguments);
    Exec program = Exec.of(line).with(variables).grace(ProcessTree.GRACE).terminal();
    program
        .environment()
        .merge(
            "PYTHONPATH",
            HipRuntime.installation().resolve(MODULES).toString(),
            (given, own) -> own + ":" + given);
    program.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    return program.await().code() == 0;
  }
}
