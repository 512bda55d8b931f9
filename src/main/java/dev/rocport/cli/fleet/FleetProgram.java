package dev.rocport.cli.fleet;

import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.Version;
import dev.rocport.io.Json;
import dev.rocport.io.process.Exec;
import dev.rocport.io.process.ProcessTree;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/**
 * The program in the folder {@code fleet}. It has a virtual machine of its own, because Spark's
 * libraries are not on the class path of rocport.
 */
final class FleetProgram {
  private static final String MAIN = "dev.rocport.fleet.FleetMain";

  /** Packages that Spark uses and the JDK does not export. */
  private static final List<String> OPENED =
      List.of(
          "java.lang",
          "java.lang.invoke",
          "java.io",
          "java.net",
          "java.nio",
          "java.util",
          "java.util.concurrent",
          "java.util.concurrent.atomic",
          "sun.nio.ch",
          "sun.nio.cs",
          "sun.util.calendar");

  private final Console console;
  private final Path home = Path.of(System.getProperty("rocport.home", ".")).toAbsolutePath();

  FleetProgram(Console console) {
    this.console = console;
  }

  /**
   * Builds the program if necessary, and runs it. Its output goes where that of rocport goes.
   *
   * @param settings writes the properties of the settings; they travel through a pipe, because
   *     sources may contain credentials
   * @return its exit code
   * @throws ToolchainException if it cannot be built
   */
  int run(Consumer<JsonGenerator> settings)
      throws ToolchainException, IOException, InterruptedException {
    Path fleet = home.resolve("fleet");
    if (!Files.isRegularFile(fleet.resolve("pom.xml"))) {
      throw new ToolchainException(
          "fleet commands need a checkout of rocport's sources; a release does not contain them");
    }
    console.out().flush();
    console.err().flush();
    String script = home.resolve("src/build/fleet.sh").toString();
    if (Exec.of(List.of("bash", script)).terminal().await().code() != 0) {
      throw new ToolchainException("the fleet program could not be built");
    }
    StringWriter text = new StringWriter();
    Json.document(
        text,
        g -> {
          g.writeStartObject();
          g.writeStringProperty("version", Version.current());
          g.writeStringProperty("home", home.toString());
          g.writeStringProperty("classPath", classPath());
          settings.accept(g);
          g.writeEndObject();
        });
    Exec exec = Exec.of(command(fleet.resolve("target"))).terminal().piped();
    try (ProcessTree tree = exec.grace(ProcessTree.GRACE).start()) {
      try (var in = tree.process().outputWriter(StandardCharsets.UTF_8)) {
        in.write(text.toString());
      }
      return tree.await();
    }
  }

  /** The jar that runs now, as an absolute path: workers on other machines run it, too. */
  private static String classPath() {
    return String.join(
        java.io.File.pathSeparator,
        List.of(System.getProperty("java.class.path").split(java.io.File.pathSeparator)).stream()
            .map(p -> Path.of(p).toAbsolutePath().toString())
            .toList());
  }

  private static List<String> command(Path target) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmx1g", "-XX:-UsePerfData"));
    // A run ends before the optimizing compiler pays off; an archive of classes shortens the start.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xlog:disable", "-Xlog:all=off"));
    command.add("-XX:+AutoCreateSharedArchive");
    command.add("-XX:SharedArchiveFile=" + target.resolve("fleet.jsa"));
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    OPENED.forEach(p -> command.add("--add-opens=java.base/" + p + "=ALL-UNNAMED"));
    command.add("-cp");
    // As for other programs of Spark, the configuration of Hadoop has the place of YARN and HDFS.
    String hadoop = System.getenv().getOrDefault("HADOOP_CONF_DIR", "");
    command.add(
        target.resolve("rocport-fleet.jar")
            + ":"
            + target.resolve("lib")
            + "/*"
            + (hadoop.isEmpty() ? "" : ":" + Path.of(hadoop).toAbsolutePath()));
    command.add(MAIN);
    return command;
  }
}
