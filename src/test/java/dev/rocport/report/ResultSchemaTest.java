package dev.rocport.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reports are what the published schema says, and the schema says something. */
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
  void aValueOutsideOfItsSetIsAnError() {
    String json = sample();
    assertThat(
            ReportSchema.errors(json.replace("\"status\" : \"failed\"", "\"status\" : \"lost\"")))
        .isNotEmpty();
    assertThat(ReportSchema.errors(json.replace("00000000000000aa", "xyz"))).isNotEmpty();
    assertThat(ReportSchema.errors(json.replace("\"schema\" : \"1.1\"", "\"schema\" : \"2.0\"")))
        .isNotEmpty();
  }
}
