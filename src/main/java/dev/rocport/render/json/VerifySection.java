package dev.rocport.render.json;

import dev.rocport.core.result.VerifyInfo;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** The field {@code verify} of a report. */
public final class VerifySection {
  private final JsonGenerator g;

  private VerifySection(JsonGenerator g) {
    this.g = g;
  }

  /** Writes the field. */
  public static void write(JsonGenerator g, VerifyInfo v) {
    new VerifySection(g).section(v);
  }

  private void section(VerifyInfo v) {
    g.writeObjectPropertyStart("verify");
    g.writeStringProperty("device", v.device());
    g.writeStringProperty("note", v.note());
    g.writeArrayPropertyStart("cases");
    v.cases().forEach(this::oneCase);
    g.writeEndArray();
    g.writeArrayPropertyStart("tensors");
    v.tensors().forEach(this::tensor);
    g.writeEndArray();
    g.writeArrayPropertyStart("cells");
    v.cells().forEach(this::cell);
    g.writeEndArray();
    g.writeArrayPropertyStart("faults");
    v.faults().forEach(this::fault);
    g.writeEndArray();
    if (!v.places().isEmpty()) {
      g.writeArrayPropertyStart("places");
      v.places().forEach(this::place);
      g.writeEndArray();
    }
    g.writeEndObject();
  }

  private void oneCase(VerifyInfo.Case c) {
    g.writeStartObject();
    g.writeStringProperty("fixture", c.fixture());
    g.writeStringProperty("run", c.run());
    g.writeStringProperty("target", c.target());
    g.writeNumberProperty("ranks", c.ranks());
    g.writeStringProperty("status", c.status());
    g.writeObjectPropertyStart("checks");
    c.checks().forEach(g::writeStringProperty);
    g.writeEndObject();
    g.writeArrayPropertyStart("standIns");
    c.standIns().forEach(g::writeString);
    g.writeEndArray();
    g.writeArrayPropertyStart("rocmLibraries");
    c.rocmLibraries().forEach(g::writeString);
    g.writeEndArray();
    g.writeStringProperty("message", c.message());
    g.writeEndObject();
  }

  private void tensor(VerifyInfo.Tensor t) {
    g.writeStartObject();
    g.writeStringProperty("where", t.where());
    g.writeStringProperty("name", t.name());
    g.writeStringProperty("type", t.type());
    g.writeStringProperty("outcome", t.outcome());
    g.writeNumberProperty("count", t.count());
    g.writeNumberProperty("wrong", t.wrong());
    g.writeNumberProperty("maxUlp", t.maxUlp());
    g.writeNumberProperty("p99Ulp", t.p99Ulp());
    g.writeObjectPropertyStart("ulps");
    for (Map.Entry<String, Long> e : t.histogram().entrySet()) {
      g.writeNumberProperty(e.getKey(), e.getValue());
    }
    g.writeEndObject();
    number("maxAbs", t.maxAbs());
    g.writeStringProperty("maxAbsAt", t.maxAbsAt());
    number("maxRel", t.maxRel());
    g.writeStringProperty("maxRelAt", t.maxRelAt());
    number("cosine", t.cosine());
    number("relativeL2", t.relativeL2());
    g.writeStringProperty("rule", t.rule());
    g.writeStringProperty("message", t.message());
    g.writeEndObject();
  }

  private void cell(VerifyInfo.Cell c) {
    g.writeStartObject();
    g.writeStringProperty("fixture", c.fixture());
    g.writeStringProperty("target", c.target());
    g.writeStringProperty("kernel", c.kernel());
    g.writeStringProperty("type", c.type());
    g.writeStringProperty("op", c.op());
    g.writeNumberProperty("count", c.count());
    g.writeNumberProperty("rows", c.rows());
    g.writeNumberProperty("checks", c.checks());
    g.writeNumberProperty("wrong", c.wrong());
    g.writeNumberProperty("maxUlp", c.maxUlp());
    number("maxAbs", c.maxAbs());
    number("errRef", c.errRef());
    g.writeEndObject();
  }

  private void fault(VerifyInfo.Fault f) {
    g.writeStartObject();
    g.writeStringProperty("fixture", f.fixture());
    g.writeStringProperty("name", f.name());
    g.writeBooleanProperty("caught", f.caught());
    g.writeStringProperty("by", f.by());
    g.writeEndObject();
  }

  private void place(VerifyInfo.Place p) {
    g.writeStartObject();
    g.writeStringProperty("cell", p.cell());
    g.writeStringProperty("host", p.host());
    g.writeStringProperty("device", p.device());
    g.writeEndObject();
  }

  /** JSON has neither infinities nor NaN. */
  private void number(String name, double value) {
    if (Double.isFinite(value)) {
      g.writeNumberProperty(name, value);
    } else {
      g.writeNullProperty(name);
    }
  }
}
