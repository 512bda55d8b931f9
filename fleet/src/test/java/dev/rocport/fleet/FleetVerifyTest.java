package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cells of a verification on Spark's local master. */
final class FleetVerifyTest {
  private static final Path HOME =
      Path.of(System.getProperty("rocport.home")).toAbsolutePath().normalize();

  @TempDir Path folder;

  @Test
  void cellsHaveResultsOrReasons() throws Exception {
    Path out = folder.resolve("cells");
    ObjectNode settings = FleetRun.JSON.createObjectNode();
    settings.put("command", "verify");
    settings.put("home", HOME.toString());
    settings.put("classPath", FleetRun.jar().toString());
    settings.put("folder", HOME.toString());
    settings.withArray("arguments").add("fixtures/saxpy").add("--target=gfx90a").add("--runs=2");
    settings.withArray("arguments").add("--device=emulated");
    settings.withArray("cells").add("saxpy.gfx90a.s0").add("saxpy.gfx90a.s1");
    settings.withArray("cells").add("saxpy.gfx90a.s7");
    settings.put("out", out.toString());
    settings.put("master", "local[2]");
    settings.putObject("spark");
    settings.put("timeLimit", 1800);
    settings.put("memoryLimit", 512);
    FleetRun run = FleetRun.of(settings);
    assertThat(run.err()).contains("2 cells have results, 1 have none");
    assertThat(run.code()).isEqualTo(1);
    assertThat(out.resolve("results/saxpy.gfx90a.s0.json")).content().contains("\"ok\"");
    assertThat(out.resolve("results/saxpy.gfx90a.s1.json")).content().contains("\"ok\"");
    assertThat(out.resolve("failures/saxpy.gfx90a.s7.txt"))
        .content()
        .contains("--cell: no such cell: saxpy.gfx90a.s7");
    try (var builds = Files.list(out.resolve("builds"))) {
      assertThat(builds.filter(Files::isDirectory)).as("one build for both cells").hasSize(1);
    }
  }
}
