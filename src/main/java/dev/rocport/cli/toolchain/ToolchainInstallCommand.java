package dev.rocport.cli.toolchain;

import dev.rocport.build.project.ProjectSystems;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.Extra;
import dev.rocport.toolchain.provision.Extras;
import dev.rocport.toolchain.provision.Toolchains;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rocport toolchain install}. */
@Command(
    name = "install",
    mixinStandardHelpOptions = true,
    description = {
      "Installs HIP headers, device libraries and, if the machine has none, a compiler into "
          + "the rocport folder. Needs no root. Does nothing if a toolchain is already installed."
    },
    footer = {
      "",
      "Examples:",
      "  rocport toolchain install",
      "  rocport toolchain install --download-only packages.tar",
      "  rocport toolchain install --offline packages.tar --with autotools,cmake"
    })
final class ToolchainInstallCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--offline",
      paramLabel = "DIR|FILE.tar",
      description = "Use the packages in this folder or archive; download nothing.")
  private @Nullable Path offline;

  @Option(
      names = "--download-only",
      paramLabel = "DIR|FILE.tar",
      description =
          "Write the packages into this folder or archive, for --offline on another machine;"
              + " install nothing.")
  private @Nullable Path downloadOnly;

  @Option(
      names = "--own-compiler",
      description = "Install a compiler even if the machine has a usable clang.")
  private boolean ownCompiler;

  @Option(
      names = "--self-contained",
      description = "Install a compiler and C++ library even if the machine has them.")
  private boolean selfContained;

  @Option(
      names = "--with",
      split = ",",
      paramLabel = "EXTRA",
      description = {
        "Also install these if the machine lacks them: mpi, clang-21 (the compiler for gfx950,"
            + " gfx1201 and generic targets), autotools, bazel, cmake, meson, python. Commands that"
            + " need them install them automatically."
      })
  private List<String> extras = List.of();

  @Option(names = "--force", description = "Install again even if a toolchain is installed.")
  private boolean force;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no progress.")
  private boolean quiet;

  ToolchainInstallCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws ToolchainException {
    if (offline != null && downloadOnly != null) {
      throw new UsageException("--offline and --download-only are mutually exclusive");
    }
    List<Extra> chosen = new ArrayList<>();
    for (String label : extras) {
      chosen.add(
          ProjectSystems.extra(label)
              .orElseThrow(
                  () ->
                      new UsageException(
                          "--with accepts %s; not %s"
                              .formatted(
                                  ProjectSystems.extras().stream()
                                      .map(Extra::label)
                                      .collect(Collectors.joining(", ")),
                                  label))));
    }
    Consumer<String> progress = ToolchainCommand.progress(console, quiet);
    ToolchainRequest request = ToolchainCommand.request();
    if (downloadOnly != null) {
      long bytes = Toolchains.download(request, downloadOnly, progress);
      console.out().printf(Locale.ROOT, "wrote %s: %d MB%n", downloadOnly, bytes / 1_000_000);
      return ExitCode.OK.code();
    }
    request = offline == null ? request : request.from(offline);
    request = ownCompiler ? request.withOwnCompiler() : request;
    request = selfContained ? request.withAllOfItsOwn() : request;
    boolean fresh = force || ownCompiler || selfContained || offline != null;
    Toolchain toolchain =
        fresh ? Toolchains.install(request, progress) : Toolchains.require(request, progress);
    for (Extra extra : chosen) {
      Extras.require(extra, request, progress);
    }
    ToolchainText.write(console.out(), toolchain);
    ToolchainText.writeExtras(console.out(), request);
    return ExitCode.OK.code();
  }
}
