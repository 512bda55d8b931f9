package dev.rocport.render;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Effort;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.RuleInfo;
import dev.rocport.core.result.Severity;
import dev.rocport.core.result.Topic;
import dev.rocport.core.result.Totals;
import dev.rocport.io.Json;
import dev.rocport.render.csv.CsvReport;
import dev.rocport.render.markdown.MarkdownReport;
import dev.rocport.render.text.Paper;
import dev.rocport.render.text.TextReport;
import dev.rocport.render.text.TextTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import tools.jackson.core.JsonGenerator;

/**
 * The results of several repositories side by side, and their sums.
 *
 * @param repositories in the order in which they were named
 */
public record RollUp(List<Repository> repositories) {
  private static final List<String> HEADER =
      List.of(
          "repository",
          "files",
          "lines",
          "edits",
          "errors",
          "warnings",
          "notes",
          "PTX left",
          "effort",
          "parts of CUDA");

  public RollUp {
    repositories = List.copyOf(repositories);
  }

  /**
   * One repository.
   *
   * @param name the name of its folder, with a number if two are equal
   * @param ptx number of places with remaining PTX
   * @param parts the parts of CUDA that it uses, such as {@code cublas}
   */
  public record Repository(
      String name,
      int files,
      long lines,
      int edits,
      int errors,
      int warnings,
      int notes,
      long ptx,
      int minutes,
      List<String> parts) {
    public Repository {
      parts = List.copyOf(parts);
    }

    /** Summarizes a result. */
    public static Repository of(String name, Result result) {
      Totals t = result.totals();
      SortedSet<String> parts = new TreeSet<>();
      t.editsByFamily().keySet().forEach(f -> part(f, parts));
      for (String rule : t.byRule().keySet()) {
        RuleInfo info = result.rules().get(rule);
        part(info == null ? "" : info.family(), parts);
      }
      long ptx =
          result.findings().stream()
              .filter(f -> result.topic(f.rule()) == Topic.PTX)
              .filter(f -> f.disposition() == Disposition.UNPORTED)
              .count();
      return new Repository(
          name,
          t.files(),
          t.lines(),
          t.edits(),
          t.bySeverity().getOrDefault(Severity.ERROR, 0),
          t.bySeverity().getOrDefault(Severity.WARNING, 0),
          t.bySeverity().getOrDefault(Severity.NOTE, 0),
          ptx,
          t.effort().minutes(),
          List.copyOf(parts));
    }

    private static void part(String family, SortedSet<String> parts) {
      if (family.startsWith("api/")) {
        parts.add(family.substring("api/".length()));
      }
    }
  }

  /** Returns the sums, under the name {@code all}. */
  public Repository all() {
    SortedSet<String> parts = new TreeSet<>();
    repositories.forEach(r -> parts.addAll(r.parts()));
    return new Repository(
        "all",
        repositories.stream().mapToInt(Repository::files).sum(),
        repositories.stream().mapToLong(Repository::lines).sum(),
        repositories.stream().mapToInt(Repository::edits).sum(),
        repositories.stream().mapToInt(Repository::errors).sum(),
        repositories.stream().mapToInt(Repository::warnings).sum(),
        repositories.stream().mapToInt(Repository::notes).sum(),
        repositories.stream().mapToLong(Repository::ptx).sum(),
        repositories.stream().mapToInt(Repository::minutes).sum(),
        List.copyOf(parts));
  }

  /** Returns whether a roll-up has the form. */
  public static boolean has(ReportForm form) {
    return switch (form) {
      case TEXT, JSON, MD, CSV -> true;
      default -> false;
    };
  }

  /**
   * Writes the roll-up and leaves the writer open.
   *
   * @throws IllegalArgumentException if it does not {@linkplain #has have} the form
   */
  public void write(ReportForm form, Paper paper, Writer out) {
    try {
      switch (form) {
        case TEXT -> out.append(text(paper));
        case JSON -> json(out);
        case MD -> out.append(markdown());
        case CSV -> out.append(CsvReport.rows(rows()));
        default -> throw new IllegalArgumentException("a roll-up has no form " + form);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADER);
    repositories.forEach(r -> rows.add(cells(r)));
    rows.add(cells(all()));
    return rows;
  }

  private static List<String> cells(Repository r) {
    List<String> cells = new ArrayList<>(List.of(r.name()));
    numbers(r).values().forEach(n -> cells.add(n.toString()));
    cells.set(HEADER.indexOf("effort"), Effort.time(r.minutes()));
    cells.add(String.join(" ", r.parts()));
    return cells;
  }

  private static Map<String, Long> numbers(Repository r) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    numbers.put("files", (long) r.files());
    numbers.put("lines", r.lines());
    numbers.put("edits", (long) r.edits());
    numbers.put("errors", (long) r.errors());
    numbers.put("warnings", (long) r.warnings());
    numbers.put("notes", (long) r.notes());
    numbers.put("ptxLeft", r.ptx());
    numbers.put("minutes", (long) r.minutes());
    return numbers;
  }

  private String text(Paper paper) {
    TextTable table = new TextTable("lrrrrrrrrl", HEADER.toArray(String[]::new));
    List<List<String>> rows = rows();
    rows.subList(1, rows.size())
        .forEach(r -> table.row(r.stream().map(TextReport::visible).toArray()));
    return table.render(paper, "");
  }

  private String markdown() {
    StringBuilder s = new StringBuilder("## rocport audit\n\n");
    List<List<String>> rows = rows();
    for (int i = 0; i < rows.size(); i++) {
      s.append("|");
      rows.get(i).forEach(c -> s.append(' ').append(MarkdownReport.escape(c)).append(" |"));
      s.append(i == 0 ? "\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---|\n" : "\n");
    }
    return s.toString();
  }

  private void json(Writer out) throws IOException {
    try (JsonGenerator g = Json.generator(out)) {
      g.writeStartObject();
      g.writeArrayPropertyStart("repositories");
      repositories.forEach(r -> json(g, r));
      g.writeEndArray();
      g.writeName("all");
      json(g, all());
      g.writeEndObject();
    }
    out.write("\n");
  }

  private static void json(JsonGenerator g, Repository r) {
    g.writeStartObject();
    g.writeStringProperty("name", r.name());
    numbers(r).forEach(g::writeNumberProperty);
    g.writeArrayPropertyStart("parts");
    r.parts().forEach(g::writeString);
    g.writeEndArray();
    g.writeEndObject();
  }
}
