package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answers for tables whose rows are known. */
final class FleetReportTest {
  @TempDir Path folder;

  private static void repository(
      TableFiles rows, String name, String team, long errors, long minutes) {
    rows.add(
        Table.REPOSITORIES,
        name,
        "/" + name,
        team,
        "audited",
        2L,
        10L,
        3L,
        4L,
        errors,
        0L,
        0L,
        0L,
        0L,
        minutes,
        "",
        5L,
        4L,
        0L);
  }

  private static void error(TableFiles rows, String rule) {
    rows.add(Table.FINDINGS, "a.cu", 1L, 1L, rule, "error", "unported", "message", "", "f", "");
  }

  private static void failure(TableFiles rows, String name) {
    rows.add(
        Table.REPOSITORIES,
        name,
        "/" + name,
        "red",
        "failed",
        0L,
        0L,
        0L,
        0L,
        0L,
        0L,
        0L,
        0L,
        0L,
        0L,
        "",
        7L,
        7L,
        0L);
    rows.add(Table.FAILURES, "time", "too slow");
  }

  private static void commit(OutputFolder out, String key, Consumer<TableFiles> content)
      throws IOException {
    try (Attempt attempt = out.attempt(key)) {
      content.accept(attempt.tables());
      attempt.commit();
    }
  }

  private OutputFolder fleet(String name) throws Exception {
    OutputFolder out = new OutputFolder(folder.resolve(name));
    out.open(
        new OutputFolder.Description(
            OutputFolder.SCHEMA, "test", "audit", List.of(), List.of("a-1", "b-2", "c-3")));
    commit(
        out,
        "a-1",
        a -> {
          repository(a, "a", "red", 1, 60);
          error(a, "R-ONE");
          a.add(Table.RULES, "R-ONE", "ptx", "the title", 0L, 1L);
          a.add(Table.PTX, "wgmma", "a fence", "large", 2L, 1L);
          a.add(Table.DEPENDENCIES, "cublas", 5L, 1L, 1L);
        });
    commit(
        out,
        "b-2",
        b -> {
          repository(b, "b", "blue", 3, 30);
          error(b, "R-ONE");
          error(b, "R-TWO");
          error(b, "R-TWO");
          b.add(Table.PTX, "wgmma", "a fence", "large", 3L, 1L);
          b.add(Table.DEPENDENCIES, "cufft", 5L, 0L, 0L);
        });
    commit(out, "c-3", c -> failure(c, "c"));
    return out;
  }

  @Test
  void answersTheQuestions() throws Exception {
    OutputFolder out = fleet("out");
    // A second attempt changes nothing.
    commit(out, "a-1", a -> {});
    // Nor does a repository that the last run did not name.
    commit(
        out,
        "d-4",
        other -> {
          repository(other, "d", "red", 100, 100);
          error(other, "R-TWO");
        });
    JsonNode report = FleetRun.report(folder.resolve("out"), "");
    JsonNode totals = report.path("totals").get(0);
    assertThat(totals.path("repositories").asInt()).isEqualTo(3);
    assertThat(totals.path("failed").asInt()).isEqualTo(1);
    assertThat(totals.path("errors").asInt()).isEqualTo(4);
    assertThat(report.path("teams").get(0).path("team").asText()).isEqualTo("red");
    JsonNode first = report.path("blocking").get(0);
    assertThat(first.toString())
        .isEqualTo(
            "{\"rule\":\"R-ONE\",\"repositories\":2,\"alone\":1,\"findings\":2,\"title\":\"the"
                + " title\"}");
    assertThat(report.path("blocking").get(1).path("findings").asInt()).isEqualTo(2);
    assertThat(report.path("ptx").get(0).path("places").asInt()).isEqualTo(5);
    assertThat(report.path("libraries").findValuesAsText("library")).containsExactly("cublas");
    assertThat(report.path("failures").get(0).path("reason").asText()).isEqualTo("too slow");
    assertThat(report.has("trend")).isFalse();
  }

  @Test
  void comparesWithAnEarlierRun() throws Exception {
    fleet("old");
    OutputFolder now = fleet("now");
    now.remove("a-1");
    commit(now, "a-1", better -> repository(better, "a", "red", 0, 0));
    now.remove("b-2");
    JsonNode report = FleetRun.report(folder.resolve("now"), folder.resolve("old").toString());
    JsonNode changes = report.path("changes");
    assertThat(changes).hasSize(2);
    assertThat(changes.get(0).toString())
        .isEqualTo("{\"name\":\"a\",\"state\":\"changed\",\"errors\":-1,\"minutes\":-60}");
    assertThat(changes.get(1).path("state").asText()).isEqualTo("gone");
  }

  @Test
  void aRepositoryThatFailsIsNoProgress() throws Exception {
    fleet("old");
    OutputFolder now = fleet("now");
    now.remove("a-1");
    commit(now, "a-1", a -> failure(a, "a"));
    now.remove("c-3");
    commit(now, "c-3", audited -> repository(audited, "c", "red", 5, 50));
    JsonNode report = FleetRun.report(folder.resolve("now"), folder.resolve("old").toString());
    JsonNode changes = report.path("changes");
    assertThat(changes).hasSize(2);
    assertThat(changes.get(0).toString())
        .isEqualTo("{\"name\":\"a\",\"state\":\"failed\",\"errors\":0,\"minutes\":0}");
    assertThat(changes.get(1).toString())
        .isEqualTo("{\"name\":\"c\",\"state\":\"audited\",\"errors\":0,\"minutes\":0}");
  }

  @Test
  void otherFoldersAreRefused() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    var settings = FleetRun.JSON.createObjectNode();
    settings.put("command", "report").put("out", other.toString()).put("since", "");
    settings.put("master", "local[2]").putObject("spark");
    FleetRun run = FleetRun.of(settings.put("format", "text").put("top", 3));
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("not the output of a fleet");
  }
}
