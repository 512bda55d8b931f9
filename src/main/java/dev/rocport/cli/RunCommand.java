package dev.rocport.cli;

import dev.rocport.toolchain.HipRuntime;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.Toolchains;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rocport run}: runs a HIP program on the device. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a HIP program: its host code on this machine, its kernels on rocport's device.",
      "Ends as the program does; rocport's own failures are 120 to 125."
    })
final class RunCommand implements Callable<Integer> {
  /** The device or the toolchain cannot be had. */
  private static final int NO_RUNTIME = 121;

  /** The program cannot be started. */
  private static final int NO_PROGRAM = 122;

  private final Console console;

  @Option(
      names = "--gpu",
      defaultValue = "gfx90a",
      paramLabel = "ARCH",
      description = "gfx90a (default) or gfx942.")
  private String gpu;

  @Option(names = "--gpus", defaultValue = "1", description = "How many GPUs the program sees.")
  private int gpus;

  @Option(
      names = "--cus",
      paramLabel = "N",
      description = "Compute units of each GPU; the default is that of the real one.")
  private int computeUnits;

  @Option(
      names = "--memory",
      paramLabel = "MIB",
      description = "Memory of each GPU; the default is that of the real one.")
  private long memory;

  @Parameters(
      arity = "1..*",
      paramLabel = "PROGRAM",
      description = "The program and its arguments, behind --.")
  private List<String> command;

  RunCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    Map<String, String> environment = builder.environment();
    try {
      Consumer<String> progress = ToolchainCommand.progress(console, false);
      Toolchain toolchain = Toolchains.require(ToolchainCommand.request(), progress);
      HipRuntime runtime = HipRuntime.of(toolchain, progress);
      environment.merge(
          "LD_LIBRARY_PATH",
          runtime.libraries().toString(),
          (before, libraries) -> before.isEmpty() ? libraries : libraries + ":" + before);
      environment.put("ROCM_PATH", runtime.root().toString());
    } catch (ToolchainException e) {
      console.err().println("rocport: " + e.getMessage());
      return NO_RUNTIME;
    }
    environment.put("ROCPORT_HOME", HipRuntime.installation().toString());
    environment.put("ROCPORT_GPU", gpu);
    environment.put("ROCPORT_GPUS", Integer.toString(gpus));
    if (computeUnits > 0) {
      environment.put("ROCPORT_CUS", Integer.toString(computeUnits));
    }
    if (memory > 0) {
      environment.put("ROCPORT_MEMORY", Long.toString(memory));
    }
    console.out().flush();
    try {
      return builder.start().waitFor();
    } catch (IOException e) {
      console.err().println("rocport: cannot start " + command.getFirst() + ": " + e.getMessage());
      return NO_PROGRAM;
    }
  }
}
