package dev.rocport.fleet;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Reads the JSON report of an audit or a port, {@code result.schema.json}, into rows. Files are
 * read one by one: a report may be larger than memory.
 */
final class AuditReport {
  private static final String API = "api/";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final TableFiles rows;
  private final Map<String, String> families = new HashMap<>();
  private final SortedMap<String, long[]> libraries = new TreeMap<>();
  private final List<JsonNode> rules = new ArrayList<>();
  private JsonNode totals = JSON.createObjectNode();
  private long ptxLeft;

  private AuditReport(TableFiles rows) {
    this.rows = rows;
  }

  /**
   * Adds the rows of a repository, except that of the table of repositories.
   *
   * @return adds that row
   * @throws IOException if the report is incomplete
   */
  static AuditReport read(Path report, TableFiles rows) throws IOException {
    AuditReport reader = new AuditReport(rows);
    try (JsonParser in = JSON.createParser(report.toFile())) {
      reader.read(in);
    }
    reader.sums();
    return reader;
  }

  private void read(JsonParser in) throws IOException {
    if (in.nextToken() != JsonToken.START_OBJECT) {
      throw new IOException("the report of the audit is no object");
    }
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      in.nextToken();
      switch (name) {
        case "totals" -> totals = JSON.readTree(in);
        case "ptx" -> elements(in, this::ptx);
        case "rules" -> elements(in, this::rule);
        case "files" -> elements(in, this::file);
        default -> in.skipChildren();
      }
    }
  }

  private static void elements(JsonParser in, Consumer<JsonNode> element) throws IOException {
    while (in.nextToken() != JsonToken.END_ARRAY) {
      element.accept(JSON.readTree(in));
    }
  }

  private void ptx(JsonNode p) {
    ptxLeft += number(p, "count");
    rows.add(
        Table.PTX,
        text(p, "instruction"),
        text(p, "meaning"),
        text(p, "effort"),
        number(p, "count"),
        number(p, "files"));
  }

  private void rule(JsonNode r) {
    rules.add(r);
    families.put(text(r, "id"), text(r, "family"));
  }

  private void file(JsonNode f) {
    String path = text(f, "path");
    long edits = 0;
    for (Map.Entry<String, JsonNode> edit : f.path("edits").properties()) {
      edits += edit.getValue().asLong();
      rows.add(Table.EDITS, path, edit.getKey(), edit.getValue().asLong());
    }
    for (JsonNode finding : f.path("findings")) {
      finding(path, finding, "");
    }
    for (JsonNode s : f.path("suppressed")) {
      finding(path, s, text(s, "where"));
    }
    rows.add(
        Table.FILES,
        path,
        text(f, "status"),
        text(f, "language"),
        number(f, "bytes"),
        number(f, "lines"),
        edits,
        (long) f.path("findings").size(),
        number(f.path("effort"), "minutes"),
        text(f.path("effort"), "class"),
        text(f, "message"));
  }

  private void finding(String path, JsonNode f, String suppressed) {
    String rule = text(f, "rule");
    rows.add(
        Table.FINDINGS,
        path,
        number(f, "line"),
        number(f, "column"),
        rule,
        text(f, "severity"),
        text(f, "disposition"),
        text(f, "message"),
        text(f, "about"),
        text(f, "fingerprint"),
        suppressed);
    String family = families.getOrDefault(rule, "");
    if (suppressed.isEmpty() && family.startsWith(API)) {
      long[] library = library(family);
      library[1]++;
      library[2] += text(f, "disposition").equals("unported") ? 1 : 0;
    }
  }

  /** Edits, findings, and those of them that are not ported. */
  private long[] library(String family) {
    return libraries.computeIfAbsent(family.substring(API.length()), l -> new long[3]);
  }

  private void sums() {
    for (Map.Entry<String, JsonNode> edit : totals.path("editsByFamily").properties()) {
      if (edit.getKey().startsWith(API)) {
        library(edit.getKey())[0] += edit.getValue().asLong();
      }
    }
    for (Map.Entry<String, long[]> library : libraries.entrySet()) {
      long[] n = library.getValue();
      rows.add(Table.DEPENDENCIES, library.getKey(), n[0], n[1], n[2]);
    }
    for (JsonNode r : rules) {
      String id = text(r, "id");
      rows.add(
          Table.RULES,
          id,
          text(r, "family"),
          text(r, "title"),
          number(totals.path("editsByRule"), id),
          number(totals.path("findingsByRule"), id));
    }
    for (JsonNode l : totals.path("left")) {
      rows.add(
          Table.EFFORT,
          text(l, "rule"),
          text(l, "severity"),
          number(l, "unported"),
          number(l, "review"),
          number(l, "files"),
          number(l, "minutes"));
    }
  }

  /**
   * Adds the row of the repository.
   *
   * @param status as the table has it
   */
  void finish(Origin origin, String status) {
    JsonNode severities = totals.path("findingsBySeverity");
    rows.add(
        Table.REPOSITORIES,
        origin.name(),
        origin.location(),
        origin.team(),
        status,
        number(totals, "files"),
        number(totals, "bytes"),
        number(totals, "lines"),
        number(totals, "edits"),
        number(severities, "error"),
        number(severities, "warning"),
        number(severities, "note"),
        number(totals, "suppressed"),
        ptxLeft,
        number(totals.path("effort"), "minutes"),
        String.join(" ", libraries.keySet()),
        origin.milliseconds(),
        origin.processor(),
        origin.age());
  }

  /** Returns a text of a report; empty if it has none. */
  static String text(JsonNode node, String name) {
    return node.path(name).asText("");
  }

  /** Returns a number of a report; 0 if it has none. */
  static long number(JsonNode node, String name) {
    return node.path(name).asLong();
  }
}
