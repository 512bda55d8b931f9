package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fleet with hostile repositories on a cluster that loses a worker. */
final class ClusterTest {
  private static final int GOOD = 47;

  @TempDir Path folder;

  @Test
  void aLostWorkerChangesNothing() throws Exception {
    List<Object> good = new ArrayList<>();
    for (int i = 0; i < GOOD; i++) {
      good.add(Repositories.folder(folder.resolve("r" + i), 1 + i % 4, i % 3));
    }
    List<Object> sources = new ArrayList<>(good);
    sources.add(
        Repositories.archive(
            folder.resolve("bomb.tar.gz"),
            t -> Repositories.file(t, "zeros.cu", "\0".repeat(4 << 20))));
    sources.add(
        Repositories.archive(
            folder.resolve("out.tar"), t -> Repositories.file(t, "../../x.cu", "x")));
    sources.add(Files.writeString(folder.resolve("broken.tgz"), "x"));
    Path out = folder.resolve("out");
    try (Cluster cluster = new Cluster(folder.resolve("spark"))) {
      ObjectNode settings = FleetRun.audit(out, sources.toArray());
      settings.put("sizeLimit", 1);
      cluster.into(settings);
      CompletableFuture<FleetRun> run = CompletableFuture.supplyAsync(() -> run(settings));
      while (!run.isDone() && TableRows.committed(out) < 5) {
        Thread.sleep(50);
      }
      assertThat(TableRows.committed(out)).isBetween(5, GOOD);
      cluster.killWorker();
      assertThat(run.get().code()).as(run.get().err()).isEqualTo(1);
    }
    assertThat(TableRows.kinds(out))
        .containsOnly(
            Map.entry("bomb", "too-large"),
            Map.entry("out", "leads-out"),
            Map.entry("broken", "broken-archive"));
    assertThat(TableRows.of(out, Table.REPOSITORIES)).hasSize(sources.size());
    JsonNode each = FleetRun.each(folder, good.toArray()).path("all");
    for (String number : List.of("files", "lines", "edits", "errors", "notes", "minutes")) {
      assertThat(TableRows.sum(out, number)).as(number).isEqualTo(each.path(number).asLong());
    }
  }

  private static FleetRun run(ObjectNode settings) {
    try {
      return FleetRun.of(settings);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
