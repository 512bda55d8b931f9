package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole audits of fleets, with processes, on Spark's local master. */
final class FleetAuditTest {
  @TempDir Path folder;

  @Test
  void countsWhatAnAuditOfEachCounts() throws Exception {
    Path one = Repositories.folder(folder.resolve("x/app"), 3, 1);
    Path two = Repositories.folder(folder.resolve("y/app"), 1, 2);
    Files.writeString(two.resolve(".rocport.yaml"), "exclude: src/ptx1.cu\n");
    Path three = Repositories.folder(folder.resolve("z/packed"), 2, 2);
    Path archive =
        Repositories.archive(folder.resolve("packed.tar.gz"), t -> Repositories.folder(t, three));
    Path git = Repositories.git(folder.resolve("cloned"));
    Path out = folder.resolve("out");
    FleetRun run = FleetRun.of(FleetRun.audit(out, one, two, archive, "file://" + git));
    assertThat(run.code()).as(run.err()).isZero();
    JsonNode each = FleetRun.each(folder, one, two, three, git).path("all");
    assertThat(TableRows.of(out, Table.REPOSITORIES)).hasSize(4);
    assertThat(each.path("errors").asInt()).isPositive();
    for (String number :
        new String[] {"files", "lines", "edits", "errors", "warnings", "notes", "minutes"}) {
      assertThat(TableRows.sum(out, number)).as(number).isEqualTo(each.path(number).asLong());
    }
    assertThat(TableRows.sum(out, "ptx_left")).isEqualTo(each.path("ptxLeft").asLong());
  }

  @Test
  void whatCannotBeAuditedIsARow() throws Exception {
    Path good = Repositories.folder(folder.resolve("good"), 1, 0);
    Path out =
        Repositories.archive(folder.resolve("out.tar"), t -> Repositories.file(t, "../x.cu", "x"));
    Path broken = Files.writeString(folder.resolve("broken.tgz"), "x");
    Path bomb =
        Repositories.archive(
            folder.resolve("bomb.tar.gz"),
            t -> Repositories.file(t, "zeros.cu", "\0".repeat(4 << 20)));
    Path text = Files.writeString(folder.resolve("text.cu"), "int i;");
    Path config = Repositories.folder(folder.resolve("config"), 1, 0);
    Files.writeString(config.resolve(".rocport.yaml"), "launch: nonsense\n");
    Path tables = folder.resolve("tables");
    ObjectNode settings =
        FleetRun.audit(
            tables,
            good,
            out,
            broken,
            bomb,
            text,
            config,
            folder.resolve("none"),
            "https://me:s3cret@127.0.0.1:1/secret.git");
    settings.put("sizeLimit", 1);
    FleetRun run = FleetRun.of(settings);
    assertThat(run.code()).as(run.err()).isEqualTo(1);
    assertThat(TableRows.kinds(tables))
        .containsOnly(
            Map.entry("out", "leads-out"),
            Map.entry("broken", "broken-archive"),
            Map.entry("bomb", "too-large"),
            Map.entry("text.cu", "unreadable"),
            Map.entry("config", "audit"),
            Map.entry("none", "unreadable"),
            Map.entry("secret", "clone"));
    assertThat(TableRows.sum(tables, "files")).isEqualTo(2);
    StringBuilder written = new StringBuilder(run.err() + run.out());
    for (Table table : Table.of(Work.AUDIT)) {
      written.append(TableRows.of(tables, table));
    }
    assertThat(written).contains("127.0.0.1:1").doesNotContain("s3cret");
    try (Stream<Path> files = Files.walk(tables)) {
      for (Path f : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(f, StandardCharsets.ISO_8859_1)).doesNotContain("s3cret");
      }
    }
  }

  @Test
  void aSecondRunContinues() throws Exception {
    Path one = Repositories.folder(folder.resolve("one"), 1, 0);
    Path two = Repositories.folder(folder.resolve("two"), 1, 0);
    Path late = folder.resolve("late");
    Path out = folder.resolve("out");
    assertThat(FleetRun.of(FleetRun.audit(out, one, late)).code()).isEqualTo(1);
    Path table = table(out, "one-");
    FileTime before = Files.getLastModifiedTime(table);
    Repositories.folder(late, 1, 0);
    FleetRun second = FleetRun.of(FleetRun.audit(out, one, late, two));
    assertThat(second.err()).contains("3 repositories: 2 audited, 1 failed; 1 of them in this run");
    assertThat(Files.getLastModifiedTime(table)).isEqualTo(before);
    ObjectNode retry = FleetRun.audit(out, one, late, two).put("retry", true);
    FleetRun third = FleetRun.of(retry);
    assertThat(third.code()).isZero();
    assertThat(third.err()).contains("3 repositories: 3 audited, 0 failed; 1 of them in this run");
    assertThat(TableRows.sum(out, "files")).isEqualTo(6);
    refusesOthers(out, one);
  }

  private static void refusesOthers(Path out, Path one) throws IOException {
    ObjectNode version = FleetRun.audit(out, one).put("version", "other");
    assertThat(FleetRun.of(version).code()).isEqualTo(2);
    assertThat(FleetRun.of(version).err()).contains("made by rocport test, and this is other");
    ObjectNode options = FleetRun.audit(out, one);
    options.withArray("options").add("--libs=roc");
    assertThat(FleetRun.of(options).err()).contains("made with the options");
    assertThat(FleetRun.of(FleetRun.settings("port", out, one)).err())
        .contains("made by 'rocport fleet audit', not 'port'");
    FleetRun foreign = FleetRun.of(FleetRun.audit(one, one));
    assertThat(foreign.code()).isEqualTo(2);
    assertThat(foreign.err()).contains("not empty, and not the output of a fleet");
    Files.writeString(
        out.resolve("fleet.json"),
        "{\"schema\": 99, \"version\": \"test\", \"command\": \"audit\", \"options\": []}");
    assertThat(FleetRun.of(FleetRun.audit(out, one)).err()).contains("has tables of version 99");
  }

  @Test
  void aMasterThatDoesNotStartIsAnError() throws Exception {
    Path one = Repositories.folder(folder.resolve("one"), 1, 0);
    Path out = folder.resolve("out");
    for (String master : List.of("yarn", "k8s://https://127.0.0.1:1", "nonsense")) {
      FleetRun run = FleetRun.of(FleetRun.audit(out, one).put("master", master));
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err()).contains("--master " + master + ": ").doesNotContain("internal error");
    }
    FleetRun yarn = FleetRun.of(FleetRun.audit(out, one).put("master", "yarn"));
    assertThat(yarn.err()).contains("needs spark-yarn_2.13 with its dependencies");
    assertThat(TableRows.committed(out)).isZero();
    // The output is not bound to the master.
    assertThat(FleetRun.of(FleetRun.audit(out, one)).code()).isZero();
  }

  private static Path table(Path out, String prefix) throws IOException {
    try (Stream<Path> folders = Files.list(out.resolve("data"))) {
      return folders
          .filter(f -> f.getFileName().toString().startsWith("repository=" + prefix))
          .findFirst()
          .orElseThrow()
          .resolve("files.parquet");
    }
  }

  @Test
  void limitsOfTimeAndMemoryHold() throws Exception {
    Path large = Repositories.folder(folder.resolve("large"), 2000, 0);
    Path slow = folder.resolve("slow");
    ObjectNode time = FleetRun.audit(slow, large).put("timeLimit", 1);
    assertThat(FleetRun.of(time).code()).isEqualTo(1);
    assertThat(TableRows.kinds(slow)).containsEntry("large", "time");
    Path small = folder.resolve("small");
    ObjectNode memory = FleetRun.audit(small, large).put("memoryLimit", 8);
    assertThat(FleetRun.of(memory).code()).isEqualTo(1);
    assertThat(TableRows.kinds(small)).containsEntry("large", "memory");
  }

  @Test
  void filesThatChangeMeanwhileAreNoticed() throws Exception {
    Path restless = Repositories.folder(folder.resolve("restless"), 50, 0);
    AtomicBoolean ended = new AtomicBoolean();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; !ended.get(); i++) {
                    try {
                      Files.writeString(restless.resolve("src/k0.cu"), "// " + i + "\n");
                      Thread.sleep(5);
                    } catch (IOException | InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  }
                });
    Path out = folder.resolve("out");
    try {
      FleetRun.of(FleetRun.audit(out, restless));
    } finally {
      ended.set(true);
      writer.join();
    }
    assertThat(TableRows.kinds(out)).containsEntry("restless", "changed");
  }

  /** A fresh process for each repository gives the same numbers as one for all. */
  @Test
  void processesAreReplaced() throws Exception {
    Path one = Repositories.folder(folder.resolve("one"), 2, 1);
    Path two = Repositories.folder(folder.resolve("two"), 1, 1);
    Path often = folder.resolve("often");
    Path never = folder.resolve("never");
    FleetRun.of(FleetRun.audit(often, one, two).put("workerRepositories", 1).put("sarif", true));
    FleetRun.of(FleetRun.audit(never, one, two).put("master", "local[1]"));
    for (Table table : Table.of(Work.AUDIT)) {
      if (table != Table.REPOSITORIES) {
        assertThat(TableRows.of(often, table)).isEqualTo(TableRows.of(never, table));
      }
    }
    assertThat(TableRows.sum(often, "edits")).isPositive();
    assertThat(TableRows.of(often, Table.PTX)).hasSize(2);
    for (Path of : List.of(one, two)) {
      Path sarif = table(often, of.getFileName() + "-").resolveSibling("report.sarif");
      assertThat(FleetRun.JSON.readTree(sarif.toFile()).at("/version").asText()).isEqualTo("2.1.0");
      assertThat(sarif).content().contains("src/ptx0.cu");
    }
    assertThat(table(never, "one-").resolveSibling("report.sarif")).doesNotExist();
  }
}
