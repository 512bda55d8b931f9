package dev.rocport.cli.rules;

import dev.rocport.rules.ApiName;
import dev.rocport.rules.PtxRow;
import dev.rocport.rules.Rule;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** Rules and API names as JSON. */
final class RuleJson {
  private RuleJson() {}

  static void write(JsonGenerator g, Rule r, int names) {
    g.writeStartObject();
    g.writeStringProperty("id", r.id());
    g.writeStringProperty("family", r.family());
    g.writeStringProperty("title", r.title());
    g.writeStringProperty("why", r.why());
    g.writeStringProperty("severity", r.severity().label());
    g.writeStringProperty("confidence", r.confidence().label());
    optional(g, "needs", r.needs());
    optional(g, "libs", r.libs());
    strings(g, "functions", r.functions());
    optional(g, "match", r.match());
    optional(g, "rewrite", r.rewrite());
    optional(g, "analysis", r.analysis());
    optional(g, "advice", r.advice());
    strings(g, "evidence", r.evidence());
    strings(g, "headers", r.headers());
    strings(g, "rocHeaders", r.rocHeaders());
    g.writeNumberProperty("names", names);
    g.writeArrayPropertyStart("examples");
    for (Rule.Example e : r.examples()) {
      g.writeStartObject();
      g.writeStringProperty("file", e.file());
      strings(g, "options", e.options());
      g.writeStringProperty("before", e.before());
      g.writeStringProperty("after", e.after());
      g.writeEndObject();
    }
    g.writeEndArray();
    strings(g, "unchanged", r.unchanged());
    g.writeEndObject();
  }

  /** The fields of a form of PTX, into an object that is open. */
  static void write(JsonGenerator g, PtxRow row) {
    g.writeStringProperty("form", row.form());
    g.writeStringProperty("meaning", row.meaning());
    g.writeStringProperty("hip", row.hip());
    g.writeStringProperty("exact", row.exact());
    g.writeStringProperty("effort", row.effort());
    g.writeStringProperty("note", row.note());
    g.writeStringProperty("rule", row.rule());
  }

  static void write(JsonGenerator g, ApiName n) {
    g.writeStartObject();
    g.writeStringProperty("cuda", n.cuda());
    g.writeStringProperty("kind", n.kind().name().toLowerCase(Locale.ROOT));
    g.writeBooleanProperty("supported", n.isSupported());
    optional(g, "hip", n.hip());
    optional(g, "roc", n.roc());
    optional(g, "needs", n.needs());
    optional(g, "advice", n.advice());
    g.writeStringProperty("family", n.family());
    g.writeEndObject();
  }

  private static void optional(JsonGenerator g, String name, String value) {
    if (!value.isEmpty()) {
      g.writeStringProperty(name, value);
    }
  }

  private static void strings(JsonGenerator g, String name, List<String> values) {
    if (!values.isEmpty()) {
      g.writeArrayPropertyStart(name);
      values.forEach(g::writeString);
      g.writeEndArray();
    }
  }
}
