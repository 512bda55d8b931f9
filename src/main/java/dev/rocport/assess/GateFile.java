package dev.rocport.assess;

import dev.rocport.core.result.Gate.Threshold;
import dev.rocport.core.result.Severity;
import dev.rocport.io.InvalidFileException;
import dev.rocport.io.PathText;
import dev.rocport.io.YamlFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The entry {@code gate} of {@code .rocport.yaml}: {@code fail-on}, {@code baseline} and {@code
 * report} (paths relative to the file), and {@code thresholds}, a list of {@code rules} (an id or a
 * family, {@code *} matches any text), {@code severity} (default {@code note}) and {@code most}.
 *
 * @param failOn the lowest severity that fails; empty if the file has none
 * @param baseline the file of known findings; empty if the file names none
 * @param report the folder for reports; empty if the file names none
 */
public record GateFile(
    Optional<Severity> failOn,
    Optional<Path> baseline,
    Optional<Path> report,
    List<Threshold> thresholds) {
  private static final Set<String> FIELDS = Set.of("fail-on", "baseline", "report", "thresholds");
  private static final Set<String> OF_THRESHOLD = Set.of("rules", "severity", "most");
  private static final GateFile NONE =
      new GateFile(Optional.empty(), Optional.empty(), Optional.empty(), List.of());

  public GateFile {
    thresholds = List.copyOf(thresholds);
  }

  /**
   * Returns the gate of a tree; an empty one if its root has no configuration.
   *
   * @throws IOException if the file cannot be read or is invalid; the message says why
   */
  public static GateFile read(Path root) throws IOException {
    Path file = root.resolve(SuppressionFile.NAME);
    if (!Files.isRegularFile(file)) {
      return NONE;
    }
    JsonNode gate;
    try {
      gate = YamlFile.read(file).get("gate");
    } catch (InvalidFileException e) {
      throw new IOException(e.getMessage(), e);
    }
    if (gate == null || gate.isNull()) {
      return NONE;
    }
    requireFields(gate, FIELDS, file + ": gate");
    return new GateFile(
        text(gate, "fail-on", file + ": gate").map(s -> severity(file + ": gate", s)),
        path(gate, "baseline", file),
        path(gate, "report", file),
        thresholds(gate.get("thresholds"), file + ": gate: thresholds"));
  }

  private static List<Threshold> thresholds(JsonNode list, String where) throws IOException {
    if (list == null || list.isNull()) {
      return List.of();
    }
    if (!list.isArray()) {
      throw new IOException(
          where + " must be a list of entries with 'rules', 'severity' and 'most'");
    }
    List<Threshold> thresholds = new ArrayList<>();
    for (JsonNode t : list) {
      String entry = where + " entry " + (thresholds.size() + 1);
      requireFields(t, OF_THRESHOLD, entry);
      Optional<String> rules = text(t, "rules", entry);
      JsonNode most = t.get("most");
      if (rules.isEmpty() || most == null || !most.isInt() || most.asInt() < 0) {
        throw new IOException(entry + ": needs 'rules' and 'most' (a number, 0 or more)");
      }
      Severity from = text(t, "severity", entry).map(s -> severity(entry, s)).orElse(Severity.NOTE);
      thresholds.add(new Threshold(rules.get(), from, most.asInt()));
    }
    return thresholds;
  }

  private static void requireFields(JsonNode node, Set<String> fields, String where)
      throws IOException {
    if (!node.isObject()) {
      throw new IOException(where + ": must be a mapping of fields");
    }
    for (String field : node.propertyNames()) {
      if (!fields.contains(field)) {
        throw new IOException(where + ": unknown field '" + field + "'");
      }
    }
  }

  private static Severity severity(String where, String text) {
    try {
      return Severity.of(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidFileException(where + ": " + e.getMessage(), e);
    }
  }

  private static Optional<Path> path(JsonNode gate, String field, Path file) throws IOException {
    Optional<String> text = text(gate, field, file + ": gate");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Optional<Path> path = PathText.named(file.resolveSibling(""), text.get());
    if (path.isEmpty()) {
      throw new IOException(file + ": gate: '" + field + "' is not a valid file name");
    }
    return path;
  }

  private static Optional<String> text(JsonNode node, String field, String where)
      throws IOException {
    return node.hasNonNull(field)
        ? Optional.of(SuppressionFile.text(node, field, where))
        : Optional.empty();
  }
}
