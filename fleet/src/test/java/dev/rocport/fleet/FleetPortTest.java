package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ports of fleets, compared with {@code rocport port}. */
final class FleetPortTest {
  @TempDir Path folder;

  @Test
  void theTreesAreThoseOfAPort() throws Exception {
    Path one = Repositories.folder(folder.resolve("one"), 3, 1);
    Path packed = Repositories.folder(folder.resolve("x/packed"), 2, 0);
    // A reader of tables must not take it for one.
    Files.writeString(packed.resolve("findings.parquet"), "no table");
    Path archive =
        Repositories.archive(folder.resolve("packed.tgz"), t -> Repositories.folder(t, packed));
    Path broken = Files.writeString(folder.resolve("broken.tgz"), "x");
    Path out = folder.resolve("out");
    FleetRun run = FleetRun.of(FleetRun.settings("port", out, one, archive, broken));
    assertThat(run.code()).as(run.err()).isEqualTo(1);
    assertThat(run.err()).contains("3 repositories: 2 ported, 1 failed");
    for (Path repository : List.of(one, packed)) {
      Path alone = folder.resolve("alone-" + repository.getFileName());
      FleetRun.command(folder, "port", repository, "--out", alone, "--format", "json");
      Path tree = tree(out, repository.getFileName() + "-");
      assertThat(files(tree)).isEqualTo(files(alone)).contains("src/k0.cu");
      for (String file : files(alone)) {
        assertThat(Files.mismatch(tree.resolve(file), alone.resolve(file))).as(file).isEqualTo(-1);
      }
      assertThat(tree.resolve("src/k0.cu")).content().contains("hipMalloc");
    }
    assertThat(one.resolve("src/k0.cu")).content().contains("cudaMalloc");
    JsonNode totals = FleetRun.report(out, "").path("totals").get(0);
    assertThat(totals.path("failed").asInt()).isEqualTo(1);
    assertThat(totals.path("edits").asLong()).isEqualTo(TableRows.sum(out, "edits")).isPositive();
    try (Stream<Path> left = Files.list(out.resolve("_unfinished"))) {
      assertThat(left).isEmpty();
    }
  }

  private static Path tree(Path out, String prefix) throws IOException {
    try (Stream<Path> folders = Files.list(out.resolve("data"))) {
      return folders
          .filter(f -> f.getFileName().toString().startsWith("repository=" + prefix))
          .findFirst()
          .orElseThrow()
          .resolve("_tree");
    }
  }

  /** The files of a tree without the state of the port, which has times. */
  private static List<String> files(Path tree) throws IOException {
    List<String> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(tree)) {
      all.filter(Files::isRegularFile)
          .map(f -> tree.relativize(f).toString())
          .filter(f -> !f.startsWith(".rocport/"))
          .sorted()
          .forEach(files::add);
    }
    return files;
  }
}
