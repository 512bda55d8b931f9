package dev.rocport.device;

import dev.rocport.cli.Main;
import dev.rocport.toolchain.HipRuntime;
import dev.rocport.toolchain.TestToolchain;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * The devices that tests run programs on: one process a GPU target, started once, ended with the
 * tests.
 */
public final class TestDevice {
  private static final Map<String, Path> SOCKETS = new HashMap<>();
  private static final int START_SECONDS = 60;

  private TestDevice() {}

  /** What a program came to. */
  public record Run(int code, String out, String err) {}

  /** Runs a program on a GPU of that name ({@code gfx90a}); it is killed after {@code seconds}. */
  public static Run run(String gpu, Path folder, int seconds, List<String> command)
      throws Exception {
    Path out = Files.createTempFile("rocport-out", null);
    Path err = Files.createTempFile("rocport-err", null);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectInput(new File("/dev/null"))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment(gpu));
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
    Map<String, String> environment = new HashMap<>();
    environment.put("ROCPORT_DEVICE", socket(gpu).toString());
    environment.put("LD_LIBRARY_PATH", HipRuntime.libraryFolder(TestToolchain.get()).toString());
    return environment;
  }

  /** Where the classes that the device needs lie, however this test was started. */
  private static String classPath() {
    return Stream.of(Main.class, CommandLine.class, ZstdJavaDecompressor.class)
        .map(c -> c.getProtectionDomain().getCodeSource().getLocation().getPath())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static synchronized Path socket(String gpu) throws Exception {
    Path known = SOCKETS.get(gpu);
    if (known != null) {
      return known;
    }
    Path folder = Files.createTempDirectory("rocport-device");
    Path socket = folder.resolve(gpu + ".sock");
    Path log = folder.resolve("log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "--add-modules", "jdk.incubator.vector"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath()));
    command.addAll(List.of(Main.class.getName(), "device", "--socket", socket.toString()));
    command.addAll(List.of("--gpu", gpu, "--linger", "600"));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    for (int i = 0; i < START_SECONDS * 50 && !Files.exists(socket); i++) {
      if (!process.isAlive()) {
        throw new AssertionError("the device did not start: " + Files.readString(log));
      }
      Thread.sleep(20);
    }
    SOCKETS.put(gpu, socket);
    return socket;
  }
}
