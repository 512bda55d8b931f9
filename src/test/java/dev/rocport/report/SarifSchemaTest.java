package dev.rocport.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** SARIF as the standard's own schema has it, and within the limits of code scanning. */
class SarifSchemaTest {
  private static String write(Result result) {
    StringWriter out = new StringWriter();
    SarifReport.write(result, out);
    return out.toString();
  }

  private static List<Error> errors(String sarif) {
    try (InputStream in =
        SarifSchemaTest.class.getResourceAsStream("/schema/sarif-schema-2.1.0.json")) {
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
          .getSchema(in, InputFormat.JSON)
          .validate(sarif, InputFormat.JSON);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theSampleIsValid() {
    assertThat(errors(write(Samples.result()))).isEmpty();
  }

  @Test
  void whatTheStandardDoesNotKnowIsAnError() {
    String sarif = write(Samples.result());
    assertThat(errors(sarif.replace("\"startLine\"", "\"line\""))).isNotEmpty();
    assertThat(errors(sarif.replace("\"kind\" : \"inSource\"", "\"kind\" : \"source\"")))
        .isNotEmpty();
  }

  @Test
  void allRulesAreDeclaredWhetherUsedOrNot() {
    JsonNode rules = run(write(Samples.result())).at("/tool/driver/rules");
    assertThat(rules.valueStream().map(r -> r.get("id").asString()))
        .containsExactly("API-RUNTIME", "API-UNKNOWN", "GUARD-ARCH", "NEVER-USED", "PTX-INLINE");
  }

  @Test
  void tooManyResultsLeaveTheLeastOut() {
    List<Finding> findings = new ArrayList<>();
    for (int i = 1; i <= 25_001; i++) {
      Severity severity = i == 25_001 ? Severity.ERROR : Severity.NOTE;
      findings.add(
          new Finding(
              "X",
              severity,
              Disposition.REVIEW,
              "a.cu",
              i,
              1,
              i,
              2,
              "m",
              "",
              "x",
              "%016x".formatted(i)));
    }
    FileResult file =
        new FileResult(
            "a.cu", FileResult.Status.UNCHANGED, "cuda", 1, 1, new TreeMap<>(), findings, "");
    Result small = Samples.result();
    Result result =
        new Result(
            small.run(),
            List.of(new FileReport(file, Effort.NONE)),
            small.totals(),
            small.method(),
            small.rules(),
            null);
    JsonNode run = run(write(result));
    assertThat(run.get("results")).hasSize(25_000);
    assertThat(run.at("/results/0/level").asString()).isEqualTo("error");
    assertThat(run.at("/invocations/0/toolExecutionNotifications/0/message/text").asString())
        .startsWith("1 results");
  }

  @Test
  void pathsAreReferencesWithoutASchemeOrBlanks() {
    assertThat(SarifReport.uri("src/a b:c%.cu")).isEqualTo("src/a%20b%3Ac%25.cu");
    assertThat(SarifReport.uri("ü.cu")).isEqualTo("%C3%BC.cu");
  }

  private static JsonNode run(String sarif) {
    return JsonMapper.shared().readTree(sarif).at("/runs/0");
  }
}
