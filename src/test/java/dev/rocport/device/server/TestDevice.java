package dev.rocport.device.server;

import dev.rocport.device.isa.Target;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A device in a process of its own. GPUs 0 and 1 are gfx90a, 2 and 3 gfx942; small ones, so that
 * their limits can be met.
 */
final class TestDevice implements AutoCloseable {
  static final int COMPUTE_UNITS = 4;

  private static @Nullable TestDevice shared;

  /** Whether the folder goes with the device. */
  private final boolean own;

  private final Path folder;
  private final Path socket;
  private final Process process;

  private TestDevice(boolean own, Path folder, Path socket, String... options) throws IOException {
    this.own = own;
    this.folder = folder;
    this.socket = socket;
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-Xmx1g",
            "--add-modules",
            "jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "-Drocport.home=" + System.getProperty("rocport.home", ""),
            "-cp",
            classPath(),
            "dev.rocport.cli.Main",
            "device",
            "--socket",
            socket.toString(),
            "--gpu",
            "gfx90a,gfx942",
            "--gpus",
            "2",
            "--memory",
            "1024",
            "--cus",
            String.valueOf(COMPUTE_UNITS)));
    command.addAll(List.of(options));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("ROCPORT_"));
    process = builder.start();
  }

  /** The classes of these tests, for another process. */
  static String classPath() {
    if (TestDevice.class.getClassLoader() instanceof URLClassLoader loader) {
      return Arrays.stream(loader.getURLs())
          .map(URL::getPath)
          .collect(Collectors.joining(File.pathSeparator));
    }
    return System.getProperty("java.class.path");
  }

  /** A device of one's own, with options of its command line. */
  static TestDevice start(String... options) throws Exception {
    Path folder = Files.createTempDirectory("rp");
    TestDevice device = new TestDevice(true, folder, folder.resolve("s"), options);
    device.awaitSocket();
    return device;
  }

  /** One that may not come up, at {@code socket}. */
  static TestDevice start(Path folder, Path socket, String... options) throws IOException {
    return new TestDevice(false, folder, socket, options);
  }

  /** Another device where one has died. */
  static TestDevice restart(TestDevice dead, String... options) throws Exception {
    TestDevice device = new TestDevice(true, dead.folder, dead.socket, options);
    device.awaitSocket();
    return device;
  }

  private void awaitSocket() throws Exception {
    for (int i = 0; i < 1200 && process.isAlive(); i++) {
      if (log().contains(" at " + socket)) {
        return;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("the device did not come up: " + log());
  }

  /** The device that tests share. */
  private static synchronized TestDevice shared() throws Exception {
    if (shared == null || !shared.process.isAlive()) {
      TestDevice device = start("--linger", "60");
      Runtime.getRuntime().addShutdownHook(new Thread(device::close));
      shared = device;
    }
    return shared;
  }

  /** A program on the device that tests share. */
  static Client connect() throws Exception {
    return shared().client();
  }

  /** A program on this device. */
  Client client() throws IOException {
    return new Client(socket);
  }

  Path socket() {
    return socket;
  }

  Process process() {
    return process;
  }

  /** What the process has printed. */
  String log() throws IOException {
    Path log = folder.resolve("log");
    return Files.exists(log) ? Files.readString(log) : "";
  }

  /** The first GPU of a target. */
  static int gpu(Target target) {
    return switch (target) {
      case GFX90A -> 0;
      case GFX942 -> 2;
    };
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
      for (String name : List.of("s", "s.held", "log")) {
        Files.deleteIfExists(folder.resolve(name));
      }
      if (own) {
        Files.deleteIfExists(folder);
      }
    } catch (IOException e) {
      // The folder lies among temporary files.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
