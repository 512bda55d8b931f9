package dev.rocport.assess;

import dev.rocport.core.result.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The parts of an earlier JSON report that a comparison needs.
 *
 * @param file as given
 * @param totals figures by name, in the order of a report
 * @param byRule number of findings by rule
 * @param findings the findings that are not suppressed, in order
 * @param cells verification results by program, run, target and ranks, or by tensor
 */
public record PastReport(
    String file,
    String command,
    SortedMap<String, Long> totals,
    SortedMap<String, Long> byRule,
    List<Entry> findings,
    SortedMap<String, String> cells) {
  private static final String MAJOR = "1.";

  public PastReport {
    findings = List.copyOf(findings);
    totals = Collections.unmodifiableSortedMap(totals);
    byRule = Collections.unmodifiableSortedMap(byRule);
    cells = Collections.unmodifiableSortedMap(cells);
  }

  /** A finding. */
  public record Entry(
      String fingerprint, String rule, Severity severity, String path, int line, String message) {}

  /**
   * Reads a report.
   *
   * @throws IOException if it cannot be read or is not such a report; the message says why, without
   *     the name of the file
   */
  public static PastReport read(Path file) throws IOException {
    JsonNode root;
    try {
      root = JsonMapper.shared().readTree(Files.readAllBytes(file));
    } catch (JacksonException e) {
      throw new IOException("not JSON: " + e.getOriginalMessage(), e);
    }
    JsonNode schema = root.get("schema");
    if (schema == null
        || !schema.isValueNode()
        || !root.at("/tool/name").asString("").equals("rocport")) {
      throw new IOException("not a rocport report: write one with --format json");
    }
    if (!schema.asString().startsWith(MAJOR)) {
      throw new IOException(
          "the report has version %s, but version %sx is needed"
              .formatted(schema.asString(), MAJOR));
    }
    return of(file.toString(), root);
  }

  private static PastReport of(String file, JsonNode root) {
    JsonNode t = root.path("totals");
    SortedMap<String, Long> totals = new TreeMap<>();
    for (String field : List.of("files", "lines", "edits", "findings", "suppressed")) {
      totals.put(field, t.path(field).asLong(0));
    }
    totals.put("minutes of effort", t.at("/effort/minutes").asLong(0));
    for (Severity s : Severity.values()) {
      totals.put(s.label() + "s", t.path("findingsBySeverity").path(s.label()).asLong(0));
    }
    t.path("filesByStatus").forEachEntry((k, v) -> totals.put("files " + k, v.asLong()));
    SortedMap<String, Long> byRule = new TreeMap<>();
    t.path("findingsByRule").forEachEntry((k, v) -> byRule.put(k, v.asLong()));
    List<Entry> findings = new ArrayList<>();
    for (JsonNode f : root.path("files")) {
      for (JsonNode x : f.path("findings")) {
        findings.add(
            new Entry(
                x.path("fingerprint").asString(""),
                x.path("rule").asString(""),
                Severity.of(x.path("severity").asString("note")),
                f.path("path").asString(""),
                x.path("line").asInt(0),
                x.path("message").asString("")));
      }
    }
    String command = root.path("command").asString("");
    return new PastReport(file, command, totals, byRule, findings, cells(root.path("verify")));
  }

  private static SortedMap<String, String> cells(JsonNode verify) {
    SortedMap<String, String> cells = new TreeMap<>();
    for (JsonNode c : verify.path("cases")) {
      int ranks = c.path("ranks").asInt(0);
      String key =
          "%s: %s on %s%s"
              .formatted(
                  c.path("fixture").asString(""),
                  c.path("run").asString(""),
                  c.path("target").asString(""),
                  ranks == 0 ? "" : ", " + ranks + " ranks");
      cells.put(key, c.path("status").asString(""));
    }
    for (JsonNode x : verify.path("tensors")) {
      String key = x.path("where").asString("") + ": " + x.path("name").asString("");
      String outcome = x.path("outcome").asString("");
      cells.put(
          key,
          outcome.equals("identical")
              ? outcome
              : "%s, up to %d ULP, %d wrong"
                  .formatted(outcome, x.path("maxUlp").asLong(0), x.path("wrong").asLong(0)));
    }
    return cells;
  }
}
