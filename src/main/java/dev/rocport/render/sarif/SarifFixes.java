package dev.rocport.render.sarif;

import dev.rocport.core.result.FileFix;
import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.Replacement;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.RuleInfo;
import dev.rocport.core.result.Severity;
import dev.rocport.core.result.Topic;
import dev.rocport.io.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.Deflater;
import tools.jackson.core.JsonGenerator;

/**
 * The changes of a port in each file, as a SARIF result with a fix. A file has a single fix because
 * its edits belong together: a file with half of them is neither CUDA nor HIP.
 */
final class SarifFixes {
  /** Not a rule of rocport: it stands for the result of all rules. */
  static final RuleInfo RULE =
      new RuleInfo(
          "ROCPORT-PORT",
          "port",
          "What rocport port writes",
          "The fix is what rocport port writes in place of this file. It is valid only in a port of"
              + " the whole tree.",
          Severity.NOTE,
          "certain",
          "Apply it with the fixes of the other files, or run rocport port.",
          Topic.NONE);

  /** Share of the 10 MB that code scanning accepts; findings need up to one half. */
  private static final long MOST_BYTES = 5_000_000;

  /** Compressed size of a place and its braces; measured, and rounded up. */
  private static final int BYTES_OF_A_PLACE = 32;

  private static final int BYTES_OF_A_RESULT = 200;

  private final Result result;
  private final JsonGenerator g;
  private final int ruleIndex;
  private final Map<String, FileReport> files;

  /**
   * @param ruleIndex of {@link #RULE} among the rules declared
   */
  SarifFixes(Result result, JsonGenerator generator, int ruleIndex) {
    this.result = result;
    this.g = generator;
    this.ruleIndex = ruleIndex;
    this.files = new TreeMap<>();
    result.files().forEach(f -> files.put(f.result().path(), f));
  }

  /** Returns as many of the fixes, in order, as fit. */
  static List<FileFix> some(List<FileFix> fixes, int room) {
    List<FileFix> some = new ArrayList<>();
    long bytes = 0;
    for (FileFix fix : fixes) {
      if (some.size() == room) {
        break;
      }
      long more = bytes(fix);
      if (bytes + more <= MOST_BYTES) {
        bytes += more;
        some.add(fix);
      }
    }
    return some;
  }

  private static long bytes(FileFix fix) {
    Deflater deflater = new Deflater();
    try {
      for (Replacement r : fix.replacements()) {
        deflater.setInput(r.text().getBytes(StandardCharsets.UTF_8));
        drain(deflater);
      }
      deflater.finish();
      drain(deflater);
      return deflater.getBytesWritten()
          + BYTES_OF_A_RESULT
          + (long) BYTES_OF_A_PLACE * fix.replacements().size();
    } finally {
      deflater.end();
    }
  }

  private static void drain(Deflater deflater) {
    byte[] buffer = new byte[4096];
    while (deflater.deflate(buffer) > 0) {
      // Only the number of bytes is of interest.
    }
  }

  void result(FileFix fix) {
    g.writeStartObject();
    g.writeStringProperty("ruleId", RULE.id());
    g.writeNumberProperty("ruleIndex", ruleIndex);
    g.writeStringProperty("level", RULE.severity().label());
    text("message", message(fix));
    g.writeArrayPropertyStart("locations");
    g.writeStartObject();
    g.writeObjectPropertyStart("physicalLocation");
    artifact(fix);
    g.writeObjectPropertyStart("region");
    g.writeNumberProperty("startLine", fix.replacements().getFirst().line());
    g.writeEndObject();
    g.writeEndObject();
    g.writeEndObject();
    g.writeEndArray();
    g.writeObjectPropertyStart("partialFingerprints");
    g.writeStringProperty(
        "primaryLocationLineHash", Sha256.fingerprint(RULE.id() + "\n" + fix.path()));
    g.writeEndObject();
    if (result.baseline() != null) {
      g.writeStringProperty("baselineState", "unchanged"); // it never fails a run
    }
    g.writeArrayPropertyStart("fixes");
    g.writeStartObject();
    text("description", "Port this file to HIP");
    g.writeArrayPropertyStart("artifactChanges");
    g.writeStartObject();
    artifact(fix);
    g.writeArrayPropertyStart("replacements");
    fix.replacements().forEach(this::replacement);
    g.writeEndArray();
    g.writeEndObject();
    g.writeEndArray();
    g.writeEndObject();
    g.writeEndArray();
    g.writeEndObject();
  }

  private String message(FileFix fix) {
    FileReport file = files.get(fix.path());
    Map<String, Integer> edits = file == null ? Map.of() : file.result().edits();
    String rules =
        edits.entrySet().stream()
            .map(e -> e.getKey() + " " + e.getValue())
            .collect(Collectors.joining(", "));
    String message = "A port changes this file" + (rules.isEmpty() ? "." : ": " + rules + ".");
    return fix.needs().isEmpty()
        ? message
        : message
            + " The new text needs files that rocport port adds: "
            + String.join(", ", fix.needs());
  }

  private void replacement(Replacement r) {
    g.writeStartObject();
    g.writeObjectPropertyStart("deletedRegion");
    g.writeNumberProperty("startLine", r.line());
    g.writeNumberProperty("startColumn", r.column());
    g.writeNumberProperty("endLine", r.endLine());
    g.writeNumberProperty("endColumn", r.endColumn());
    g.writeEndObject();
    if (!r.text().isEmpty()) {
      text("insertedContent", r.text());
    }
    g.writeEndObject();
  }

  private void artifact(FileFix fix) {
    g.writeObjectPropertyStart("artifactLocation");
    g.writeStringProperty("uri", SarifReport.uri(result.run().fromHere(fix.path())));
    g.writeEndObject();
  }

  private void text(String name, String text) {
    g.writeObjectPropertyStart(name);
    g.writeStringProperty("text", text);
    g.writeEndObject();
  }
}
