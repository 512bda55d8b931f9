package dev.rocport.verify.matrix;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import java.io.IOException;
import java.nio.file.Path;
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

  /**
   * Reads what {@link #write} wrote.
   *
   * @param file for messages
   * @throws IOException if something else wrote it
   */
  public static List<Finding> read(Path file, JsonNode list) throws IOException {
    if (!list.isArray()) {
      throw new IOException(file + ": has no list of findings");
    }
    List<Finding> findings = new ArrayList<>();
    try {
      list.forEach(f -> findings.add(finding(f)));
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": not a finding: " + e.getMessage(), e);
    }
    return findings;
  }

  private static Finding finding(JsonNode f) {
    return new Finding(
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
        text(f, "fingerprint"));
  }

  private static String text(JsonNode node, String name) {
    return node.path(name).asString("");
  }
}
