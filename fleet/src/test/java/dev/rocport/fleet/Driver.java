package dev.rocport.fleet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The fleet program as a process, which can be killed. */
final class Driver {
  private Driver() {}

  /**
   * Starts it.
   *
   * @param log receives its output
   */
  static Process start(ObjectNode settings, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(FleetRun.java());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(a -> a.startsWith("--") || a.startsWith("-XX"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("dev.rocport.fleet.FleetMain");
    Process driver =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    try (var in = driver.getOutputStream()) {
      FleetRun.JSON.writeValue(in, settings);
    }
    return driver;
  }

  /** Kills it, and waits until the processes that it started have noticed. */
  static void kill(Process driver) throws InterruptedException {
    List<ProcessHandle> workers = driver.descendants().toList();
    driver.destroyForcibly().waitFor();
    workers.forEach(w -> w.onExit().join());
  }
}
