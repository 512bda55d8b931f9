package dev.rocport.cli;

import dev.rocport.build.BuildResult;
import dev.rocport.build.CodeObject;
import dev.rocport.build.LinkResult;
import dev.rocport.build.UnitResult;
import dev.rocport.report.Finding;
import dev.rocport.report.Json;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** What a build came to, as JSON. */
final class BuildJson {
  private BuildJson() {}

  static void write(BuildResult r, Path root, PrintWriter out) {
    try (JsonGenerator g = Json.generator(out)) {
      g.writeStartObject();
      g.writeStringProperty("schema", "rocport-build-1");
      g.writeStringProperty("source", r.source());
      g.writeStringProperty("compiler", r.compiler());
      g.writeStringProperty("hip", r.hip());
      strings(g, "targets", r.targets());
      g.writeArrayPropertyStart("units");
      r.units().forEach(u -> unit(g, u));
      g.writeEndArray();
      g.writeArrayPropertyStart("links");
      r.links().forEach(l -> link(g, l, root));
      g.writeEndArray();
      g.writeArrayPropertyStart("findings");
      r.findings().forEach(f -> finding(g, f));
      g.writeEndArray();
      strings(g, "notes", r.notes());
      g.writeObjectPropertyStart("totals");
      g.writeObjectPropertyStart("units");
      for (UnitResult.Status s : UnitResult.Status.values()) {
        g.writeNumberProperty(label(s), r.count(s));
      }
      g.writeEndObject();
      g.writeObjectPropertyStart("links");
      for (LinkResult.Status s : LinkResult.Status.values()) {
        g.writeNumberProperty(label(s), r.count(s));
      }
      g.writeEndObject();
      g.writeNumberProperty("seconds", rounded(r.seconds()));
      g.writeEndObject();
      g.writeEndObject();
    }
    out.println();
  }

  private static void unit(JsonGenerator g, UnitResult u) {
    g.writeStartObject();
    g.writeStringProperty("path", u.path());
    g.writeStringProperty("language", label(u.language()));
    g.writeStringProperty("status", label(u.status()));
    g.writeNumberProperty("seconds", rounded(u.seconds()));
    g.writeObjectPropertyStart("sides");
    u.targets().forEach((side, ok) -> g.writeStringProperty(side, ok ? "ok" : "failed"));
    g.writeEndObject();
    g.writeObjectPropertyStart("kernels");
    u.kernels().forEach(g::writeNumberProperty);
    g.writeEndObject();
    g.writeNumberProperty("warnings", u.warnings());
    g.writeStringProperty("message", u.message());
    g.writeArrayPropertyStart("findings");
    u.findings().forEach(f -> finding(g, f));
    g.writeEndArray();
    g.writeEndObject();
  }

  private static void link(JsonGenerator g, LinkResult l, Path root) {
    g.writeStartObject();
    g.writeStringProperty("name", l.name());
    g.writeStringProperty("kind", label(l.kind()));
    g.writeStringProperty("status", label(l.status()));
    Path file = l.output();
    g.writeStringProperty(
        "path", file.startsWith(root) ? root.relativize(file).toString() : file.toString());
    g.writeNumberProperty("seconds", rounded(l.seconds()));
    strings(g, "inputs", l.inputs());
    strings(g, "libraries", l.libraries());
    g.writeArrayPropertyStart("code");
    for (CodeObject c : l.code()) {
      g.writeStartObject();
      g.writeStringProperty("target", c.target());
      strings(g, "kernels", c.kernels());
      g.writeEndObject();
    }
    g.writeEndArray();
    g.writeStringProperty("message", l.message());
    g.writeEndObject();
  }

  private static void finding(JsonGenerator g, Finding f) {
    g.writeStartObject();
    g.writeStringProperty("rule", f.rule());
    g.writeStringProperty("severity", f.severity().label());
    g.writeStringProperty("path", f.path());
    g.writeNumberProperty("line", f.line());
    g.writeNumberProperty("column", f.column());
    g.writeStringProperty("message", f.message());
    g.writeStringProperty("advice", f.advice());
    g.writeStringProperty("snippet", f.snippet());
    g.writeStringProperty("fingerprint", f.fingerprint());
    g.writeEndObject();
  }

  private static void strings(JsonGenerator g, String name, List<String> values) {
    g.writeArrayPropertyStart(name);
    values.forEach(g::writeString);
    g.writeEndArray();
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static double rounded(double seconds) {
    return Math.round(seconds * 1000) / 1000.0;
  }
}
