package dev.rocport.cli.conformance;

import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.cli.toolchain.ToolchainCommand;
import dev.rocport.conformance.Llama;
import dev.rocport.conformance.LlamaResult;
import dev.rocport.io.TemporaryFolder;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.packages.ArchiveStore;
import dev.rocport.toolchain.packages.FolderStore;
import dev.rocport.toolchain.packages.PackageLock;
import dev.rocport.toolchain.packages.PackageStore;
import dev.rocport.toolchain.provision.Toolchains;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rocport conformance llama}: a language model on the device. */
@Command(
    name = Llama.NAME,
    mixinStandardHelpOptions = true,
    description = {
      "Generates text with llama.cpp and the HIP backend of ggml, unmodified, from Debian"
          + " packages,",
      "on the rocport device, and compares tokens and logits with llama.cpp on the processor.",
      "The model has random weights; the command writes it.",
      "Exits with 1 if tokens or logits differ, and with 3 if the programs cannot run."
    },
    footer = {"", "Example:", "  rocport conformance llama --keep"})
final class LlamaCommand implements Callable<Integer> {
  private static final String SECONDS = "300";

  private final Console console;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = SECONDS,
      description = "Stop a program after this time (default ${DEFAULT-VALUE}).")
  private long timeout;

  @Option(
      names = "--packages",
      paramLabel = "DIR",
      description =
          "Take the package files from this folder instead of the Debian archive; their SHA-256"
              + " must be the one listed in rules/conformance/packages.tsv.")
  private @Nullable Path packages;

  @Option(
      names = "--keep",
      description = "Keep the unpacked packages; later runs use them and download nothing.")
  private boolean keep;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no progress.")
  private boolean quiet;

  LlamaCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException, ToolchainException {
    if (timeout < 1) {
      throw new UsageException("--timeout must be at least 1");
    }
    ToolchainRequest request = ToolchainCommand.request();
    Consumer<String> progress = ToolchainCommand.progress(console, quiet);
    PackageLock lock = PackageLock.builtIn();
    HipRuntime runtime = HipRuntime.of(Toolchains.require(request, progress), progress);
    try (TemporaryFolder scratch = TemporaryFolder.create("rocport-conformance")) {
      PackageStore store =
          packages == null
              ? new ArchiveStore(
                  List.of(Llama.packages()), request.environment(), scratch.path(), progress)
              : new FolderStore(packages, lock);
      LlamaResult result =
          Llama.run(
              runtime,
              ConformanceCommand.TARGET,
              lock,
              store,
              request.home().resolve(ConformanceCommand.FOLDER),
              keep,
              Duration.ofSeconds(timeout),
              progress);
      console.out().print(result.markdown());
      return (result.passed() ? ExitCode.OK : ExitCode.FINDINGS).code();
    }
  }
}
