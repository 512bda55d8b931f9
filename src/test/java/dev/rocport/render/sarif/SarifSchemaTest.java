package dev.rocport.render.sarif;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Effort;
import dev.rocport.core.result.FileFix;
import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Replacement;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.Severity;
import dev.rocport.render.Samples;
import dev.rocport.render.html.HostileResult;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
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

  @ParameterizedTest
  @FieldSource("dev.rocport.render.html.HostileResult#TEXTS")
  void textsThatFormatsTripOverAreValid(String text) {
    assertThat(errors(write(HostileResult.of(text)))).isEmpty();
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
        .containsExactly(
            "API-RUNTIME", "API-UNKNOWN", "GUARD-ARCH", "NEVER-USED", "PTX-INLINE", "ROCPORT-PORT");
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
    JsonNode run = run(write(resultOf(findings, List.of())));
    assertThat(run.get("results")).hasSize(25_000);
    assertThat(run.at("/results/0/level").asString()).isEqualTo("error");
    assertThat(run.at("/invocations/0/toolExecutionNotifications/0/message/text").asString())
        .startsWith("1 results");
  }

  @Test
  void columnsAreLeftOutWhereTheLineBeforeThemIsNotKnownToBePlain() {
    String cut = "x".repeat(Finding.LONGEST_SNIPPET);
    assertThat(region(finding(cut, 100)).has("startColumn")).isTrue();
    assertThat(region(finding(cut, 300)).has("startColumn")).isFalse();
    assertThat(region(finding("x".repeat(20) + "\u00e9", 5)).has("startColumn")).isFalse();
  }

  private static JsonNode region(Finding finding) {
    return run(write(resultOf(List.of(finding), List.of())))
        .at("/results/0/locations/0/physicalLocation/region");
  }

  private static Finding finding(String snippet, int column) {
    return new Finding(
        "X",
        Severity.NOTE,
        Disposition.REVIEW,
        "a.cu",
        1,
        column,
        1,
        column + 2,
        "m",
        "",
        snippet,
        "0123456789abcdef");
  }

  private static Result resultOf(List<Finding> findings, List<FileFix> fixes) {
    FileResult file =
        new FileResult(
            "a.cu", FileResult.Status.UNCHANGED, "cuda", 1, 1, new TreeMap<>(), findings, "");
    Result small = Samples.result();
    return new Result(
            small.run(),
            List.of(new FileReport(file, Effort.NONE)),
            small.totals(),
            small.method(),
            small.rules(),
            null)
        .withFixes(fixes);
  }

  @Test
  void fixesThatDoNotFitAreOmittedWithANotification() throws IOException {
    Random random = new Random(5);
    List<FileFix> fixes = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      byte[] noise = new byte[40_000];
      random.nextBytes(noise);
      String text = Base64.getEncoder().encodeToString(noise);
      fixes.add(
          new FileFix(
              "f%d.cu".formatted(i), List.of(new Replacement(1, 1, 1, 1, text)), List.of()));
    }
    String sarif = write(resultOf(List.of(), fixes));
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(sarif.getBytes(StandardCharsets.UTF_8));
    }
    assertThat(packed.size()).isBetween(4_000_000, 6_000_000);
    int kept = run(sarif).get("results").size();
    assertThat(run(sarif).at("/invocations/0/toolExecutionNotifications/0/message/text").asString())
        .isEqualTo("the fixes of " + (300 - kept) + " files are left out");
  }

  @Test
  void findingsGoBeforeFixes() {
    List<Finding> findings = new ArrayList<>();
    for (int i = 0; i < 24_999; i++) {
      findings.add(finding("x", 1));
    }
    Replacement one = new Replacement(1, 1, 1, 1, "x");
    List<FileFix> fixes =
        List.of(
            new FileFix("a.cu", List.of(one), List.of()),
            new FileFix("b.cu", List.of(one), List.of()));
    JsonNode results = run(write(resultOf(findings, fixes))).get("results");
    assertThat(results).hasSize(25_000);
    assertThat(results.get(24_999).get("ruleId").asString()).isEqualTo("ROCPORT-PORT");
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
