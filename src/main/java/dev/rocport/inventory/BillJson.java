package dev.rocport.inventory;

import dev.rocport.inventory.Bill.Target;
import dev.rocport.inventory.Bill.Use;
import dev.rocport.io.Json;
import java.io.Writer;
import tools.jackson.core.JsonGenerator;

/** The bill as JSON; {@code bill.schema.json} next to this class specifies its contents. */
public final class BillJson {
  /** The schema's version: the first number grows when readers of the last one would fail. */
  public static final String SCHEMA = "1.0";

  private final JsonGenerator g;

  private BillJson(JsonGenerator generator) {
    this.g = generator;
  }

  /** Writes the bill and leaves the writer open. */
  public static void write(Bill bill, String version, Writer out) {
    Json.document(out, generator -> new BillJson(generator).bill(bill, version));
  }

  private void bill(Bill bill, String version) {
    g.writeStartObject();
    g.writeStringProperty("schema", SCHEMA);
    g.writeObjectPropertyStart("tool");
    g.writeStringProperty("name", "rocport");
    g.writeStringProperty("version", version);
    g.writeEndObject();
    g.writeArrayPropertyStart("roots");
    bill.roots().forEach(g::writeString);
    g.writeEndArray();
    g.writeNumberProperty("files", bill.files());
    g.writeArrayPropertyStart("components");
    bill.uses().forEach(this::use);
    g.writeEndArray();
    g.writeArrayPropertyStart("targets");
    bill.targets().forEach(this::target);
    g.writeEndArray();
    g.writeArrayPropertyStart("notes");
    for (Bill.Note n : bill.notes()) {
      g.writeStartObject();
      g.writeStringProperty("path", n.path());
      g.writeStringProperty("message", n.message());
      g.writeEndObject();
    }
    g.writeEndArray();
    g.writeEndObject();
  }

  private void use(Use u) {
    Component c = u.component();
    g.writeStartObject();
    g.writeStringProperty("id", c.id());
    g.writeStringProperty("name", c.name());
    g.writeStringProperty("group", c.group());
    g.writeStringProperty("support", u.support().label());
    g.writeArrayPropertyStart("versions");
    u.versions().forEach(g::writeString);
    g.writeEndArray();
    g.writeObjectPropertyStart("counterpart");
    optional("name", c.counterpart());
    optional("library", c.library());
    optional("target", c.target());
    optional("header", c.header());
    g.writeEndObject();
    optional("purl", c.purl());
    g.writeStringProperty("note", c.note());
    g.writeArrayPropertyStart("evidence");
    u.evidence().forEach(this::evidence);
    g.writeEndArray();
    g.writeArrayPropertyStart("names");
    for (Bill.Name n : u.names().values()) {
      g.writeStartObject();
      g.writeStringProperty("cuda", n.cuda());
      optional("hip", n.hip());
      g.writeNumberProperty("count", n.count());
      g.writeEndObject();
    }
    g.writeEndArray();
    g.writeEndObject();
  }

  private void evidence(Evidence e) {
    g.writeStartObject();
    g.writeStringProperty("kind", e.kind().label());
    place(e);
    g.writeStringProperty("text", e.text());
    optional("version", e.version());
    g.writeNumberProperty("count", e.count());
    optional("purl", e.purl());
    g.writeEndObject();
  }

  private void place(Evidence e) {
    g.writeStringProperty("path", e.path());
    if (e.line() > 0) {
      g.writeNumberProperty("line", e.line());
    }
  }

  private void target(Target t) {
    g.writeStartObject();
    g.writeStringProperty("name", t.name());
    g.writeStringProperty("how", t.how());
    place(t.evidence());
    g.writeEndObject();
  }

  private void optional(String name, String value) {
    if (!value.isEmpty()) {
      g.writeStringProperty(name, value);
    }
  }
}
