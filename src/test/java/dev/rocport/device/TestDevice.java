package dev.rocport.device;

import dev.rocport.toolchain.TestToolchain;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The devices that tests run programs on: one process a GPU target, started once, ended with the
 * tests.
 */
public final class TestDevice {
  private static final Map<Kind, DeviceProcess> DEVICES = new HashMap<>();

  private TestDevice() {}

  private record Kind(String gpu, int gpus) {}

  /** What a program came to. */
  public record Run(int code, String out, String err) {}

  /** Runs a program on a GPU of that name ({@code gfx90a}); it is killed after {@code seconds}. */
  public static Run run(String gpu, Path folder, int seconds, List<String> command)
      throws Exception {
    return run(gpu, 1, folder, seconds, command);
  }

  /** The same where the device has several GPUs. */
  public static Run run(String gpu, int gpus, Path folder, int seconds, List<String> command)
      throws Exception {
    Path out = Files.createTempFile("rocport-out", null);
    Path err = Files.createTempFile("rocport-err", null);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectInput(new File("/dev/null"))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment(gpu, gpus));
    Process process = builder.start();
    boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly().waitFor();
    }
    try {
      String late = ended ? "" : "\nkilled after " + seconds + " seconds";
      return new Run(process.exitValue(), Files.readString(out), Files.readString(err) + late);
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  /** What a program has to find in its environment. */
  public static Map<String, String> environment(String gpu) throws Exception {
    return environment(gpu, 1);
  }

  private static Map<String, String> environment(String gpu, int gpus) throws Exception {
    Map<String, String> environment = new HashMap<>();
    environment.put("ROCPORT_DEVICE", socket(new Kind(gpu, gpus)).toString());
    environment.put("LD_LIBRARY_PATH", TestToolchain.runtime().libraries().toString());
    return environment;
  }

  private static synchronized Path socket(Kind kind) throws Exception {
    DeviceProcess known = DEVICES.get(kind);
    if (known == null) {
      known =
          DeviceProcess.start(
              "--gpu", kind.gpu(), "--gpus", Integer.toString(kind.gpus()), "--linger", "3600");
      DEVICES.put(kind, known);
    }
    return known.socket();
  }
}
