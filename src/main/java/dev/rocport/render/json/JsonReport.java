package dev.rocport.render.json;

import dev.rocport.core.result.BaselineInfo;
import dev.rocport.core.result.BuildInfo;
import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.RuleInfo;
import dev.rocport.core.result.Run;
import dev.rocport.core.result.Totals;
import dev.rocport.core.result.VerifyInfo;
import dev.rocport.io.Json;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** A result as JSON; {@code result.schema.json} beside this class describes it. */
public final class JsonReport {
  /** Version of the schema; the first number changes when existing readers would fail. */
  public static final String SCHEMA = "1.8";

  private final Result result;
  private final JsonGenerator g;

  private JsonReport(Result result, JsonGenerator generator) {
    this.result = result;
    this.g = generator;
  }

  /** Writes the report and leaves the writer open. */
  public static void write(Result result, Writer out) {
    Json.document(out, generator -> new JsonReport(result, generator).report());
  }

  private void report() {
    g.writeStartObject();
    g.writeStringProperty("schema", SCHEMA);
    tool();
    phases();
    ptx();
    nvshmem();
    totals();
    baseline();
    BuildInfo build = result.build();
    if (build != null) {
      BuildSection.write(g, build);
    }
    VerifyInfo verify = result.verify();
    if (verify != null) {
      VerifySection.write(g, verify);
    }
    g.writeArrayPropertyStart("rules");
    result.rulesUsed().forEach(this::rule);
    g.writeEndArray();
    g.writeArrayPropertyStart("files");
    result.files().forEach(this::file);
    g.writeEndArray();
    g.writeEndObject();
  }

  private void tool() {
    Run run = result.run();
    g.writeObjectPropertyStart("tool");
    g.writeStringProperty("name", "rocport");
    g.writeStringProperty("version", run.version());
    g.writeEndObject();
    g.writeStringProperty("command", run.command());
    strings("roots", run.roots());
    g.writeObjectPropertyStart("options");
    run.options().forEach(g::writeStringProperty);
    g.writeEndObject();
  }

  private void phases() {
    if (result.phases().isEmpty()) {
      return;
    }
    objects(
        "phases",
        result.phases(),
        p -> {
          g.writeNumberProperty("phase", p.phase());
          g.writeStringProperty("title", p.title());
          g.writeStringProperty("what", p.what());
          g.writeStringProperty("needed", label(p.needed()));
          objects(
              "reasons",
              p.reasons(),
              r -> {
                g.writeStringProperty("what", r.what());
                g.writeNumberProperty("count", r.count());
                g.writeNumberProperty("files", r.files());
                optional("example", r.example());
              });
        });
  }

  private void ptx() {
    if (result.ptx().isEmpty()) {
      return;
    }
    objects(
        "ptx",
        result.ptx(),
        i -> {
          optional("instruction", i.instruction());
          optional("meaning", i.meaning());
          optional("advice", i.advice());
          optional("effort", i.effort());
          g.writeNumberProperty("count", i.count());
          g.writeNumberProperty("files", i.files());
          strings("places", i.places());
        });
  }

  private void nvshmem() {
    if (result.nvshmem().isEmpty()) {
      return;
    }
    objects(
        "nvshmem",
        result.nvshmem(),
        i -> {
          g.writeStringProperty("name", i.name());
          g.writeStringProperty("answer", i.answer());
          optional("becomes", i.becomes());
          optional("since", i.since());
          optional("note", i.note());
          g.writeNumberProperty("count", i.count());
          g.writeNumberProperty("files", i.files());
          strings("places", i.places());
        });
  }

  private void totals() {
    Totals t = result.totals();
    g.writeObjectPropertyStart("totals");
    g.writeNumberProperty("files", t.files());
    g.writeNumberProperty("bytes", t.bytes());
    g.writeNumberProperty("lines", t.lines());
    labelled("filesByStatus", t.byStatus());
    counts("filesByLanguage", t.byLanguage());
    g.writeNumberProperty("edits", t.edits());
    counts("editsByRule", t.editsByRule());
    counts("editsByFamily", t.editsByFamily());
    g.writeNumberProperty("findings", t.findings());
    labelled("findingsBySeverity", t.bySeverity());
    labelled("findingsByDisposition", t.byDisposition());
    counts("findingsByRule", t.byRule());
    g.writeNumberProperty("suppressed", t.suppressed());
    objects(
        "left",
        t.left(),
        l -> {
          g.writeStringProperty("rule", l.rule());
          g.writeStringProperty("severity", l.severity().label());
          g.writeNumberProperty("unported", l.unported());
          g.writeNumberProperty("review", l.review());
          g.writeNumberProperty("files", l.files());
          g.writeNumberProperty("minutes", l.minutes());
        });
    g.writeObjectPropertyStart("effort");
    g.writeNumberProperty("minutes", t.effort().minutes());
    labelled("filesByClass", t.bySize());
    method();
    g.writeEndObject();
    g.writeEndObject();
  }

  private void method() {
    g.writeObjectPropertyStart("method");
    g.writeStringProperty("formula", result.method().formula());
    objects(
        "weights",
        result.method().weights(),
        w -> {
          g.writeStringProperty("rule", w.rule());
          g.writeStringProperty("disposition", w.disposition());
          g.writeNumberProperty("first", w.first());
          g.writeNumberProperty("again", w.again());
          g.writeNumberProperty("once", w.once());
          g.writeStringProperty("why", w.why());
        });
    g.writeEndObject();
  }

  private void baseline() {
    BaselineInfo b = result.baseline();
    if (b != null) {
      g.writeObjectPropertyStart("baseline");
      g.writeStringProperty("file", b.file());
      g.writeNumberProperty("known", b.known().size());
      g.writeNumberProperty("new", b.fresh());
      g.writeNumberProperty("fixed", b.fixed());
      g.writeEndObject();
    }
  }

  private void rule(RuleInfo r) {
    g.writeStartObject();
    g.writeStringProperty("id", r.id());
    g.writeStringProperty("family", r.family());
    g.writeStringProperty("title", r.title());
    g.writeStringProperty("why", r.why());
    g.writeStringProperty("severity", r.severity().label());
    g.writeStringProperty("confidence", r.confidence());
    optional("advice", r.advice());
    g.writeEndObject();
  }

  private void file(FileReport report) {
    FileResult f = report.result();
    g.writeStartObject();
    g.writeStringProperty("path", f.path());
    g.writeStringProperty("status", label(f.status()));
    g.writeStringProperty("language", f.language());
    g.writeNumberProperty("bytes", f.bytes());
    g.writeNumberProperty("lines", f.lines());
    optional("message", f.message());
    counts("edits", f.edits());
    changes(f);
    g.writeObjectPropertyStart("effort");
    g.writeNumberProperty("minutes", report.effort().minutes());
    g.writeStringProperty("class", report.effort().size().label());
    g.writeEndObject();
    objects(
        "findings",
        f.findings(),
        finding -> {
          finding(finding);
          if (result.baseline() != null) {
            g.writeBooleanProperty("new", result.isNew(finding));
          }
        });
    objects(
        "suppressed",
        f.suppressed(),
        s -> {
          finding(s.finding());
          g.writeStringProperty("reason", s.reason());
          g.writeStringProperty("where", s.where());
        });
    g.writeEndObject();
  }

  private void changes(FileResult f) {
    if (f.changes().isEmpty()) {
      return;
    }
    objects(
        "changes",
        f.changes(),
        c -> {
          g.writeStringProperty("rule", c.rule());
          g.writeNumberProperty("line", c.line());
          g.writeStringProperty("before", c.before());
          g.writeStringProperty("after", c.after());
        });
  }

  private void finding(Finding f) {
    g.writeStringProperty("rule", f.rule());
    g.writeStringProperty("severity", f.severity().label());
    g.writeStringProperty("disposition", label(f.disposition()));
    g.writeNumberProperty("line", f.line());
    g.writeNumberProperty("column", f.column());
    g.writeNumberProperty("endLine", f.endLine());
    g.writeNumberProperty("endColumn", f.endColumn());
    g.writeStringProperty("message", f.message());
    optional("advice", f.advice());
    g.writeStringProperty("snippet", f.snippet());
    optional("about", f.about());
    g.writeStringProperty("fingerprint", f.fingerprint());
  }

  /** Writes an array of objects; the consumer writes the properties of one. */
  private <T> void objects(String name, List<T> items, Consumer<T> properties) {
    g.writeArrayPropertyStart(name);
    for (T item : items) {
      g.writeStartObject();
      properties.accept(item);
      g.writeEndObject();
    }
    g.writeEndArray();
  }

  private void strings(String name, List<String> items) {
    g.writeArrayPropertyStart(name);
    items.forEach(g::writeString);
    g.writeEndArray();
  }

  private void optional(String name, String value) {
    if (!value.isEmpty()) {
      g.writeStringProperty(name, value);
    }
  }

  private void counts(String name, SortedMap<String, Integer> counts) {
    g.writeObjectPropertyStart(name);
    counts.forEach(g::writeNumberProperty);
    g.writeEndObject();
  }

  private <E extends Enum<E>> void labelled(String name, SortedMap<E, Integer> counts) {
    g.writeObjectPropertyStart(name);
    for (Map.Entry<E, Integer> e : counts.entrySet()) {
      g.writeNumberProperty(label(e.getKey()), e.getValue());
    }
    g.writeEndObject();
  }

  /** Returns the constant as reports write it: lower case with dashes. */
  public static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
