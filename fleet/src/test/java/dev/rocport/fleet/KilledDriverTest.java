package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver that is killed loses nothing that was done, and nothing is counted twice. */
final class KilledDriverTest {
  private static final int REPOSITORIES = 12;

  @TempDir Path folder;

  @Test
  void theNextRunContinues() throws Exception {
    Object[] sources = new Object[REPOSITORIES];
    for (int i = 0; i < REPOSITORIES; i++) {
      sources[i] = Repositories.folder(folder.resolve("r" + i), 1 + i, i % 3);
    }
    Path out = folder.resolve("out");
    Process driver = start(out, sources);
    while (driver.isAlive() && committed(out) < 2) {
      Thread.sleep(20);
    }
    List<ProcessHandle> workers = driver.descendants().toList();
    driver.destroyForcibly().waitFor();
    for (ProcessHandle w : workers) {
      w.onExit().get();
    }
    int before = committed(out);
    assertThat(before).isBetween(2, REPOSITORIES);
    FleetRun second = FleetRun.of(FleetRun.audit(out, sources));
    assertThat(second.code()).as(second.err()).isZero();
    assertThat(second.err()).contains((REPOSITORIES - before) + " of them in this run");
    JsonNode each = FleetRun.each(folder, sources).path("all");
    assertThat(TableRows.of(out, Table.REPOSITORIES)).hasSize(REPOSITORIES);
    assertThat(TableRows.sum(out, "edits")).isEqualTo(each.path("edits").asLong());
    assertThat(TableRows.sum(out, "errors")).isEqualTo(each.path("errors").asLong());
  }

  private Process start(Path out, Object... sources) throws IOException {
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
            .redirectOutput(folder.resolve("driver.log").toFile())
            .start();
    try (var in = driver.getOutputStream()) {
      FleetRun.JSON.writeValue(in, FleetRun.audit(out, sources).put("master", "local[1]"));
    }
    return driver;
  }

  private static int committed(Path out) throws IOException {
    if (!Files.isDirectory(out.resolve("data"))) {
      return 0;
    }
    try (Stream<Path> folders = Files.list(out.resolve("data"))) {
      return (int) folders.count();
    }
  }
}
