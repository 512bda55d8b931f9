package dev.rocport.device;

import dev.rocport.toolchain.TestToolchain;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The devices that tests run programs on: one process with GPUs of both targets for each number of
 * GPUs that programs ask for, started once, ended with the tests.
 */
public final class TestDevice {
  private static final List<String> TARGETS = List.of("gfx90a", "gfx942");
  private static final Map<Integer, DeviceProcess> DEVICES = new HashMap<>();

  private TestDevice() {}

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
    environment.put("ROCPORT_DEVICE", socket(gpus).toString());
    int first = TARGETS.indexOf(gpu) * gpus;
    environment.put(
        "ROCR_VISIBLE_DEVICES",
        IntStream.range(first, first + gpus)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(",")));
    environment.put("LD_LIBRARY_PATH", TestToolchain.runtime().libraries().toString());
    return environment;
  }

  private static synchronized Path socket(int gpus) throws Exception {
    DeviceProcess known = DEVICES.get(gpus);
    if (known == null) {
      known =
          DeviceProcess.start(
              "--gpu",
              String.join(",", TARGETS),
              "--gpus",
              Integer.toString(gpus),
              "--linger",
              "3600");
      DEVICES.put(gpus, known);
    }
    return known.socket();
  }
}
