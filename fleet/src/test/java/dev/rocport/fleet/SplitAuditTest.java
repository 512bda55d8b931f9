package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Large repositories, audited in parts. */
final class SplitAuditTest {
  @TempDir Path folder;

  private static ObjectNode split(Path out, Object... sources) throws IOException {
    return FleetRun.audit(out, sources).put("splitAbove", 1);
  }

  private static List<String> steps(Path out, String repository) throws IOException {
    List<String> steps = new ArrayList<>();
    for (Map<String, Object> row : TableRows.ofOne(folder(out, repository), Table.TASKS)) {
      steps.add(row.get("step") + " " + row.get("part"));
    }
    return steps;
  }

  private static Path folder(Path out, String repository) throws IOException {
    try (Stream<Path> folders = Files.list(out.resolve("data"))) {
      return folders
          .filter(f -> f.getFileName().toString().startsWith("repository=" + repository + "-"))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void partsGiveWhatOneAuditGives() throws Exception {
    Path large = Repositories.large(folder.resolve("large"));
    Path small = Repositories.folder(folder.resolve("small"), 2, 1);
    Path archive =
        Repositories.archive(folder.resolve("packed.tar.gz"), t -> Repositories.folder(t, large));
    Path whole = folder.resolve("whole");
    Path parts = folder.resolve("parts");
    Object[] sources = {large, archive, small};
    assertThat(FleetRun.of(FleetRun.audit(whole, sources).put("sarif", true)).code()).isZero();
    FleetRun run = FleetRun.of(split(parts, sources).put("sarif", true));
    assertThat(run.code()).as(run.err()).isZero();
    for (Table table : Table.of(Work.AUDIT)) {
      if (table != Table.TASKS) {
        assertThat(TableRows.counted(parts, table))
            .as(table.label())
            .isEqualTo(TableRows.counted(whole, table));
      }
    }
    assertThat(TableRows.sum(parts, "errors")).isPositive();
    for (String name : List.of("large", "packed")) {
      assertThat(folder(parts, name).resolve("report.sarif"))
          .hasSameBinaryContentAs(folder(whole, name).resolve("report.sarif"));
      assertThat(steps(parts, name))
          .contains("plan 0", "facts 0", "facts 3", "join 0", "files 0", "files 3", "report 0");
    }
    assertThat(folder(parts, "small").resolve("tasks.parquet")).doesNotExist();
    assertThat(TableRows.of(whole, Table.TASKS)).isEmpty();
    assertThat(parts.resolve("_split")).isEmptyDirectory();
  }

  @Test
  void aKilledDriverLosesNoPart() throws Exception {
    Path large = Repositories.large(folder.resolve("large"));
    Path out = folder.resolve("out");
    Process driver =
        Driver.start(split(out, large).put("master", "local[1]"), folder.resolve("driver.log"));
    while (driver.isAlive() && done(out).size() < 3) {
      Thread.sleep(10);
    }
    Driver.kill(driver);
    List<Path> before = done(out);
    assertThat(before).hasSizeGreaterThanOrEqualTo(3);
    List<String> costs = new ArrayList<>();
    for (Path file : before) {
      costs.add(FleetRun.JSON.readTree(file.toFile()).path("milliseconds").asText());
    }
    FleetRun second = FleetRun.of(split(out, large));
    assertThat(second.code()).as(second.err()).isZero();
    List<Map<String, Object>> rows = TableRows.of(out, Table.TASKS);
    assertThat(rows).hasSize(steps(out, "large").stream().distinct().toList().size());
    assertThat(rows.stream().map(r -> r.get("milliseconds").toString())).containsAll(costs);
    Path whole = folder.resolve("whole");
    assertThat(FleetRun.of(FleetRun.audit(whole, large)).code()).isZero();
    assertThat(TableRows.counted(out, Table.FINDINGS))
        .isEqualTo(TableRows.counted(whole, Table.FINDINGS));
  }

  private static List<Path> done(Path out) throws IOException {
    if (!Files.isDirectory(out.resolve("_split"))) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(out.resolve("_split"))) {
      return files
          .filter(
              f -> f.getParent().endsWith("done") && !f.getFileName().toString().startsWith("."))
          .toList();
    }
  }

  @Test
  void filesThatChangeMeanwhileAreNoticed() throws Exception {
    Path restless = Repositories.large(folder.resolve("restless"));
    AtomicBoolean ended = new AtomicBoolean();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; !ended.get(); i++) {
                    try {
                      Files.writeString(restless.resolve("unit0/k.cu"), "// " + i + "\n");
                      Thread.sleep(5);
                    } catch (IOException | InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  }
                });
    Path out = folder.resolve("out");
    try {
      FleetRun.of(split(out, restless));
    } finally {
      ended.set(true);
      writer.join();
    }
    assertThat(TableRows.kinds(out)).containsEntry("restless", "changed");
    assertThat(TableRows.of(out, Table.FAILURES).toString()).contains("step 'report' of");
    FleetRun again = FleetRun.of(split(out, restless).put("retry", true));
    assertThat(again.code()).as(again.err()).isZero();
  }

  @Test
  void aPartThatFailsFailsTheRepository() throws Exception {
    Path large = Repositories.large(folder.resolve("large"));
    Path out = folder.resolve("out");
    OutputFolder tables = new OutputFolder(out);
    WorkSettings settings =
        FleetRun.JSON.treeToValue(split(out, large).put("quiet", true), WorkSettings.class);
    Source source = new Source("large-1", "large", large.toString(), "", "", Source.Kind.FOLDER, 1);
    tables.open(
        new OutputFolder.Description(
            OutputFolder.SCHEMA, "test", "audit", List.of(), List.of("large-1")));
    try {
      int parts = new RepositoryTask(settings).call(source);
      assertThat(parts).isEqualTo(4);
      PartTask task = new PartTask(settings);
      assertThat(task.call(new PartTask.Part(source, Step.FILES, 1, parts))).isFalse();
      assertThat(TableRows.of(out, Table.FAILURES).getFirst().get("reason").toString())
          .startsWith("part 2 of " + parts + ": ")
          .contains("no file 'join'");
      // The others end at once, and nothing is left.
      assertThat(task.call(new PartTask.Part(source, Step.REPORT, 0, parts))).isFalse();
      assertThat(out.resolve("_split")).isEmptyDirectory();
      assertThat(TableRows.committed(out)).isEqualTo(1);
    } finally {
      WorkerPool.endAll();
    }
  }
}
