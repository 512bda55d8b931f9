package dev.rocport.fleet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A standalone cluster of Spark on the loopback interface: a master and two workers of one core.
 */
final class Cluster implements AutoCloseable {
  private static final Path FLEET =
      Path.of(System.getProperty("rocport.home")).toAbsolutePath().normalize().resolve("fleet");

  private final Path folder;
  private final int port;
  private final Process master;
  private final List<Process> workers = new ArrayList<>();

  Cluster(Path folder) throws IOException, InterruptedException {
    this.folder = Files.createDirectories(folder);
    Files.createSymbolicLink(folder.resolve("jars"), FLEET.resolve("target/lib"));
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    master =
        start("master", "Master", "--host", "127.0.0.1", "--port", "" + port, "--webui-port", "0");
    await(master, "master", "I have been elected leader");
    for (int i = 0; i < 2; i++) {
      Process worker =
          start(
              "worker" + i,
              "Worker",
              url(),
              "--host",
              "127.0.0.1",
              "--webui-port",
              "0",
              "--cores",
              "1",
              "--memory",
              "600m",
              "--work-dir",
              folder.resolve("work" + i).toString());
      workers.add(worker);
      await(worker, "worker" + i, "Successfully registered with master");
    }
  }

  /** Lets a run use this cluster. */
  void into(ObjectNode settings) {
    settings.put("master", url());
    settings
        .withObjectProperty("spark")
        .put("spark.driver.host", "127.0.0.1")
        .put("spark.driver.bindAddress", "127.0.0.1")
        .put("spark.executor.memory", "512m")
        // The classes of this test are not in a jar.
        .put("spark.jars", "")
        .put("spark.executor.extraClassPath", Path.of("target/classes").toAbsolutePath() + "");
  }

  String url() {
    return "spark://127.0.0.1:" + port;
  }

  /** The executors that run now. */
  List<ProcessHandle> executors() {
    return workers.stream()
        .flatMap(Process::descendants)
        .filter(p -> p.info().commandLine().orElse("").contains("ExecutorBackend"))
        .toList();
  }

  /** Ends a worker with its executors at once, as when a machine fails. */
  void killWorker() {
    kill(workers.removeFirst());
  }

  private Process start(String name, String type, String... args) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                FleetRun.java(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx200m",
                // Otherwise, the master ends an application that lost ten executors.
                "-Dspark.deploy.maxExecutorRetries=-1",
                "-cp",
                FLEET.resolve("target/lib") + "/*",
                "org.apache.spark.deploy." + type.toLowerCase(Locale.ROOT) + "." + type));
    command.addAll(List.of(args));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log(name).toFile());
    builder.environment().put("SPARK_HOME", folder.toString());
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder.start();
  }

  private Path log(String name) {
    return folder.resolve(name + ".log");
  }

  private void await(Process process, String name, String line)
      throws IOException, InterruptedException {
    while (!Files.readString(log(name)).contains(line)) {
      if (!process.isAlive()) {
        throw new IOException(Files.readString(log(name)));
      }
      Thread.sleep(100);
    }
  }

  private static void kill(Process process) {
    List<ProcessHandle> all = process.descendants().toList();
    process.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
    process.onExit().join();
    all.forEach(p -> p.onExit().join());
  }

  @Override
  public void close() {
    workers.forEach(Cluster::kill);
    kill(master);
  }
}
