package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
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
    Process driver =
        Driver.start(
            FleetRun.audit(out, sources).put("master", "local[1]"), folder.resolve("driver.log"));
    while (driver.isAlive() && TableRows.committed(out) < 2) {
      Thread.sleep(20);
    }
    Driver.kill(driver);
    int before = TableRows.committed(out);
    assertThat(before).isBetween(2, REPOSITORIES);
    FleetRun second = FleetRun.of(FleetRun.audit(out, sources));
    assertThat(second.code()).as(second.err()).isZero();
    assertThat(second.err()).contains((REPOSITORIES - before) + " of them in this run");
    JsonNode each = FleetRun.each(folder, sources).path("all");
    assertThat(TableRows.of(out, Table.REPOSITORIES)).hasSize(REPOSITORIES);
    assertThat(TableRows.sum(out, "edits")).isEqualTo(each.path("edits").asLong());
    assertThat(TableRows.sum(out, "errors")).isEqualTo(each.path("errors").asLong());
  }
}
