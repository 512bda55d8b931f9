package dev.rocport.fleet;

import static dev.rocport.fleet.AuditReport.number;
import static dev.rocport.fleet.AuditReport.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the JSON of a bill, {@code bill.schema.json}, into rows. */
final class BillReport {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final JsonNode bill;
  private final TableFiles rows;
  private long partly;
  private long manual;
  private long no;

  private BillReport(JsonNode bill, TableFiles rows) {
    this.bill = bill;
    this.rows = rows;
  }

  /**
   * Adds the rows of a repository, except that of the table of repositories.
   *
   * @return adds that row
   */
  static BillReport read(Path report, TableFiles rows) throws IOException {
    BillReport reader = new BillReport(JSON.readTree(report.toFile()), rows);
    for (JsonNode component : reader.bill.path("components")) {
      reader.component(component);
    }
    for (JsonNode t : reader.bill.path("targets")) {
      rows.add(Table.GPUS, text(t, "name"), text(t, "how"), text(t, "path"), number(t, "line"));
    }
    for (JsonNode note : reader.bill.path("notes")) {
      rows.add(Table.UNEXAMINED, text(note, "path"), text(note, "message"));
    }
    return reader;
  }

  private void component(JsonNode c) {
    String id = text(c, "id");
    long places = 0;
    for (JsonNode e : c.path("evidence")) {
      places += number(e, "count");
      rows.add(
          Table.PLACES,
          id,
          text(e, "kind"),
          text(e, "path"),
          number(e, "line"),
          text(e, "text"),
          text(e, "version"),
          number(e, "count"));
    }
    long unported = 0;
    for (JsonNode n : c.path("names")) {
      unported += text(n, "hip").isEmpty() ? 1 : 0;
      rows.add(Table.NAMES, id, text(n, "cuda"), text(n, "hip"), number(n, "count"));
    }
    String support = text(c, "support");
    switch (support) {
      case "partly" -> partly++;
      case "manual" -> manual++;
      case "no" -> no++;
      default -> {}
    }
    List<String> versions = new ArrayList<>();
    c.path("versions").forEach(v -> versions.add(v.asText()));
    rows.add(
        Table.COMPONENTS,
        id,
        text(c, "name"),
        text(c, "group"),
        support,
        String.join(" ", versions),
        text(c.path("counterpart"), "name"),
        text(c, "purl"),
        places,
        (long) c.path("names").size(),
        unported);
  }

  /**
   * Adds the row of the repository.
   *
   * @param status as the table has it
   */
  void finish(Origin origin, String status) {
    rows.add(
        Table.BILLS,
        origin.name(),
        origin.location(),
        origin.team(),
        status,
        number(bill, "files"),
        (long) bill.path("components").size(),
        partly,
        manual,
        no,
        origin.milliseconds(),
        origin.processor(),
        origin.age());
  }
}
