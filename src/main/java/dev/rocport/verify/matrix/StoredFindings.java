package dev.rocport.verify.matrix;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/** Findings in files that another process reads. */
public final class StoredFindings {
  private StoredFindings() {}

  /** Writes a property with findings. */
  public static void write(JsonGenerator g, String property, List<Finding> findings) {
    g.writeArrayPropertyStart(property);
    for (Finding f : findings) {
      g.writeStartObject();
      g.writeStringProperty("rule", f.rule());
      g.writeStringProperty("severity", f.severity().label());
      g.writeStringProperty("disposition", f.disposition().name().toLowerCase(Locale.ROOT));
      g.writeStringProperty("path", f.path());
      g.writeNumberProperty("line", f.line());
      g.writeNumberProperty("column", f.column());
      g.writeNumberProperty("endLine", f.endLine());
      g.writeNumberProperty("endColumn", f.endColumn());
      g.writeStringProperty("message", f.message());
      g.writeStringProperty("advice", f.advice());
      g.writeStringProperty("snippet", f.snippet());
      g.writeStringProperty("about", f.about());
      g.writeStringProperty("fingerprint", f.fingerprint());
      g.writeEndObject();
    }
    g.writeEndArray();
  }

  /** Reads what {@link #write} wrote. */
  public static List<Finding> read(JsonNode list) {
    List<Finding> findings = new ArrayList<>();
    for (JsonNode f : list) {
      findings.add(
          new Finding(
              text(f, "rule"),
              Severity.of(text(f, "severity")),
              Disposition.valueOf(text(f, "disposition").toUpperCase(Locale.ROOT)),
              text(f, "path"),
              f.path("line").asInt(0),
              f.path("column").asInt(0),
              f.path("endLine").asInt(0),
              f.path("endColumn").asInt(0),
              text(f, "message"),
              text(f, "advice"),
              text(f, "snippet"),
              text(f, "about"),
              text(f, "fingerprint")));
    }
    return findings;
  }

  private static String text(JsonNode node, String name) {
    return node.path(name).asString("");
  }
}
