package dev.rocport.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A run of the fleet program in this virtual machine.
 *
 * @param code exit code
 * @param out standard output
 * @param err standard error
 */
record FleetRun(int code, String out, String err) {
  static final ObjectMapper JSON = new ObjectMapper();
  private static final Path HOME = Path.of(System.getProperty("rocport.home")).normalize();

  /** The settings of an audit; tests change them. */
  static ObjectNode audit(Path out, Object... sources) throws IOException {
    return settings("audit", out, sources);
  }

  /** The same of another command. */
  static ObjectNode settings(String command, Path out, Object... sources) throws IOException {
    ObjectNode settings = JSON.createObjectNode();
    settings.put("command", command);
    settings.put("version", "test");
    settings.put("home", HOME.toString());
    settings.put("classPath", jar().toString());
    settings.put("folder", out.toAbsolutePath().getParent().toString());
    settings.put("out", out.toString());
    settings.put("master", "local[2]");
    settings.putObject("spark");
    settings.put("timeLimit", 120);
    settings.put("memoryLimit", 512);
    settings.put("sizeLimit", 64);
    settings.put("workerRepositories", 200);
    settings.put("sarif", false);
    settings.putArray("options").add("--max-file=32");
    for (Object source : sources) {
      settings.withArray("sources").add(source.toString());
    }
    return settings;
  }

  /** Runs with these settings. */
  static FleetRun of(ObjectNode settings) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        FleetMain.run(
            new ByteArrayInputStream(JSON.writeValueAsBytes(settings)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    return new FleetRun(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** The answers of a report. */
  static JsonNode report(Path out, String since) throws IOException {
    ObjectNode settings = JSON.createObjectNode();
    settings.put("command", "report");
    settings.put("version", "test");
    settings.put("out", out.toString());
    settings.put("since", since);
    settings.put("format", "json");
    settings.put("top", 100);
    settings.put("master", "local[2]");
    settings.putObject("spark");
    return JSON.readTree(of(settings).out());
  }

  /** What {@code audit --each} counts, by repository. */
  static JsonNode each(Path folder, Object... sources) throws IOException, InterruptedException {
    List<Object> args = new ArrayList<>(List.of("audit", "--each", "--format", "json", "--quiet"));
    args.addAll(List.of(sources));
    return command(folder, args.toArray());
  }

  /** The JSON that a command of rocport prints. */
  static JsonNode command(Path folder, Object... args) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                java(),
                "-XX:TieredStopAtLevel=1",
                "-Drocport.home=" + HOME,
                "-cp",
                jar().toString(),
                "dev.rocport.cli.Main"));
    for (Object arg : args) {
      command.add(arg.toString());
    }
    Path out = folder.resolve("out.json");
    Process p =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    p.waitFor();
    return JSON.readTree(out.toFile());
  }

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** The jar of rocport. */
  static Path jar() throws IOException {
    try (Stream<Path> files = Files.list(HOME.resolve("target"))) {
      return files
          .filter(f -> f.getFileName().toString().matches("rocport-[0-9.]+\\.jar"))
          .findFirst()
          .orElseThrow(() -> new IOException("no jar of rocport: run ./rocport --version"));
    }
  }
}
