package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Executors and drivers that are killed at random moments: the tables are those of a run without.
 * The properties {@code rocport.kills.executors} and {@code rocport.kills.drivers} say how often.
 */
final class RepeatedKillsTest {
  private static final int EXECUTORS = Integer.getInteger("rocport.kills.executors");
  private static final int DRIVERS = Integer.getInteger("rocport.kills.drivers");
  private static final long SEED = Long.getLong("rocport.kills.seed", 1);

  @TempDir Path folder;

  @Test
  void theTablesAreThoseOfARunWithoutKills() throws Exception {
    // Each kill waits for up to three repositories; a fast machine does others meanwhile.
    Object[] sources = new Object[30 + 12 * (EXECUTORS + DRIVERS)];
    for (int i = 0; i < sources.length; i++) {
      sources[i] = Repositories.folder(folder.resolve("r" + i), 1 + i % 9, i % 3);
    }
    sources[0] = Repositories.large(folder.resolve("large"));
    Path quiet = folder.resolve("quiet");
    assertThat(FleetRun.of(FleetRun.audit(quiet, sources)).code()).isZero();
    Path out = folder.resolve("out");
    Random random = new Random(SEED);
    Path log = folder.resolve("driver.log");
    int executors = 0;
    int drivers = 0;
    try (Cluster cluster = new Cluster(folder.resolve("spark"))) {
      ObjectNode settings = FleetRun.audit(out, sources).put("splitAbove", 1);
      cluster.into(settings);
      Process driver = Driver.start(settings, log);
      while (driver.isAlive()) {
        // The next kill is after up to three more repositories, and at any moment from there.
        int next = TableRows.committed(out) + random.nextInt(4);
        while (driver.isAlive() && TableRows.committed(out) < next) {
          Thread.sleep(20);
        }
        Thread.sleep(random.nextInt(1000));
        boolean ofDriver = drivers < DRIVERS && random.nextInt(EXECUTORS + DRIVERS) < DRIVERS;
        if (ofDriver && driver.isAlive()) {
          Driver.kill(driver);
          drivers++;
          driver = Driver.start(settings, log);
        } else if (executors < EXECUTORS) {
          List<ProcessHandle> alive = cluster.executors();
          if (!alive.isEmpty() && alive.get(random.nextInt(alive.size())).destroyForcibly()) {
            executors++;
          }
        }
      }
      assertThat(driver.exitValue()).as(Files.readString(log)).isZero();
    }
    assertThat(List.of(executors, drivers)).as("kills").isEqualTo(List.of(EXECUTORS, DRIVERS));
    for (Table table : Table.of(Work.AUDIT)) {
      if (table != Table.TASKS) {
        assertThat(TableRows.counted(out, table))
            .as(table.label())
            .isEqualTo(TableRows.counted(quiet, table));
      }
    }
  }
}
