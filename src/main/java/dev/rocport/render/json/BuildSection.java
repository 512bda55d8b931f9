package dev.rocport.render.json;

import dev.rocport.core.result.BuildInfo;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** The field {@code build} of a report. */
final class BuildSection {
  private BuildSection() {}

  static void write(JsonGenerator g, BuildInfo b) {
    g.writeObjectPropertyStart("build");
    g.writeStringProperty("source", b.source());
    g.writeStringProperty("compiler", b.compiler());
    g.writeStringProperty("hip", b.hip());
    strings(g, "targets", b.targets());
    g.writeArrayPropertyStart("units");
    b.units().forEach(u -> unit(g, u));
    g.writeEndArray();
    g.writeArrayPropertyStart("links");
    b.links().forEach(l -> link(g, l));
    g.writeEndArray();
    strings(g, "notes", b.notes());
    g.writeEndObject();
  }

  private static void unit(JsonGenerator g, BuildInfo.Unit u) {
    g.writeStartObject();
    g.writeStringProperty("path", u.path());
    g.writeStringProperty("language", u.language());
    g.writeStringProperty("status", u.status());
    g.writeObjectPropertyStart("sides");
    u.sides().forEach((side, ok) -> g.writeStringProperty(side, ok ? "ok" : "failed"));
    g.writeEndObject();
    g.writeObjectPropertyStart("kernels");
    u.kernels().forEach(g::writeNumberProperty);
    g.writeEndObject();
    g.writeNumberProperty("warnings", u.warnings());
    g.writeStringProperty("message", u.message());
    g.writeEndObject();
  }

  private static void link(JsonGenerator g, BuildInfo.Link l) {
    g.writeStartObject();
    g.writeStringProperty("name", l.name());
    g.writeStringProperty("kind", l.kind());
    g.writeStringProperty("status", l.status());
    g.writeStringProperty("path", l.path());
    strings(g, "inputs", l.inputs());
    strings(g, "libraries", l.libraries());
    g.writeObjectPropertyStart("kernels");
    l.kernels().forEach((target, names) -> strings(g, target, names));
    g.writeEndObject();
    g.writeStringProperty("message", l.message());
    g.writeEndObject();
  }

  private static void strings(JsonGenerator g, String name, List<String> values) {
    g.writeArrayPropertyStart(name);
    values.forEach(g::writeString);
    g.writeEndArray();
  }
}
