package dev.rocport.cli.toolchain;

import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.TargetToolchains;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rocport toolchain libraries}: libraries that programs would wait for. */
@Command(
    name = "libraries",
    mixinStandardHelpOptions = true,
    description = {
      "Compiles the rocport libraries other than libamdhip64, unless they are already compiled, and"
          + " prints their folder. Without this command, a library is compiled when a program first"
          + " loads it. Use this command for images, and for jobs whose programs must not wait."
    },
    footer = {
      "",
      "Examples:",
      "  rocport toolchain libraries",
      "  rocport toolchain libraries hipblas rccl"
    })
final class ToolchainLibrariesCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..*",
      description = "Library names as given to -l, such as hipblas (default: all).")
  private List<String> names = List.of();

  @Option(
      names = "--runtime",
      paramLabel = "DIR",
      hidden = true,
      description = "The runtime folder of the caller.")
  private @Nullable Path root;

  ToolchainLibrariesCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws ToolchainException {
    Toolchain toolchain = ToolchainCommand.installed(console);
    Consumer<String> progress = ToolchainCommand.progress(console, false);
    HipRuntime runtime =
        root == null
            ? HipRuntime.of(toolchain, progress)
            : HipRuntime.at(
                TargetToolchains.installed(toolchain, ToolchainRequest.defaults()), root);
    runtime.compile(wanted(runtime), progress);
    if (root == null) {
      console.out().println(runtime.libraries());
    }
    return ExitCode.OK.code();
  }

  private List<Library> wanted(HipRuntime runtime) {
    List<Library> wanted = new ArrayList<>();
    for (String name : names) {
      wanted.add(
          runtime.others().stream()
              .filter(l -> l.linkName().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new UsageException(
                          "rocport has no library "
                              + name
                              + "; available: "
                              + runtime.others().stream()
                                  .map(Library::linkName)
                                  .collect(Collectors.joining(", ")))));
    }
    return names.isEmpty() ? List.copyOf(runtime.others()) : wanted;
  }
}
