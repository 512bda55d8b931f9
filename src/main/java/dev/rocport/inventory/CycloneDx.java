package dev.rocport.inventory;

import dev.rocport.inventory.Bill.Use;
import dev.rocport.io.Json;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;

/**
 * The bill in the form of CycloneDX 1.6: a component for each CUDA component, with the packages and
 * images that the tree requests. It has no serial number and no time, so that the same tree gives
 * the same bytes.
 */
public final class CycloneDx {
  private final JsonGenerator g;

  private CycloneDx(JsonGenerator generator) {
    this.g = generator;
  }

  /** Writes the bill and leaves the writer open. */
  public static void write(Bill bill, String version, Writer out) {
    Json.document(out, generator -> new CycloneDx(generator).bill(bill, version));
  }

  private void bill(Bill bill, String version) {
    g.writeStartObject();
    g.writeStringProperty("$schema", "http://cyclonedx.org/schema/bom-1.6.schema.json");
    g.writeStringProperty("bomFormat", "CycloneDX");
    g.writeStringProperty("specVersion", "1.6");
    g.writeNumberProperty("version", 1);
    g.writeObjectPropertyStart("metadata");
    g.writeObjectPropertyStart("tools");
    g.writeArrayPropertyStart("components");
    g.writeStartObject();
    g.writeStringProperty("type", "application");
    g.writeStringProperty("name", "rocport");
    g.writeStringProperty("version", version);
    g.writeEndObject();
    g.writeEndArray();
    g.writeEndObject();
    g.writeArrayPropertyStart("properties");
    bill.targets().stream()
        .map(t -> t.name() + " " + t.how() + " " + t.evidence().place())
        .forEach(t -> property("rocport:target", t));
    bill.notes().forEach(n -> property("rocport:note", n.path() + ": " + n.message()));
    g.writeEndArray();
    g.writeEndObject();
    g.writeArrayPropertyStart("components");
    bill.uses().forEach(this::use);
    g.writeEndArray();
    g.writeEndObject();
  }

  private void use(Use u) {
    Component c = u.component();
    g.writeStartObject();
    g.writeStringProperty("type", c.id().startsWith("image:") ? "container" : "library");
    g.writeStringProperty("bom-ref", c.id());
    g.writeStringProperty("name", c.name());
    // A version is one only where a single one is written, and no range.
    if (u.versions().size() == 1 && u.versions().first().matches("[\\w.+-]+")) {
      g.writeStringProperty("version", u.versions().first());
    }
    g.writeStringProperty("description", c.note());
    if (!c.purl().isEmpty()) {
      g.writeStringProperty("purl", c.purl());
    }
    g.writeArrayPropertyStart("properties");
    property("rocport:group", c.group());
    property("rocport:support", u.support().label());
    property("rocport:counterpart", c.counterpart());
    property("rocport:counterpart:library", c.library());
    property("rocport:counterpart:target", c.target());
    property("rocport:counterpart:header", c.header());
    u.versions().forEach(v -> property("rocport:version", v));
    u.without().forEach(n -> property("rocport:name-without-counterpart", n));
    g.writeEndArray();
    packages(c, u.evidence());
    evidence(u.evidence());
    g.writeEndObject();
  }

  /** The packages and images that are asked for, each once. */
  private void packages(Component c, List<Evidence> all) {
    Map<String, List<Evidence>> byPurl = new TreeMap<>();
    for (Evidence e : all) {
      if (!e.purl().isEmpty()) {
        byPurl.computeIfAbsent(e.purl(), p -> new ArrayList<>()).add(e);
      }
    }
    if (byPurl.isEmpty()) {
      return;
    }
    g.writeArrayPropertyStart("components");
    byPurl.forEach(
        (purl, evidence) -> {
          Evidence first = evidence.getFirst();
          boolean image = first.kind() == Evidence.Kind.IMAGE;
          g.writeStartObject();
          g.writeStringProperty("type", image ? "container" : "library");
          g.writeStringProperty("bom-ref", c.id() + "/" + purl);
          g.writeStringProperty("name", name(purl));
          if (first.version().matches("[\\w.+-]+")) {
            g.writeStringProperty("version", first.version());
          }
          g.writeStringProperty("purl", purl);
          evidence(evidence);
          g.writeEndObject();
        });
    g.writeEndArray();
  }

  private static String name(String purl) {
    return purl.substring(purl.indexOf('/') + 1).replaceFirst("[@?].*", "");
  }

  private void evidence(List<Evidence> all) {
    g.writeObjectPropertyStart("evidence");
    g.writeArrayPropertyStart("occurrences");
    for (Evidence e : all) {
      g.writeStartObject();
      g.writeStringProperty("location", e.path());
      if (e.line() > 0) {
        g.writeNumberProperty("line", e.line());
      }
      g.writeStringProperty("symbol", e.text());
      g.writeStringProperty("additionalContext", e.kind().label());
      g.writeEndObject();
    }
    g.writeEndArray();
    g.writeEndObject();
  }

  private void property(String name, String value) {
    if (!value.isEmpty()) {
      g.writeStartObject();
      g.writeStringProperty("name", name);
      g.writeStringProperty("value", value);
      g.writeEndObject();
    }
  }
}
