package dev.rocport.assess;

import dev.rocport.core.result.BaselineInfo;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Result;
import dev.rocport.io.AtomicFile;
import dev.rocport.io.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The known findings: only other findings count for {@code --fail-on}. The file is JSON with a
 * field {@code baseline} of value 1 and a list {@code findings}. Only their fingerprints count; the
 * other fields are for people.
 *
 * @param file as given
 * @param fingerprints of the known findings
 */
public record Baseline(String file, Set<String> fingerprints) {
  private static final int FORMAT = 1;

  /**
   * Reads a baseline.
   *
   * @throws IOException if it cannot be read or is not a baseline; the message says why
   */
  public static Baseline read(Path file) throws IOException {
    JsonNode root;
    try {
      root = JsonMapper.shared().readTree(java.nio.file.Files.readAllBytes(file));
    } catch (JacksonException e) {
      throw new IOException(file + " is not JSON: " + e.getOriginalMessage(), e);
    }
    JsonNode format = root.get("baseline");
    JsonNode findings = root.get("findings");
    if (format == null || findings == null || !findings.isArray()) {
      throw new IOException(file + " is not a baseline: write one with --write-baseline");
    }
    if (format.asInt(0) != FORMAT) {
      throw new IOException(
          file
              + " was written by a different version of rocport: write it again with"
              + " --write-baseline");
    }
    Set<String> fingerprints = new TreeSet<>();
    for (JsonNode f : findings) {
      JsonNode fingerprint = f.get("fingerprint");
      if (fingerprint == null || !fingerprint.isString()) {
        throw new IOException(file + ": a finding has no fingerprint");
      }
      fingerprints.add(fingerprint.asString());
    }
    return new Baseline(file.toString(), fingerprints);
  }

  /** Writes the findings of a result as a baseline. */
  public static void write(Path file, Result result) throws IOException {
    List<Finding> sorted =
        result.findings().stream()
            .sorted(Comparator.comparing(Finding::path).thenComparing(Finding::fingerprint))
            .toList();
    AtomicFile.write(
        file,
        out -> {
          try (JsonGenerator g = Json.generator(out)) {
            g.writeStartObject();
            g.writeNumberProperty("baseline", FORMAT);
            g.writeArrayPropertyStart("findings");
            for (Finding f : sorted) {
              g.writeStartObject();
              g.writeStringProperty("fingerprint", f.fingerprint());
              g.writeStringProperty("rule", f.rule());
              g.writeStringProperty("path", f.path());
              g.writeStringProperty("text", f.snippet());
              g.writeEndObject();
            }
            g.writeEndArray();
            g.writeEndObject();
          }
          out.write("\n");
        });
  }

  /** Compares the findings of a run with this baseline. */
  BaselineInfo compare(List<Finding> findings) {
    Set<String> known = new HashSet<>();
    int fresh = 0;
    for (Finding f : findings) {
      if (fingerprints.contains(f.fingerprint())) {
        known.add(f.fingerprint());
      } else {
        fresh++;
      }
    }
    return new BaselineInfo(file, known, fresh, fingerprints.size() - known.size());
  }
}
