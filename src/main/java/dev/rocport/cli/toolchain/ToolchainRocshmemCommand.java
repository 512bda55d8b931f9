package dev.rocport.cli.toolchain;

import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.runtime.Rocshmem;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code rocport toolchain rocshmem}: the library for links by hand. */
@Command(
    name = "rocshmem",
    mixinStandardHelpOptions = true,
    description = {
      "Prints the path of librocshmem.a, and compiles the library first if needed. Link programs "
          + "with it by path and with --hip-link -fgpu-rdc; hipcc and 'rocport build' do so for "
          + "-lrocshmem."
    })
final class ToolchainRocshmemCommand implements Callable<Integer> {
  private final Console console;

  ToolchainRocshmemCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws ToolchainException {
    Rocshmem rocshmem = Rocshmem.of(ToolchainCommand.installed(console));
    console.out().println(rocshmem.archive(ToolchainCommand.progress(console, false)));
    return ExitCode.OK.code();
  }
}
