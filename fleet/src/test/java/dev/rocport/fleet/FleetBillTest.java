package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bills of fleets, compared with {@code rocport bill}. */
final class FleetBillTest {
  private static final String SOURCE =
      """
      #include <cublas_v2.h>
      #include <cudnn.h>
      void f(cublasHandle_t h, float* p, float a) { cublasSscal(h, 10, &a, p, 1); }
      """;

  @TempDir Path folder;

  @Test
  void theRowsAreThoseOfTheBills() throws Exception {
    Path one = Repositories.folder(folder.resolve("one"), 1, 1);
    Files.writeString(one.resolve("src/libraries.cu"), SOURCE);
    Files.writeString(one.resolve("Makefile"), "all:\n\tnvcc -arch=sm_80 src/libraries.cu\n");
    Path two = Repositories.folder(folder.resolve("two"), 1, 0);
    Files.writeString(two.resolve("requirements.txt"), "cupy-cuda12x==13.0\n");
    Path out = folder.resolve("out");
    FleetRun run = FleetRun.of(FleetRun.settings("bill", out, one, two, folder.resolve("none")));
    assertThat(run.code()).as(run.err()).isEqualTo(1);
    assertThat(run.err()).contains("3 repositories: 2 examined, 1 failed");
    long components = 0;
    long places = 0;
    long names = 0;
    for (Path repository : new Path[] {one, two}) {
      JsonNode bill = FleetRun.command(folder, "bill", repository, "--format", "json");
      components += bill.path("components").size();
      for (JsonNode c : bill.path("components")) {
        places += c.path("evidence").size();
        names += c.path("names").size();
      }
    }
    assertThat(TableRows.of(out, Table.COMPONENTS)).hasSize(Math.toIntExact(components));
    assertThat(TableRows.of(out, Table.PLACES)).hasSize(Math.toIntExact(places));
    assertThat(TableRows.of(out, Table.NAMES)).hasSize(Math.toIntExact(names));
    assertThat(TableRows.of(out, Table.COMPONENTS))
        .extracting(r -> r.get("component"))
        .contains("cublas", "cudnn");
    assertThat(TableRows.of(out, Table.GPUS)).extracting(r -> r.get("gpu")).contains("sm_80");
    assertThat(TableRows.of(out, Table.FAILURES))
        .extracting(r -> r.get("kind"))
        .containsExactly("unreadable");
    report(out);
  }

  private static void report(Path out) throws Exception {
    JsonNode report = FleetRun.report(out, out.toString());
    JsonNode totals = report.path("totals").get(0);
    assertThat(totals.path("repositories").asInt()).isEqualTo(3);
    assertThat(totals.path("failed").asInt()).isEqualTo(1);
    assertThat(report.path("components").findValuesAsText("component")).contains("cublas");
    assertThat(report.path("gpus").findValuesAsText("gpu")).contains("sm_80");
    assertThat(report.path("trend")).hasSize(2);
    assertThat(report.path("failures").get(0).path("kind").asText()).isEqualTo("unreadable");
  }

  @Test
  void billsAreNoAudits() throws Exception {
    Path one = Repositories.folder(folder.resolve("one"), 1, 0);
    Path out = folder.resolve("out");
    assertThat(FleetRun.of(FleetRun.settings("bill", out, one)).code()).isZero();
    FleetRun audit = FleetRun.of(FleetRun.audit(out, one));
    assertThat(audit.err()).contains("made by 'rocport fleet bill', not 'audit'");
    ObjectNode cost = FleetRun.JSON.createObjectNode();
    cost.put("command", "cost").put("format", "text");
    cost.putArray("outs").add(out.toString());
    cost.putArray("checks");
    assertThat(FleetRun.of(cost).err()).contains("bills have no table of files");
    Map<String, Object> row = TableRows.of(out, Table.BILLS).getFirst();
    assertThat(row.get("status")).isEqualTo("examined");
  }
}
