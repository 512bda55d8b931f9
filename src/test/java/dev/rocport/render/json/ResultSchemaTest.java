package dev.rocport.render.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.VerifyInfo;
import dev.rocport.render.ReportSchema;
import dev.rocport.render.Samples;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reports conform to the published schema, and the schema rejects other documents. */
class ResultSchemaTest {
  private static String sample() {
    StringWriter out = new StringWriter();
    JsonReport.write(Samples.result(), out);
    return out.toString();
  }

  @Test
  void theSampleIsValid() {
    assertThat(ReportSchema.errors(sample())).isEmpty();
  }

  @Test
  void aFieldThatTheSchemaDoesNotNameIsAnError() {
    String json = sample();
    assertThat(ReportSchema.errors(json.replace("\"snippet\"", "\"snipped\""))).isNotEmpty();
    assertThat(ReportSchema.errors(json.replace("\"roots\"", "\"root\""))).isNotEmpty();
    assertThat(ReportSchema.errors(json.replace("\"reason\"", "\"cause\""))).isNotEmpty();
  }

  @Test
  void everyFieldIsDocumented() throws IOException {
    String docs =
        Files.readString(Path.of(System.getProperty("rocport.home"), "docs/report-format.md"));
    Set<String> fields = new TreeSet<>();
    try (InputStream in = JsonReport.class.getResourceAsStream("result.schema.json")) {
      collect(JsonMapper.shared().readTree(in), fields);
    }
    assertThat(fields).contains("fingerprint", "minutes").allMatch(f -> docs.contains(f));
  }

  private static void collect(JsonNode node, Set<String> fields) {
    if (node.has("properties")) {
      fields.addAll(node.get("properties").propertyNames());
    }
    node.forEach(child -> collect(child, fields));
  }

  @Test
  void aVerificationFitsTheSchema() {
    VerifyInfo info =
        new VerifyInfo(
            "emulated",
            "untested",
            List.of(
                new VerifyInfo.Case(
                    "f",
                    "r",
                    "gfx90a",
                    2,
                    "ok",
                    Map.of("exit", "0"),
                    List.of("libhipblas"),
                    List.of("librocfft 6.4"),
                    "")),
            List.of(
                new VerifyInfo.Tensor(
                    "f",
                    "x",
                    "F32 [1]",
                    "different",
                    1,
                    1,
                    1,
                    1,
                    Map.of("1", 1L),
                    0.5,
                    "[0]",
                    Double.POSITIVE_INFINITY,
                    "[0]",
                    Double.NaN,
                    1,
                    "exact",
                    "")),
            List.of(new VerifyInfo.Cell("f", "gfx90a", "k", "int", "sum", 3, 1, 3, 0, 0, 0, 0)),
            List.of(new VerifyInfo.Fault("f", "tail", true, "checks")));
    StringWriter out = new StringWriter();
    JsonReport.write(Samples.result().with(info), out);
    assertThat(out.toString()).contains("\"maxRel\" : null");
    assertThat(ReportSchema.errors(out.toString())).isEmpty();
    assertThat(ReportSchema.errors(out.toString().replace("\"caught\" : true", "\"caught\" : 1")))
        .isNotEmpty();
  }

  @Test
  void aValueOutsideOfItsSetIsAnError() {
    String json = sample();
    assertThat(
            ReportSchema.errors(json.replace("\"status\" : \"failed\"", "\"status\" : \"lost\"")))
        .isNotEmpty();
    assertThat(ReportSchema.errors(json.replace("00000000000000aa", "xyz"))).isNotEmpty();
    assertThat(ReportSchema.errors(json.replace("\"schema\" : \"1.8\"", "\"schema\" : \"2.0\"")))
        .isNotEmpty();
  }
}
