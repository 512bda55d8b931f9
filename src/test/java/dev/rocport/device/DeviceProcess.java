package dev.rocport.device;

import dev.rocport.cli.Main;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import tools.jackson.core.json.JsonFactory;

/** A device in a process of its own; it ends with the tests at the latest. */
public final class DeviceProcess implements AutoCloseable {
  private static final int START_SECONDS = 60;

  private final Path folder;

  /** Whether the folder goes with the device. */
  private final boolean own;

  private final Path socket;
  private final Process process;

  private DeviceProcess(Path folder, boolean own, Path socket, String... options)
      throws IOException {
    this.folder = folder;
    this.own = own;
    this.socket = socket;
    this.process = process(socket, folder.resolve("log"), options);
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /** Starts a device with options of its command line, and waits for it. */
  public static DeviceProcess start(String... options) throws Exception {
    Path folder = Files.createTempDirectory("rp");
    return new DeviceProcess(folder, true, folder.resolve("s"), options).awaitSocket();
  }

  /** Starts another where this one has died. */
  public DeviceProcess again(String... options) throws Exception {
    return new DeviceProcess(folder, own, socket, options).awaitSocket();
  }

  /** Starts a device that may fail to start, at {@code socket}; its output is in the folder. */
  public static DeviceProcess launch(Path folder, Path socket, String... options)
      throws IOException {
    return new DeviceProcess(folder, false, socket, options);
  }

  private static Process process(Path socket, Path log, String... options) throws IOException {
    List<String> command = new ArrayList<>(java());
    command.addAll(List.of("device", "--socket", socket.toString()));
    command.addAll(List.of(options));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("ROCPORT_"));
    return builder.start();
  }

  /** The command line of rocport, up to the name of its command. */
  public static List<String> java() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmx2g", "--add-modules", "jdk.incubator.vector"));
    // The options of this JVM for compilation and memory are for the devices, too.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(a -> a.startsWith("-XX:Tier4") || a.equals("-XX:+UseTransparentHugePages"))
        .forEach(command::add);
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath()));
    command.add(Main.class.getName());
    return command;
  }

  /** Where the classes that the device needs lie, however this test was started. */
  private static String classPath() {
    return Stream.of(Main.class, CommandLine.class, ZstdJavaDecompressor.class, JsonFactory.class)
        .map(c -> c.getProtectionDomain().getCodeSource().getLocation().getPath())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private DeviceProcess awaitSocket() throws Exception {
    for (int i = 0; i < START_SECONDS * 50 && process.isAlive(); i++) {
      if (log().contains(" at " + socket)) {
        return this;
      }
      Thread.sleep(20);
    }
    throw new AssertionError("the device did not come up: " + log());
  }

  public Path socket() {
    return socket;
  }

  public Process process() {
    return process;
  }

  /** What the process has printed. */
  public String log() throws IOException {
    Path log = folder.resolve("log");
    return Files.exists(log) ? Files.readString(log) : "";
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
      // The folder is temporary.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
