package dev.rocport.verify.matrix;

import dev.rocport.core.result.Finding;
import dev.rocport.core.result.VerifyInfo;
import dev.rocport.io.Json;
import dev.rocport.render.json.VerifySection;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * What a cell showed.
 *
 * @param path of the program in the ported tree
 * @param key of what decides the result
 * @param host name of the machine
 * @param digests hash of each output by its name; equal ones of two runs are equal outputs
 * @param info with one case
 * @param findings of port, build and run
 */
public record MatrixResult(
    MatrixCell cell,
    String path,
    ResultKey key,
    String host,
    SortedMap<String, String> digests,
    VerifyInfo info,
    List<Finding> findings) {
  public MatrixResult {
    digests = Collections.unmodifiableSortedMap(new TreeMap<>(digests));
    findings = List.copyOf(findings);
  }

  /** The case of the cell. */
  public VerifyInfo.Case row() {
    return info.cases().getFirst();
  }

  void write(Writer out) {
    Json.document(
        out,
        g -> {
          g.writeStartObject();
          g.writeNumberProperty("schema", 1);
          Matrix.write(g, cell);
          g.writeStringProperty("path", path);
          g.writeStringProperty("key", key.input());
          g.writeStringProperty("settings", key.settings());
          g.writeStringProperty("platform", key.platform());
          g.writeStringProperty("host", host);
          g.writeObjectPropertyStart("digests");
          digests.forEach(g::writeStringProperty);
          g.writeEndObject();
          VerifySection.write(g, info);
          StoredFindings.write(g, "findings", findings);
          g.writeEndObject();
        });
  }

  static MatrixResult read(Path file) throws IOException {
    JsonNode root = Matrix.json(file);
    SortedMap<String, String> digests = new TreeMap<>();
    root.path("digests").forEachEntry((k, v) -> digests.put(k, v.asString("")));
    VerifyInfo info = VerifyReader.read(root.path("verify"));
    if (info.cases().size() != 1) {
      throw new IOException(file + ": not the result of one cell");
    }
    return new MatrixResult(
        Matrix.cell(file, root),
        root.path("path").asString(""),
        new ResultKey(
            root.path("key").asString(""),
            root.path("settings").asString(""),
            root.path("platform").asString("")),
        root.path("host").asString(""),
        digests,
        info,
        StoredFindings.read(file, root.path("findings")));
  }
}
