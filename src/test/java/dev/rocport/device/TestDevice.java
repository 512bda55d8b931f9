package dev.rocport.device;

import dev.rocport.device.server.VisibleGpus;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.TestToolchain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The device that tests run programs on: one process with GPUs of both targets, started once, ended
 * with the tests.
 */
public final class TestDevice {
  private static final List<String> TARGETS = List.of("gfx90a", "gfx942", "gfx950");

  /** GPUs of each target. */
  private static final int GPUS = 8;

  private static @Nullable DeviceProcess device;

  private TestDevice() {}

  /** What a program came to. */
  public record Run(int code, String out, String err) {}

  /** Runs a program on a GPU of that name ({@code gfx90a}); it is killed after {@code seconds}. */
  public static Run run(String gpu, Path folder, int seconds, List<String> command)
      throws Exception {
    return run(gpu, 1, folder, seconds, command);
  }

  /** The same where the program sees several GPUs. */
  public static Run run(String gpu, int gpus, Path folder, int seconds, List<String> command)
      throws Exception {
    Exec program = Exec.of(command).in(folder).with(environment(gpu, gpus));
    Exec.Outcome run = program.limit(Duration.ofSeconds(seconds)).run();
    String late = run.timedOut() ? "\nkilled after " + seconds + " seconds" : "";
    return new Run(run.code(), run.stdout(), run.stderr() + late);
  }

  /** What a program has to find in its environment. */
  public static Map<String, String> environment(String gpu) throws Exception {
    return environment(gpu, 1);
  }

  private static Map<String, String> environment(String gpu, int gpus) throws Exception {
    Map<String, String> environment = new HashMap<>();
    environment.put("ROCPORT_DEVICE", socket().toString());
    environment.put("ROCR_VISIBLE_DEVICES", VisibleGpus.ofTarget(TARGETS, gpu, GPUS, gpus));
    environment.put("LD_LIBRARY_PATH", TestToolchain.runtime().libraries().toString());
    return environment;
  }

  private static synchronized Path socket() throws Exception {
    if (device == null) {
      device =
          DeviceProcess.start(
              "--gpu",
              String.join(",", TARGETS),
              "--gpus",
              Integer.toString(GPUS),
              "--linger",
              "3600");
    }
    return device.socket();
  }
}
