package dev.rocport.render.sarif;

import dev.rocport.core.result.FileFix;
import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.RuleInfo;
import dev.rocport.io.Json;
import dev.rocport.render.json.JsonReport;
import dev.rocport.render.text.TextReport;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.core.JsonGenerator;

/**
 * A result as SARIF 2.1.0 (OASIS Standard, 27 March 2020), one run with all rules declared.
 * Observes the limits of GitHub code scanning: at most {@value #MOST_RESULTS} results, the most
 * severe first if there are more, and less than 10 MB compressed. Paths are relative to the folder
 * where rocport ran; rocport's fingerprints are {@code primaryLocationLineHash}.
 */
public final class SarifReport {
  private static final int MOST_RESULTS = 25_000;
  private static final String SCHEMA =
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
  private static final Pattern NUMBERS = Pattern.compile("\\d+\\.\\d+\\.\\d+");
  private static final String UNRESERVED = "-._~/!$&'()*+,;=@";

  private final Result result;
  private final JsonGenerator g;
  private final Map<String, Integer> indexes = new HashMap<>();

  private SarifReport(Result result, JsonGenerator generator) {
    this.result = result;
    this.g = generator;
  }

  /** Writes the report and leaves the writer open. */
  public static void write(Result result, Writer out) {
    Json.document(out, generator -> new SarifReport(result, generator).log());
  }

  /** A finding with its properties. */
  private record Told(Finding finding, String reason, String where) {
    boolean isSuppressed() {
      return !where.isEmpty();
    }
  }

  private void log() {
    g.writeStartObject();
    g.writeStringProperty("$schema", SCHEMA);
    g.writeStringProperty("version", "2.1.0");
    g.writeArrayPropertyStart("runs");
    g.writeStartObject();
    List<Told> all = all();
    List<Told> told = all.subList(0, Math.min(MOST_RESULTS, all.size()));
    List<FileFix> fixes = SarifFixes.some(result.fixes(), MOST_RESULTS - told.size());
    tool();
    g.writeObjectPropertyStart("automationDetails");
    g.writeStringProperty("id", "rocport/" + result.run().command() + "/");
    g.writeEndObject();
    invocation(all.size() - told.size(), result.fixes().size() - fixes.size());
    // Columns are written only if bytes, UTF-16 units and code points are the same.
    g.writeStringProperty("columnKind", "utf16CodeUnits");
    g.writeArrayPropertyStart("results");
    told.forEach(this::result);
    SarifFixes writer = new SarifFixes(result, g, indexes.size());
    fixes.forEach(writer::result);
    g.writeEndArray();
    g.writeEndObject();
    g.writeEndArray();
    g.writeEndObject();
  }

  /** Returns the findings in order of the files; the most severe first if there are too many. */
  private List<Told> all() {
    List<Told> all = new ArrayList<>();
    for (FileReport f : result.files()) {
      f.result().findings().forEach(x -> all.add(new Told(x, "", "")));
      f.result().suppressed().forEach(s -> all.add(new Told(s.finding(), s.reason(), s.where())));
    }
    if (all.size() > MOST_RESULTS) {
      all.sort(
          Comparator.comparing(Told::isSuppressed)
              .thenComparing(t -> t.finding().severity(), Comparator.reverseOrder()));
    }
    return all;
  }

  private void tool() {
    g.writeObjectPropertyStart("tool");
    g.writeObjectPropertyStart("driver");
    g.writeStringProperty("name", "rocport");
    g.writeStringProperty("version", result.run().version());
    if (NUMBERS.matcher(result.run().version()).matches()) {
      g.writeStringProperty("semanticVersion", result.run().version());
    }
    g.writeArrayPropertyStart("rules");
    for (RuleInfo r : result.rules().values()) {
      indexes.put(r.id(), indexes.size());
      rule(r);
    }
    if (!result.fixes().isEmpty()) {
      rule(SarifFixes.RULE);
    }
    g.writeEndArray();
    g.writeEndObject();
    g.writeEndObject();
  }

  private void rule(RuleInfo r) {
    g.writeStartObject();
    g.writeStringProperty("id", r.id());
    text("shortDescription", r.title());
    text("fullDescription", r.why().strip());
    text("help", r.advice().isBlank() ? r.why().strip() : r.advice().strip());
    g.writeObjectPropertyStart("defaultConfiguration");
    g.writeStringProperty("level", r.severity().label());
    g.writeEndObject();
    g.writeObjectPropertyStart("properties");
    g.writeArrayPropertyStart("tags");
    g.writeString("rocm");
    g.writeString(r.family());
    g.writeEndArray();
    g.writeStringProperty(
        "precision",
        switch (r.confidence()) {
          case "certain" -> "very-high";
          case "likely" -> "high";
          default -> "medium";
        });
    g.writeStringProperty(
        "problem.severity",
        switch (r.severity()) {
          case ERROR -> "error";
          case WARNING -> "warning";
          case NOTE -> "recommendation";
        });
    g.writeEndObject();
    g.writeEndObject();
  }

  private void invocation(int left, int fixesLeft) {
    g.writeArrayPropertyStart("invocations");
    g.writeStartObject();
    g.writeBooleanProperty("executionSuccessful", true);
    g.writeArrayPropertyStart("toolExecutionNotifications");
    if (left > 0) {
      notification("error", left + " results of lower severity are left out", "");
    }
    if (fixesLeft > 0) {
      notification("warning", "the fixes of " + fixesLeft + " files are left out", "");
    }
    for (FileReport f : result.files()) {
      boolean failed = f.result().status() == FileResult.Status.FAILED;
      if (failed || f.result().status() == FileResult.Status.CONFLICT) {
        notification("error", f.result().message(), f.result().path());
      }
    }
    g.writeEndArray();
    g.writeEndObject();
    g.writeEndArray();
  }

  private void notification(String level, String message, String path) {
    g.writeStartObject();
    g.writeStringProperty("level", level);
    text("message", TextReport.visible(message));
    if (!path.isEmpty()) {
      g.writeArrayPropertyStart("locations");
      g.writeStartObject();
      g.writeObjectPropertyStart("physicalLocation");
      artifact(path);
      g.writeEndObject();
      g.writeEndObject();
      g.writeEndArray();
    }
    g.writeEndObject();
  }

  private void result(Told told) {
    Finding f = told.finding();
    g.writeStartObject();
    g.writeStringProperty("ruleId", f.rule());
    Integer index = indexes.get(f.rule());
    if (index != null) {
      g.writeNumberProperty("ruleIndex", index);
    }
    g.writeStringProperty("level", f.severity().label());
    String message = TextReport.visible(f.message());
    String advice = TextReport.visible(f.advice().strip());
    text("message", advice.isEmpty() ? message : message + "\n" + advice);
    g.writeArrayPropertyStart("locations");
    g.writeStartObject();
    g.writeObjectPropertyStart("physicalLocation");
    artifact(f.path());
    region(f);
    g.writeEndObject();
    g.writeEndObject();
    g.writeEndArray();
    g.writeObjectPropertyStart("partialFingerprints");
    g.writeStringProperty("primaryLocationLineHash", f.fingerprint());
    g.writeEndObject();
    if (result.baseline() != null) {
      g.writeStringProperty("baselineState", result.isNew(f) ? "new" : "unchanged");
    }
    if (told.isSuppressed()) {
      suppression(told);
    }
    g.writeObjectPropertyStart("properties");
    g.writeStringProperty("disposition", JsonReport.label(f.disposition()));
    g.writeEndObject();
    g.writeEndObject();
  }

  private void suppression(Told told) {
    g.writeArrayPropertyStart("suppressions");
    g.writeStartObject();
    boolean inSource = told.where().startsWith(told.finding().path() + ":");
    g.writeStringProperty("kind", inSource ? "inSource" : "external");
    if (!told.reason().isBlank()) {
      g.writeStringProperty("justification", TextReport.visible(told.reason()));
    }
    g.writeEndObject();
    g.writeEndArray();
  }

  private void region(Finding f) {
    g.writeObjectPropertyStart("region");
    g.writeNumberProperty("startLine", Math.max(1, f.line()));
    if (f.line() > 0) {
      boolean exact = f.line() == f.endLine() && isAscii(f);
      if (exact) {
        g.writeNumberProperty("startColumn", f.column());
      }
      g.writeNumberProperty("endLine", Math.max(f.line(), f.endLine()));
      if (exact && f.endColumn() > f.column()) {
        g.writeNumberProperty("endColumn", f.endColumn());
      }
      if (!f.snippet().isEmpty()) {
        text("snippet", TextReport.visible(f.snippet()));
      }
    }
    g.writeEndObject();
  }

  /**
   * Returns whether the line is plain ASCII up to the end of the finding; a part cut off the
   * snippet may not be.
   */
  private static boolean isAscii(Finding f) {
    boolean whole = f.snippet().length() < Finding.LONGEST_SNIPPET;
    return f.snippet().chars().allMatch(c -> c < 0x80)
        && (whole || f.endColumn() <= Finding.LONGEST_SNIPPET);
  }

  private void artifact(String path) {
    g.writeObjectPropertyStart("artifactLocation");
    g.writeStringProperty("uri", uri(result.run().fromHere(path)));
    g.writeEndObject();
  }

  /** Returns a path as a relative reference of RFC 3986. */
  static String uri(String path) {
    StringBuilder s = new StringBuilder();
    for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || UNRESERVED.indexOf(c) >= 0;
      if (plain) {
        s.append(c);
      } else {
        s.append('%').append(Character.toUpperCase(Character.forDigit(c >> 4, 16)));
        s.append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
      }
    }
    return s.toString();
  }

  private void text(String name, String text) {
    g.writeObjectPropertyStart(name);
    g.writeStringProperty("text", text);
    g.writeEndObject();
  }
}
