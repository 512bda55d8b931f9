package dev.rocport.cli.toolchain;

import dev.rocport.doctor.Observation;
import dev.rocport.doctor.Section;
import dev.rocport.io.Json;
import dev.rocport.render.text.Paper;
import dev.rocport.render.text.TextReport;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** What {@code doctor} prints. */
final class DoctorPage {
  private static final String MARGIN = " ".repeat(9);

  private DoctorPage() {}

  /**
   * Prints one block for each section: each item with its status; why and a fix if it is not ok.
   */
  static void text(List<Observation> all, PrintWriter out) {
    boolean first = true;
    for (Section section : Section.values()) {
      List<Observation> here = all.stream().filter(o -> o.section() == section).toList();
      if (!here.isEmpty()) {
        out.print(first ? "" : "\n");
        first = false;
        out.println(section.title());
        section(here, out);
      }
    }
  }

  private static void section(List<Observation> here, PrintWriter out) {
    int width = here.stream().mapToInt(o -> o.name().length()).max().orElse(0);
    for (Observation o : here) {
      String name = o.name() + " ".repeat(width - o.name().length());
      out.println(TextReport.visible("%-8s %s  %s".formatted(status(o), name, o.found())));
      paragraph(o.why(), out);
      paragraph(o.fix().isEmpty() ? "" : "-> " + o.fix(), out);
    }
  }

  private static void paragraph(String text, PrintWriter out) {
    if (!text.isEmpty()) {
      out.print(Paper.PLAIN.wrap(TextReport.visible(text), MARGIN));
    }
  }

  /**
   * An array of objects: {@code section}, {@code name}, {@code status} (ok, note, warning,
   * problem), {@code found}, {@code advice}; {@code why} and {@code shell} if present.
   */
  static void json(List<Observation> all, PrintWriter out) {
    try (JsonGenerator g = Json.generator(out)) {
      g.writeStartArray();
      for (Observation o : all) {
        g.writeStartObject();
        g.writeStringProperty("section", o.section().title());
        g.writeStringProperty("name", o.name());
        g.writeStringProperty("status", status(o));
        g.writeStringProperty("found", o.found());
        g.writeStringProperty("advice", o.fix());
        optional(g, "why", o.why());
        optional(g, "shell", o.shell());
        g.writeEndObject();
      }
      g.writeEndArray();
    }
    out.println();
  }

  private static void optional(JsonGenerator g, String name, String value) {
    if (!value.isEmpty()) {
      g.writeStringProperty(name, value);
    }
  }

  private static String status(Observation o) {
    return o.status().name().toLowerCase(Locale.ROOT);
  }
}
