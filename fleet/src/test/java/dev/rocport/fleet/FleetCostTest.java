package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The model of the cost of a fleet that was audited. */
final class FleetCostTest {
  @TempDir Path folder;

  @Test
  void predictsWhatItKnows() throws Exception {
    Object[] sources = new Object[6];
    for (int i = 0; i < sources.length; i++) {
      sources[i] = Repositories.folder(folder.resolve("r" + i), 1 + 3 * i, i % 3);
    }
    Path out = folder.resolve("out");
    assertThat(FleetRun.of(FleetRun.audit(out, sources)).code()).isZero();
    JsonNode cost = cost(out);
    JsonNode fit = cost.path("fit").get(0);
    assertThat(fit.path("repositories").asInt()).isEqualTo(6);
    assertThat(fit.path("bytes").asLong()).isEqualTo(TableRows.sum(out, "bytes"));
    assertThat(fit.path("table_bytes").asLong()).isPositive();
    long milliseconds = TableRows.sum(out, "processor_milliseconds");
    assertThat(milliseconds).as("the start of processes, too").isGreaterThan(200);
    assertThat(fit.path("seconds").asLong()).isEqualTo(Math.round(milliseconds / 1000.0));
    assertThat(cost.path("model").findValuesAsText("class"))
        .containsExactly("each repository", "each process", "cuda", "other");
    assertThat(cost.path("check")).hasSize(1);
    JsonNode all = cost.path("extrapolation").get(0);
    assertThat(all.path("repositories").asLong()).isEqualTo(10_000);
    assertThat(all.path("processor_hours").asLong()).isPositive();
  }

  private static JsonNode cost(Path out) throws Exception {
    ObjectNode settings = FleetRun.JSON.createObjectNode();
    settings.put("command", "cost").put("format", "json").put("version", "test");
    settings.putArray("outs").add(out.toString());
    settings.putArray("checks").add(out.toString());
    settings.put("repositories", 10_000).put("gigabytes", 10_000);
    FleetRun run = FleetRun.of(settings);
    assertThat(run.code()).as(run.err()).isZero();
    return FleetRun.JSON.readTree(run.out());
  }
}
