package dev.rocport.verify.matrix;

import dev.rocport.io.Json;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The cells of a verification.
 *
 * @param folder where relative paths in the arguments start
 * @param arguments of {@code rocport verify}: folders, and the options that decide results
 * @param cells in the order of the report
 */
public record Matrix(String folder, List<String> arguments, List<MatrixCell> cells) {
  private static final int SCHEMA = 1;
  private static final String KIND = "matrix";

  public Matrix {
    arguments = List.copyOf(arguments);
    cells = List.copyOf(cells);
  }

  /** Returns the cell with a name. */
  public Optional<MatrixCell> cell(String id) {
    return cells.stream().filter(c -> c.id().equals(id)).findFirst();
  }

  /**
   * Returns the cells in an order for machines that work at the same time: neighbors are cells of
   * different programs as long as there are any, so that none waits for the build of another.
   */
  public List<MatrixCell> spread() {
    Map<String, Integer> seen = new HashMap<>();
    Map<MatrixCell, Integer> turn = new HashMap<>();
    cells.forEach(c -> turn.put(c, seen.merge(c.program(), 1, Integer::sum)));
    return cells.stream().sorted(Comparator.comparingInt(c -> turn.getOrDefault(c, 0))).toList();
  }

  /** Writes the cells as JSON, and leaves the writer open. */
  public void write(Writer out) {
    Json.document(
        out,
        g -> {
          g.writeStartObject();
          g.writeNumberProperty("schema", SCHEMA);
          g.writeStringProperty("kind", KIND);
          g.writeStringProperty("folder", folder);
          g.writeArrayPropertyStart("arguments");
          arguments.forEach(g::writeString);
          g.writeEndArray();
          g.writeArrayPropertyStart("cells");
          cells.forEach(
              c -> {
                g.writeStartObject();
                write(g, c);
                g.writeEndObject();
              });
          g.writeEndArray();
          g.writeEndObject();
        });
  }

  static void write(JsonGenerator g, MatrixCell c) {
    g.writeStringProperty("id", c.id());
    g.writeStringProperty("program", c.program());
    g.writeStringProperty("run", c.run());
    g.writeStringProperty("target", c.target());
    g.writeNumberProperty("seed", c.seed());
    g.writeNumberProperty("ranks", c.ranks());
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IOException if it is nothing like that; the message says why, with the file
   */
  public static Matrix read(Path file) throws IOException {
    JsonNode root = json(file);
    if (!root.path("kind").asString("").equals(KIND)) {
      throw new IOException(file + ": not an output of 'rocport verify --matrix'");
    }
    List<String> arguments = new ArrayList<>();
    root.path("arguments").forEach(a -> arguments.add(a.asString("")));
    List<MatrixCell> cells = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (JsonNode c : root.path("cells")) {
      MatrixCell cell = cell(file, c);
      if (!ids.add(cell.id())) {
        throw new IOException(file + ": contains a cell twice: " + cell.id());
      }
      cells.add(cell);
    }
    if (arguments.isEmpty() || cells.isEmpty()) {
      throw new IOException(file + ": has no arguments or no cells");
    }
    return new Matrix(root.path("folder").asString(""), arguments, cells);
  }

  /** Reads a file of this version. */
  static JsonNode json(Path file) throws IOException {
    JsonNode root;
    try {
      root = JsonMapper.shared().readTree(Files.readAllBytes(file));
    } catch (JacksonException e) {
      throw new IOException(file + ": not JSON: " + e.getOriginalMessage(), e);
    }
    if (root.path("schema").asInt(0) != SCHEMA) {
      throw new IOException(
          "%s: has version %s; this rocport reads version %d"
              .formatted(file, root.path("schema").asString("?"), SCHEMA));
    }
    return root;
  }

  /** Reads a cell; its name is good for a file. */
  static MatrixCell cell(Path file, JsonNode c) throws IOException {
    MatrixCell cell =
        new MatrixCell(
            c.path("program").asString(""),
            c.path("run").asString(""),
            c.path("target").asString(""),
            c.path("seed").asInt(0),
            c.path("ranks").asInt(0));
    if (!cell.isFileName()) {
      throw new IOException(file + ": not the name of a cell: '" + cell.id() + "'");
    }
    return cell;
  }
}
