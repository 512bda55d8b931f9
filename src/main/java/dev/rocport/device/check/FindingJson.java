package dev.rocport.device.check;

import dev.rocport.io.Json;
import java.io.StringWriter;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** A finding as one line of JSON; docs/report-format.md describes its fields. */
public final class FindingJson {
  private FindingJson() {}

  /** One object, with no end of line. */
  public static String of(Finding finding) {
    return object(
        g -> {
          g.writeStringProperty("check", finding.check().word());
          g.writeBooleanProperty("certain", finding.certainty() == Certainty.CERTAIN);
          g.writeBooleanProperty("benign", finding.isBenign());
          g.writeStringProperty("title", finding.title());
          g.writeName("site");
          site(g, finding.site());
          g.writeArrayPropertyStart("others");
          finding.others().forEach(s -> site(g, s));
          g.writeEndArray();
          g.writeStringProperty("why", finding.why());
          g.writeStringProperty("do", finding.advice());
        });
  }

  /** The same for a place where something may be late. */
  public static String of(DelayedPlaces.Place place) {
    return object(
        g -> {
          g.writeStringProperty("delayed", Integer.toHexString(place.number()));
          g.writeName("site");
          site(g, place.site());
        });
  }

  /** How much was looked at. */
  public static String of(Coverage coverage) {
    return object(
        g -> {
          g.writeName("coverage");
          g.writeStartObject();
          g.writeNumberProperty("launches", coverage.launches());
          g.writeNumberProperty("refused", coverage.refused());
          g.writeNumberProperty("pairs", coverage.pairs());
          g.writeNumberProperty("late", coverage.late());
          g.writeEndObject();
        });
  }

  private static String object(Consumer<JsonGenerator> fields) {
    StringWriter out = new StringWriter();
    try (JsonGenerator g = Json.compact(out)) {
      g.writeStartObject();
      fields.accept(g);
      g.writeEndObject();
    }
    return out.toString();
  }

  private static void site(JsonGenerator g, Site site) {
    g.writeStartObject();
    g.writeStringProperty("role", site.role());
    g.writeStringProperty("source", site.source());
    g.writeStringProperty("calls", site.calls());
    g.writeStringProperty("threads", site.threads());
    g.writeStringProperty("kernel", site.kernel());
    g.writeNumberProperty("pc", site.pc());
    g.writeEndObject();
  }
}
